// Conversion of planes to pixels on several threads.

package import ImageCoding
internal import Threading

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
    guard ParallelRows.threadCount(parallelism) > 1, bandCount > 1, width * height >= Self.minimumPixelCount
    else { return try bitmap(format: format, arithmetic: arithmetic, interpolation: interpolation, budget: &budget) }
    let converter = try PlanarRowConverter(
      for: self, format: format, arithmetic: arithmetic, interpolation: interpolation)
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: format.bytesPerPixel)
    // Every thread checks before each band.
    try budget.chargeWorkInParts(count: width * height, unitsEach: Self.workPerPixel)
    var bitmap = Bitmap()
    try bitmap.reset(width: width, height: height, format: format, limits: budget.limits)
    let interruption = budget.interruption
    let bands = (0..<bandCount).map { $0 * Self.bandRowCount..<min(($0 + 1) * Self.bandRowCount, height) }
    try bitmap.writeBands(bands, parallelism: parallelism, makeState: { converter }) {
      (converter, _, band) throws(CodecError) in
      try interruption.check()
      for y in band.rows {
        band.withRow(y) { converter.convert(row: y, of: self, into: &$0) }
      }
    }
    bitmap.colorSpace = colorSpace
    return bitmap
  }
}
