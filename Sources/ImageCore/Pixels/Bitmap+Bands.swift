// Pictures whose bands of rows are written by several threads.

internal import Threading

extension Bitmap {
  /// Writes bands of rows on at most `parallelism` threads. Rows that are in no band are unchanged.
  ///
  /// - Parameters:
  ///   - bands: the rows of each band, in ascending order.
  ///   - makeState: creates what a thread keeps from one band to the next.
  ///   - write: receives the index of a band, and the band.
  /// - Throws: an error of `write`; in this case not all bands are written.
  package mutating func writeBands<State>(
    _ bands: [Range<Int>], parallelism: Int, makeState: @Sendable () -> State,
    _ write: @Sendable (inout State, _ index: Int, inout BitmapBand) throws(CodecError) -> Void
  ) throws(CodecError) {
    let failure = Mutex<CodecError?>(nil)
    withBands(bands) { picture in
      _ = ParallelRows.takeTurns(count: bands.count, parallelism: parallelism, makeState: makeState) { state, index in
        var band = picture.take(index)
        do throws(CodecError) {
          try write(&state, index, &band)
          return true
        } catch {
          failure.withLock { $0 = $0 ?? error }
          return false
        }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
