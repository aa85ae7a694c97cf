// The encoder that pipelines use by default: small files for photos, nothing lost of transparency.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageEncoders {
  /// Opaque images become JPEG, or HEIC if that is preferred; images with an alpha channel become PNG.
  public struct Default: ImageEncoding {
    /// The quality of formats that lose something, 0…1.
    public var compressionQuality: Double
    /// Whether HEIC is taken in place of JPEG. The library has no encoder for it: unless one is registered, opaque images
    /// then cannot be encoded, and do not become JPEG. `ImageEncoders.ImageIO.isSupported(type: .heic)` tells.
    public var isHEIFPreferred: Bool

    /// Creates an encoder with a quality of 0…1 for the formats that lose something.
    public init(compressionQuality: Double = 0.8, isHEIFPreferred: Bool = false) {
      self.compressionQuality = compressionQuality
      self.isHEIFPreferred = isHEIFPreferred
    }

    /// Encodes an image; `nil` when that fails.
    public func encode(_ image: PlatformImage) -> Data? {
      try? encoded(image)
    }

    /// Encodes an image.
    ///
    /// - Throws: `CodecError`.
    public func encoded(_ image: PlatformImage) throws -> Data {
      try ImageIO(type: type(for: image), compressionRatio: compressionQuality).encoded(image)
    }

    private func type(for image: PlatformImage) -> AssetType {
      guard image.isOpaque else { return .png }
      return isHEIFPreferred ? .heic : .jpeg
    }
  }
}

extension ImageEncoding where Self == ImageEncoders.Default {
  /// The default encoder with a quality of 0…1.
  public static func `default`(compressionQuality: Double = 0.8) -> ImageEncoders.Default {
    ImageEncoders.Default(compressionQuality: compressionQuality)
  }
}
