// Images embedded in SVG documents and fonts, decoded by the codecs of a registry. Links are not followed.

extension SVGDocument.Options {
  /// Options that draw embedded images of the raster formats that the library decodes, and follow no links.
  public static let withBuiltInPictures = withPictures(of: .shared)

  /// Returns options that draw embedded images of a registry's raster formats, and follow no links.
  static func withPictures(of formats: ImageFormatRegistry) -> SVGDocument.Options {
    SVGDocument.Options(decodeImage: formats.pictureDecoder)
  }
}

extension ImageFormatRegistry {
  /// Decodes a picture within a document or a font, such as the emoji of text on a bitmap, with the raster formats of the
  /// registry.
  public var pictureDecoder: TextPictureDecoder {
    { bytes, budget throws(CodecError) in
      var bitmap = Bitmap()
      _ = try NestedPictureDecoder(formats: self).decode(
        bytes.span, into: &bitmap, options: DecodingOptions(limits: budget.limits), budget: &budget)
      return bitmap
    }
  }
}
