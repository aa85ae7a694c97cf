// A decoder that decodes nothing and passes the bytes on for rendering elsewhere.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageDecoders {
  /// Returns an empty image with the original data attached, for formats that are rendered elsewhere.
  public struct Empty: ImageDecoding {
    /// The type of the containers.
    public let assetType: AssetType?
    /// Whether partial data is passed on as well.
    public let isProgressive: Bool

    /// Creates a decoder. By default containers have no type and partial data is not passed on.
    public init(assetType: AssetType? = nil, isProgressive: Bool = false) {
      self.assetType = assetType
      self.isProgressive = isProgressive
    }

    /// Returns `false`: no work is done.
    public var isAsynchronous: Bool { false }

    /// Returns an empty image with the data attached.
    public func decode(_ data: Data) throws -> ImageContainer {
      ImageContainer(image: PlatformImage(), type: assetType, data: data)
    }

    /// Returns an empty preview with the data received so far, if ``isProgressive`` is set.
    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      guard isProgressive else { return nil }
      return ImageContainer(image: PlatformImage(), type: assetType, isPreview: true, data: data)
    }
  }
}
