// Entry points for Foundation's `Data`. They throw the same errors as those for spans.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Bitmap {
  /// Decodes an image of any known format. For an animation, decodes the first frame. Throws the same errors as the
  /// initialiser for spans.
  public init(
    decoding data: Data, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: data.span, options: options, formats: formats)
  }
}

extension DecodedImage {
  /// Decodes an image of any known format, with its metadata and diagnostics. Throws the same errors as the initialiser
  /// for spans.
  public init(
    decoding data: Data, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: data.span, options: options, formats: formats)
  }
}

extension ImageInfo {
  /// Reads the headers of an image of any known format, including formats that are not decoded. Allocates no pixels.
  /// Throws the same errors as the initialiser for spans.
  public init(
    reading data: Data, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: data.span, options: options, formats: formats)
  }
}

extension ImageMetadata {
  /// Reads the EXIF, XMP and IPTC data, the ICC profile, texts and comments of an image of any known format. Decodes no
  /// pixels. Throws the same errors as the initialiser for spans.
  public init(
    reading data: Data, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: data.span, options: options, formats: formats)
  }
}

extension AssetType {
  /// Detects the format of data from its first bytes. `nil` if the data is too short or of no known format.
  public init?(_ data: Data) {
    self.init(data.span)
  }
}
