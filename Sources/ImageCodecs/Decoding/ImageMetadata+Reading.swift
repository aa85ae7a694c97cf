// From bytes to what a file carries beside its pixels in one line.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageMetadata {
  /// Reads EXIF, XMP, IPTC, the ICC profile, texts and comments of an image of any known format. Decodes no pixels.
  ///
  /// - Throws: ``DecodeError/Kind/unrecognizedFormat``, or what the format's decoder throws for damaged headers.
  public init(
    reading bytes: Span<UInt8>, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(DecodeError) {
    self = try formats.decoder(for: bytes).metadata(bytes, options: options)
  }

  /// Reads EXIF, XMP, IPTC, the ICC profile, texts and comments of an image of any known format. Decodes no pixels.
  public init(
    reading bytes: [UInt8], options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(DecodeError) {
    try self.init(reading: bytes.span, options: options, formats: formats)
  }

  /// Reads EXIF, XMP, IPTC, the ICC profile, texts and comments of an image of any known format. Decodes no pixels.
  public init(
    reading data: Data, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(DecodeError) {
    try self.init(reading: data.span, options: options, formats: formats)
  }
}
