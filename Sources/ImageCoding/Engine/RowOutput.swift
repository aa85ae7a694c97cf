// The rows of an image that is stored row by row, on their way into the bitmap or to the sink.

package import ImageCore

/// Writes rows in the order in which they are stored: allocates the bitmap, converts the rows to the requested format,
/// and passes them to the sink as they become final.
package struct RowOutput {
  /// The order in which rows are stored.
  package enum Order: Sendable {
    case topDown
    case bottomUp
  }

  /// The format in which the codec writes rows.
  package let natural: PixelFormat
  /// The number of rows written.
  package private(set) var rowCount = 0
  /// Whether rows are missing.
  package private(set) var isTruncated = false
  private let height: Int
  private let order: Order
  private var converter: PixelRowConverter?
  private var staging: [UInt8] = []

  /// The number of rows that are held while they are passed to a sink.
  private static let bandRowCount = 16

  /// Prepares for the rows of an image, whose size is checked before anything is allocated.
  ///
  /// - Parameters:
  ///   - natural: the format in which the codec writes rows.
  ///   - colorSpace: what the samples mean in this format.
  ///   - byteOffset: the offset of the size in the file.
  package init(
    _ natural: PixelFormat, size: PixelSize, order: Order = .topDown, colorSpace: ColorSpace = .unspecified,
    byteOffset: Int, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    self.natural = natural
    self.order = order
    height = size.height
    let target = context.options.pixelFormat ?? natural
    try context.checkSize(width: size.width, height: size.height, format: .gray8, byteOffset: byteOffset)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    if target != natural {
      // Five samples of 32 bits per pixel are the converter's own row.
      try context.budget.allocate(count: size.width, bytesEach: natural.bytesPerPixel + 20)
      converter = PixelRowConverter(from: natural, to: target)
      staging = [UInt8](repeating: 0, count: size.width * natural.bytesPerPixel)
    }
    if order == .topDown {
      try context.prepareRows(
        of: &bitmap, size: size, natural: natural, bandRowCount: Self.bandRowCount, colorSpace: colorSpace)
    } else {
      try bitmap.reset(
        width: size.width, height: size.height, format: target, budget: &context.budget, byteOffset: byteOffset)
      bitmap.colorSpace = colorSpace.applying(from: natural, to: target)
    }
  }

  /// Whether all rows have been written.
  package var isComplete: Bool { rowCount == height }
  /// The number of final rows, counted from the top.
  package var completedRowCount: Int { order == .topDown || isComplete ? rowCount : 0 }

  /// Writes the next row.
  ///
  /// - Parameter body: writes the pixels in the natural format; they are initially arbitrary.
  @inline(__always)
  package mutating func write(
    into bitmap: inout Bitmap, _ context: inout DecodingContext, _ body: (inout MutableSpan<UInt8>) -> Void
  ) throws(CodecError) {
    let y = order == .topDown ? rowCount : height - 1 - rowCount
    var row = bitmap.mutableRow(y)
    if converter == nil {
      body(&row)
    } else {
      convert(into: &row, body)
    }
    rowCount += 1
    if order == .topDown { try context.deliver(&bitmap, fullWindowAt: y) }
  }

  private mutating func convert(into row: inout MutableSpan<UInt8>, _ body: (inout MutableSpan<UInt8>) -> Void) {
    // Moved out of the property while in use, so that nothing is copied.
    var pixels = staging
    staging = []
    var span = pixels.mutableSpan
    body(&span)
    converter?.convert(pixels.span, into: &row)
    staging = pixels
  }

  /// Ends an image of which rows are missing: they are zero.
  ///
  /// - Parameter partialRow: writes the row of which only a part has been decoded, if there is one.
  /// - Throws: `CodecError.Kind.truncated` in strict mode, or if there are no pixels at all.
  package mutating func endEarly(
    _ bitmap: inout Bitmap, at byteOffset: Int, _ context: inout DecodingContext,
    partialRow: ((inout MutableSpan<UInt8>) -> Void)? = nil
  ) throws(CodecError) {
    let error = CodecError(
      .truncated, "the file ends in row \(rowCount) of \(height)", format: context.format, byteOffset: byteOffset)
    guard rowCount > 0 || partialRow != nil else { throw error }
    try context.tolerate(error, as: .damage)
    isTruncated = true
    if let partialRow { try write(into: &bitmap, &context, partialRow) }
    bitmap.zeroPixels(rows: order == .topDown ? rowCount..<height : 0..<height - rowCount)
  }

  /// Returns a copy of the rows decoded so far; `nil` if there are none.
  package func preview(of bitmap: Bitmap, _ context: inout DecodingContext) throws(CodecError) -> Bitmap? {
    guard rowCount > 0 else { return nil }
    try context.budget.allocate(bitmap.byteCount)
    return bitmap
  }
}
