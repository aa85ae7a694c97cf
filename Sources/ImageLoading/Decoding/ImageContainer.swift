// The result of a pipeline's decoder: the image and what the decoder attaches.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decoded image and what its decoder attached.
public struct ImageContainer: Sendable {
  /// The image, or a placeholder if the caller renders ``data`` instead.
  public var image: PlatformImage
  /// The format, if known.
  public var type: AssetType?
  /// Whether the image is a preview: completed scans, completed rows or a thumbnail.
  public var isPreview: Bool
  /// The original data, if the decoder attached it. For GIF it is attached so that frames can be decoded on display.
  public var data: Data?
  /// Additional values from the decoder.
  public var userInfo: [UserInfoKey: any Sendable]

  /// Creates a container. By default it has no type, data or user info and is not a preview.
  public init(
    image: PlatformImage, type: AssetType? = nil, isPreview: Bool = false, data: Data? = nil,
    userInfo: [UserInfoKey: any Sendable] = [:]
  ) {
    self.image = image
    self.type = type
    self.isPreview = isPreview
    self.data = data
    self.userInfo = userInfo
  }

  /// The key of a value in ``userInfo``.
  public struct UserInfoKey: Hashable, ExpressibleByStringLiteral, Sendable {
    /// The name, unique among the keys of a dictionary.
    public let rawValue: String

    /// Creates a key from its name.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a key from its name.
    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// `Int`: the number of the preview, counted from 1. For a final image, the number of previews that preceded it.
    public static let scanNumberKey: UserInfoKey = "com.github/kean/nuke/scan-number"
    /// `Int`: the number of completed scans or passes of a progressive image in the preview.
    public static let completedScanCountKey: UserInfoKey = "swift-image-codecs/completed-scan-count"
    /// `[ImageDiagnostic]`: damage that was tolerated. Absent if there was none.
    public static let diagnosticsKey: UserInfoKey = "swift-image-codecs/diagnostics"
    /// `ImageInfo`: the information from the headers. Attached if ``ImageRequest/UserInfoKey/attachesImageInfoKey``
    /// is set.
    public static let imageInfoKey: UserInfoKey = "swift-image-codecs/image-info"
  }
}
