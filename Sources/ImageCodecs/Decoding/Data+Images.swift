// Variants for Foundation's `Data` of the entry points that take bytes.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Bitmap {
  /// Decodes an image of any known format. For an animation, decodes the first frame.
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
  /// Reads the headers of an image of any known format, including formats that are not decoded. Allocates no pixels.
  public init(
    reading data: Data, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(reading: data.span, options: options, formats: formats)
  }
}

extension ImageMetadata {
  /// Reads the EXIF, XMP and IPTC data, the ICC profile, texts and comments of an image of any known format. Decodes no
  /// pixels.
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
