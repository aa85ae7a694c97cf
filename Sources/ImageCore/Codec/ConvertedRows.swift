// Rows that a codec expands in its natural format, converted to the requested one on their way into the bitmap.

/// Writes rows of one format into a bitmap of another. If both are the same, rows are written in place.
package struct ConvertedRows {
  /// The format in which the codec writes rows.
  package let natural: PixelFormat
  private var converter: PixelRowConverter?
  private var staging: [UInt8] = []

  /// Creates a writer for rows of a width. The staging row of a conversion is charged to the budget.
  package init(natural: PixelFormat, width: Int, _ context: inout DecodingContext) throws(CodecError) {
    self.natural = natural
    guard let target = context.options.pixelFormat, target != natural else { return }
    // Five samples of 32 bits per pixel are the converter's own row.
    try context.budget.allocate(count: width, bytesEach: natural.bytesPerPixel + 20)
    converter = PixelRowConverter(from: natural, to: target)
    staging = [UInt8](repeating: 0, count: width * natural.bytesPerPixel)
  }

  /// The format of the bitmap.
  package var target: PixelFormat { converter?.target ?? natural }

  /// Writes one row.
  ///
  /// - Parameter body: writes the pixels in the natural format; they are initially arbitrary.
  @inline(__always)
  package mutating func write(_ y: Int, of bitmap: inout Bitmap, _ body: (inout MutableSpan<UInt8>) -> Void) {
    var row = bitmap.mutableRow(y)
    guard var converter else { return body(&row) }
    // Moved out of the properties while in use, so that nothing is copied.
    self.converter = nil
    var pixels = staging
    staging = []
    var span = pixels.mutableSpan
    body(&span)
    converter.convert(pixels.span, into: &row)
    staging = pixels
    self.converter = converter
  }
}
