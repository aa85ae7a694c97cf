// The pictures inside of SVG documents, decoded by the codecs of a registry. No link is followed.

extension SVGDocument.Options {
  /// Options that draw embedded pictures of the formats that the library decodes, and follow no links.
  public static let withBuiltInPictures = withPictures(of: .shared)

  /// Options that draw embedded pictures of the raster formats of a registry, and follow no links.
  static func withPictures(of formats: ImageFormatRegistry) -> SVGDocument.Options {
    SVGDocument.Options(
      decodeImage: { bytes, budget throws(CodecError) in
        var bitmap = Bitmap()
        _ = try NestedPictureDecoder(formats: formats).decode(
          bytes.span, into: &bitmap, options: DecodingOptions(limits: budget.limits), budget: &budget)
        return bitmap
      })
  }
}
