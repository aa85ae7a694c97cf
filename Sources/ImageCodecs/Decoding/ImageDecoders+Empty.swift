// The decoder that decodes nothing: it hands the bytes to whoever renders them.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageDecoders {
  /// Gives an empty image with the original data attached, for formats that are rendered elsewhere.
  public struct Empty: ImageDecoding {
    /// The type that containers get.
    public let assetType: AssetType?
    /// Whether partial data is handed on too.
    public let isProgressive: Bool

    /// Creates a decoder.
    public init(assetType: AssetType? = nil, isProgressive: Bool = false) {
      self.assetType = assetType
      self.isProgressive = isProgressive
    }

    /// `false`: there is nothing to do.
    public var isAsynchronous: Bool { false }

    /// An empty image with the data.
    public func decode(_ data: Data) throws -> ImageContainer {
      ImageContainer(image: PlatformImage(), type: assetType, data: data)
    }

    /// An empty preview with the data so far, if the decoder is progressive.
    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      guard isProgressive else { return nil }
      return ImageContainer(image: PlatformImage(), type: assetType, isPreview: true, data: data)
    }
  }
}
