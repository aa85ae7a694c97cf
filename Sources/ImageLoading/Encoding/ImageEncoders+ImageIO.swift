// The encoder of one type, chosen by its identifier.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageEncoders {
  /// Encodes to one type. The name is that of Apple's framework, which code written for Nuke expects; the codecs are
  /// the library's own.
  public struct ImageIO: ImageEncoding {
    /// The type to encode to.
    public let type: AssetType
    /// The quality of formats that lose something, 0…1.
    public let compressionRatio: Double

    /// Creates an encoder of one type with a quality of 0…1.
    public init(type: AssetType, compressionRatio: Double = 0.8) {
      self.type = type
      self.compressionRatio = compressionRatio
    }

    /// Whether there is an encoder for a type.
    public static func isSupported(type: AssetType) -> Bool {
      ImageFormatRegistry.shared.encodableTypes.contains(type)
    }

    /// Encodes an image; `nil` when that fails or there is no encoder for the type.
    public func encode(_ image: PlatformImage) -> Data? {
      try? encoded(image)
    }

    /// Encodes an image.
    ///
    /// - Throws: `CodecError`.
    public func encoded(_ image: PlatformImage) throws -> Data {
      guard let format = try EncodingFormat(type: type, quality: compressionRatio) else {
        throw CodecError(.unsupported, "there is no encoder for \(type.formatName)", format: type)
      }
      return Data(try image.encoded(as: format))
    }
  }
}

extension ImageEncoding where Self == ImageEncoders.ImageIO {
  /// The encoder of one type with a quality of 0…1.
  public static func imageIO(type: AssetType, compressionRatio: Double = 0.8) -> ImageEncoders.ImageIO {
    ImageEncoders.ImageIO(type: type, compressionRatio: compressionRatio)
  }
}
