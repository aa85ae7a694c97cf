// Which decoder reads a file: the product's own choice, so that what is tested is what ships, with its options.

import ImageCodecs
import ImageCore

/// The decoders under test: those of the shared registry.
enum Decoders {
  /// The decoder that the product chooses for a file.
  ///
  /// - Throws: what the product throws for a format that is unknown or not decoded.
  static func decoder(for bytes: [UInt8]) throws(CodecError) -> any ImageFormatDecoder {
    try ImageFormatRegistry.shared.decoder(for: bytes.span)
  }

  /// The decoder that the product chooses for a file; `nil` where it has none.
  static func recognizing(_ bytes: [UInt8]) -> (any ImageFormatDecoder)? {
    try? decoder(for: bytes)
  }

  /// The decoder that a file name extension promises, such as `png`.
  static func named(_ name: String) -> (any ImageFormatDecoder)? {
    guard let type = AssetType(filenameExtension: name) else { return nil }
    return ImageFormatRegistry.shared.decoders.first { $0.types.contains(type) }
  }
}
