// Pictures whose bands of rows are written by several threads. Each thread writes a band into a separate bitmap, which
// is then copied, so that threads share no mutable memory.

internal import Threading

extension Bitmap {
  /// Writes bands of rows on at most `parallelism` threads. Rows that are in no band are unchanged.
  ///
  /// The bands of all threads together are not charged.
  /// - Parameters:
  ///   - makeState: creates what a thread keeps from one band to the next.
  ///   - write: receives the index of a band and a bitmap for its rows, whose pixels are arbitrary.
  /// - Throws: an error of `write`; in this case not all bands are written.
  package mutating func writeBands<State>(
    _ bands: [Range<Int>], parallelism: Int, makeState: @Sendable () -> State,
    _ write: @Sendable (inout State, _ index: Int, inout Bitmap) throws(CodecError) -> Void
  ) throws(CodecError) {
    let (width, format) = (width, format)
    let progress = Mutex(BandProgress(picture: self))
    // With a second owner, the first write would copy all pixels.
    self = Bitmap()
    ParallelRows.takeTurns(
      count: bands.count, parallelism: parallelism, makeState: { (state: makeState(), band: Bitmap()) }
    ) { thread, index in
      do throws(CodecError) {
        try thread.band.reset(width: width, height: bands[index].count, format: format, limits: .unlimited)
        try write(&thread.state, index, &thread.band)
        let band = thread.band
        progress.withLock { $0.picture.copyRows(of: band, toRow: bands[index].lowerBound) }
        return true
      } catch {
        progress.withLock { $0.error = $0.error ?? error }
        return false
      }
    }
    let error = progress.withLock { progress in
      swap(&progress.picture, &self)
      return progress.error
    }
    if let error { throw error }
  }
}

private struct BandProgress: Sendable {
  var picture: Bitmap
  var error: CodecError?
}
