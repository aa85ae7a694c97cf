// Conversion of planes to pixels on several threads. Each thread converts bands of rows into a bitmap of its own, which
// is then copied, so that threads share no mutable memory.

package import ImageCoding
internal import Threading

/// The pixels, and the bands of rows that no thread has taken.
private struct BandState: Sendable {
  var nextBand = 0
  var bitmap: Bitmap
  var error: CodecError?
}

extension PlanarPicture {
  /// Rows of a band, and the smallest number of pixels that is worth a second thread.
  private static let bandRowCount = 32
  private static let minimumPixelCount = 1 << 18

  /// Converts the planes to pixels on several threads. The pixels do not depend on their number.
  ///
  /// - Parameters:
  ///   - parallelism: the maximum number of threads.
  ///   - budget: the budget to which the bitmap and the work are charged.
  /// - Throws: as ``bitmap(format:arithmetic:interpolation:budget:)``.
  package func bitmap(
    format: PixelFormat? = nil, arithmetic: PlanarArithmetic = .exact,
    interpolation: ChromaInterpolation = .centered, parallelism: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let format = format ?? naturalFormat
    let bandCount = (height + Self.bandRowCount - 1) / Self.bandRowCount
    let threads = min(ParallelRows.threadCount(parallelism), bandCount)
    let bandByteCount = width * Self.bandRowCount * format.bytesPerPixel
    guard threads > 1, width * height >= Self.minimumPixelCount,
      threads * bandByteCount <= budget.availableByteCount / 2
    else { return try bitmap(format: format, arithmetic: arithmetic, interpolation: interpolation, budget: &budget) }
    let converter = try PlanarRowConverter(
      for: self, format: format, arithmetic: arithmetic, interpolation: interpolation)
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: format.bytesPerPixel)
    try budget.allocate(threads * bandByteCount)
    defer { budget.release(threads * bandByteCount) }
    // Every thread checks before each band.
    try budget.chargeWorkInParts(count: width * height, unitsEach: Self.workPerPixel)
    var bitmap = Bitmap()
    try bitmap.reset(width: width, height: height, format: format, limits: budget.limits)
    let state = Mutex(BandState(bitmap: bitmap))
    // With a second owner, the first write would copy all pixels.
    bitmap = Bitmap()
    let interruption = budget.interruption
    ParallelRows.perform(count: threads, parallelism: threads) { _ in
      var converter = converter
      var band = Bitmap()
      while let index = state.withLock({ $0.take(of: bandCount) }) {
        do throws(CodecError) {
          try interruption.check()
          let rows = index * Self.bandRowCount..<min((index + 1) * Self.bandRowCount, height)
          try band.reset(width: width, height: rows.count, format: format, limits: .unlimited)
          for y in rows {
            var row = band.mutableRow(y - rows.lowerBound)
            converter.convert(row: y, of: self, into: &row)
          }
          state.withLock { $0.bitmap.copyRows(of: band, toRow: rows.lowerBound) }
        } catch {
          state.withLock { $0.error = error }
        }
      }
    }
    let error = state.withLock { state in
      swap(&state.bitmap, &bitmap)
      return state.error
    }
    if let error { throw error }
    bitmap.colorSpace = colorSpace
    return bitmap
  }
}

extension BandState {
  mutating func take(of count: Int) -> Int? {
    guard error == nil, nextBand < count else { return nil }
    nextBand += 1
    return nextBand - 1
  }
}
