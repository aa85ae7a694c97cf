// Foundation's `Data` wherever bytes are taken.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Bitmap {
  /// Decodes an image of any known format; of an animation the first frame.
  public init(
    decoding data: Data, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: data.span, options: options, formats: formats)
  }
}

extension DecodedImage {
  /// Decodes an image of any known format, with its metadata and diagnostics.
  public init(
    decoding data: Data, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(decoding: data.span, options: options, formats: formats)
  }
}

extension ImageInfo {
  /// Reads the headers of an image of any known format, decoded or not. Allocates no pixels.
  public init(
    reading data: Data, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: data.span, options: options, formats: formats)
  }
}

extension ImageMetadata {
  /// Reads EXIF, XMP, IPTC, the ICC profile, texts and comments of an image of any known format. Decodes no pixels.
  public init(
    reading data: Data, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: data.span, options: options, formats: formats)
  }
}

extension AssetType {
  /// The format that bytes start like; `nil` when they are too few or of no known format.
  public init?(_ data: Data) {
    self.init(data.span)
  }
}
