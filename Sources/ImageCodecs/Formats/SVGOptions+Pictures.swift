// Images embedded in SVG documents, decoded by the codecs of a registry. Links are not followed.

extension SVGDocument.Options {
  /// Options that draw embedded images of the raster formats that the library decodes, and follow no links.
  public static let withBuiltInPictures = withPictures(of: .shared)

  /// Returns options that draw embedded images of a registry's raster formats, and follow no links.
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
