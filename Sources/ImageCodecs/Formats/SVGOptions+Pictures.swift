// The pictures inside of SVG documents, decoded by the codecs of this package. No link is followed.

extension SVGDocument.Options {
  /// Options that draw embedded pictures of the formats that the library decodes, and follow no links.
  public static let withBuiltInPictures = SVGDocument.Options(
    decodeImage: { bytes, limits throws(DecodeError) in
      let options = DecodingOptions(limits: limits)
      let decoders: [any ImageFormatDecoder] = [JPEGDecoder(), PNGDecoder(), GIFDecoder()]
      for decoder in decoders {
        if case .yes = decoder.probe(bytes.span) { return try decoder.decode(bytes.span, options: options).bitmap }
      }
      throw DecodeError(.unrecognizedFormat, "the picture is of no format that is drawn inside of SVG")
    })
}
