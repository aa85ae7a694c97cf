// Selection of the decoder for a file. The product's registry decides, so that the shipped configuration is tested.

import ImageCodecs
import ImageCoding

/// The decoders under test: those of the shared registry.
enum Decoders {
  /// Returns the decoder that the product selects for a file.
  ///
  /// - Throws: the product's error for a format that is unknown or not decoded.
  static func decoder(for bytes: [UInt8]) throws(CodecError) -> any ImageFormatDecoder {
    try ImageFormatRegistry.shared.decoder(for: bytes.span)
  }

  /// Returns the decoder that the product selects for a file, or `nil` if there is none.
  static func recognizing(_ bytes: [UInt8]) -> (any ImageFormatDecoder)? {
    try? decoder(for: bytes)
  }

  /// Returns the decoder for a file name extension such as `png`.
  static func named(_ name: String) -> (any ImageFormatDecoder)? {
    guard let type = AssetType(filenameExtension: name) else { return nil }
    return ImageFormatRegistry.shared.decoders.first { $0.types.contains(type) }
  }
}
