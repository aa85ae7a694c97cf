// From bytes to the facts of the headers in one line.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageInfo {
  /// Reads the headers of an image of any known format, decoded or not. Allocates no pixels.
  ///
  /// `bytes` may be a prefix of the file.
  /// - Throws: ``DecodeError/Kind/unrecognizedFormat``, ``DecodeError/Kind/truncated`` while the prefix is too short.
  public init(
    reading bytes: Span<UInt8>, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(DecodeError) {
    self = try formats.decoder(for: bytes).info(bytes, options: options)
  }

  /// Reads the headers of an image of any known format, decoded or not. Allocates no pixels.
  public init(
    reading bytes: [UInt8], options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(DecodeError) {
    try self.init(reading: bytes.span, options: options, formats: formats)
  }

  /// Reads the headers of an image of any known format, decoded or not. Allocates no pixels.
  public init(
    reading data: Data, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(DecodeError) {
    try self.init(reading: data.span, options: options, formats: formats)
  }
}
