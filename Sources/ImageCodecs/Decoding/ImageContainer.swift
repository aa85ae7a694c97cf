// What a pipeline's decoder gives: the image and whatever it attaches.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decoded image with what its decoder attached.
public struct ImageContainer: Sendable {
  /// The image; a placeholder where ``data`` is to be rendered by someone else.
  public var image: PlatformImage
  /// The format, where it is known.
  public var type: AssetType?
  /// Whether the image is a preview: a scan, some rows, a thumbnail.
  public var isPreview: Bool
  /// The original data, where the decoder attached it: for GIF, so that its frames can be decoded when they are shown.
  public var data: Data?
  /// What else the decoder tells.
  public var userInfo: [UserInfoKey: any Sendable]

  /// Creates a container.
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

  /// Names a value of ``userInfo``.
  public struct UserInfoKey: Hashable, ExpressibleByStringLiteral, Sendable {
    /// The name.
    public let rawValue: String

    /// Wraps a name.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// Wraps a name.
    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// `Int`: the number of the preview, counted from 1; of a final image the number of previews before it.
    public static let scanNumberKey: UserInfoKey = "com.github/kean/nuke/scan-number"
    /// `Int`: how many scans or passes of a progressive image are complete in the preview.
    public static let completedScanCountKey: UserInfoKey = "swift-image-codecs/completed-scan-count"
    /// `[ImageDiagnostic]`: what was wrong with the file; absent where nothing was.
    public static let diagnosticsKey: UserInfoKey = "swift-image-codecs/diagnostics"
    /// ``ImageInfo``: the facts of the headers; attached where ``ImageRequest/UserInfoKey/attachesImageInfoKey`` asks
    /// for it.
    public static let imageInfoKey: UserInfoKey = "swift-image-codecs/image-info"
  }
}
