// JPEG and PNG files in the place of pixels, which BITMAPINFOHEADER allows for printers.

package import ImageCoding

/// The decoders of images that a bitmap or an icon contains.
package struct EmbeddedPictures: Sendable {
  package let jpegDecoder: AnyImageFormatDecoder?
  package let pngDecoder: AnyImageFormatDecoder?

  package init(jpegDecoder: AnyImageFormatDecoder?, pngDecoder: AnyImageFormatDecoder?) {
    self.jpegDecoder = jpegDecoder
    self.pngDecoder = pngDecoder
  }

  /// Decodes an embedded image, one nesting level below its file and within the same budget.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if there is no decoder for it.
  func decode(
    _ bytes: Span<UInt8>, as compression: BMPHeader.Compression, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let decoder = compression == .png ? pngDecoder : jpegDecoder else {
      throw CodecError(
        .unsupported, "there is no decoder for embedded images (\(compression.rawValue))", format: context.format)
    }
    return try decode(bytes, with: decoder, into: &bitmap, &context)
  }

  /// Decodes an embedded image with a decoder, and records its diagnostics.
  package func decode(
    _ bytes: Span<UInt8>, with decoder: AnyImageFormatDecoder, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    var options = context.options
    // These select a part of the outer file's image.
    options.region = nil
    options.imageIndex = nil
    options.targetSize = nil
    options.orientation = .report
    try context.budget.descend()
    defer { context.budget.ascend() }
    let details = try decoder.decode(bytes, into: &bitmap, options: options, budget: &context.budget)
    for diagnostic in details.diagnostics { context.note(diagnostic.severity, diagnostic.reason, byteOffset: nil) }
    bitmap.orientation = .up
    return details
  }
}
