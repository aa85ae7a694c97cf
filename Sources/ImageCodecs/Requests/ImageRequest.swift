// What a pipeline is asked for.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Asks for an image: where it comes from and what is to become of it.
public struct ImageRequest: Sendable, ExpressibleByStringLiteral {
  /// Where an image comes from.
  enum Resource: Sendable {
    case url(URL?)
    case data(@Sendable () async throws -> Data)
    case image(@Sendable () async throws -> ImageContainer)
  }

  let resource: Resource
  /// What caches know the image by. By default the URL, or the identifier that the request was created with; setting
  /// `nil` restores the default.
  public var imageID: String? {
    get { customImageID ?? originalImageID }
    set { customImageID = newValue }
  }
  private var customImageID: String?
  private let originalImageID: String?
  /// What is done to the image after it was decoded, in this order.
  public var processors: [any ImageProcessing]
  /// How urgent the image is.
  public var priority: Priority
  /// Which stages and caches are used.
  public var options: Options
  /// What else decoders and processors are to know.
  public var userInfo: [UserInfoKey: any Sendable]
  /// Pixels for a point in the decoded image.
  public var scale: Float = 1
  /// Set to get a thumbnail in place of the image.
  public var thumbnail: ThumbnailOptions?

  init(
    resource: Resource, imageID: String?, processors: [any ImageProcessing], priority: Priority, options: Options,
    userInfo: [UserInfoKey: any Sendable]?
  ) {
    self.resource = resource
    originalImageID = imageID
    self.processors = processors
    self.priority = priority
    self.options = options
    self.userInfo = userInfo ?? [:]
  }

  /// Asks for the image at a URL.
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      resource: .url(url), imageID: url?.absoluteString, processors: processors, priority: priority, options: options,
      userInfo: userInfo)
  }

  /// Asks for an image whose data a closure provides.
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = [], userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      resource: .data(data), imageID: id, processors: processors, priority: priority, options: options,
      userInfo: userInfo)
  }

  /// Asks for an image that a closure provides.
  public init(
    id: String, image: @escaping @Sendable () async throws -> ImageContainer,
    processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      resource: .image(image), imageID: id, processors: processors, priority: priority, options: options,
      userInfo: userInfo)
  }

  /// Asks for the image at a URL.
  public init(stringLiteral value: String) {
    self.init(url: URL(string: value))
  }

  /// Where the image is, unless a closure provides it.
  public var url: URL? {
    if case .url(let url) = resource { url } else { nil }
  }
}

extension ImageRequest: CustomStringConvertible {
  /// One line: where the image comes from, and how it is to be loaded.
  public var description: String {
    let source: String
    switch resource {
    case .url(let url): source = url?.absoluteString ?? "nil"
    case .data, .image: source = "<closure>"
    }
    return "ImageRequest(resource: \(source), priority: \(priority), processors: \(processors), "
      + "options: \(options.rawValue), userInfo: \(userInfo.keys.map(\.rawValue).sorted()))"
  }
}

extension ImageRequest {
  /// How urgent an image is.
  public enum Priority: Int, Comparable, Hashable, Sendable {
    /// When there is nothing else to do.
    case veryLow
    /// Later.
    case low
    /// In turn.
    case normal
    /// Soon.
    case high
    /// At once.
    case veryHigh

    /// Whether one is less urgent than the other.
    public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Which stages and caches are used.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Wraps bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Does not look into the memory cache.
    public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
    /// Does not write to the memory cache.
    public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
    /// Does not use the memory cache.
    public static let disableMemoryCache: Options = [.disableMemoryCacheReads, .disableMemoryCacheWrites]
    /// Does not look into the disk cache.
    public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
    /// Does not write to the disk cache.
    public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
    /// Does not use the disk cache.
    public static let disableDiskCache: Options = [.disableDiskCacheReads, .disableDiskCacheWrites]
    /// Loads the data anew.
    public static let reloadIgnoringCachedData: Options = [.disableMemoryCacheReads, .disableDiskCacheReads]
    /// Fails rather than loads.
    public static let returnCacheDataDontLoad = Options(rawValue: 1 << 4)
    /// Accepted, without effect: decoding gives pixels, there is nothing left to decompress.
    public static let skipDecompression = Options(rawValue: 1 << 5)
    /// Loads without waiting for a place in the queue.
    public static let skipDataLoadingQueue = Options(rawValue: 1 << 6)
  }

  /// Names a value of ``ImageRequest/userInfo``.
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

    /// `Bool`: whether the decoder attaches ``ImageContainer/UserInfoKey/imageInfoKey``. Default `false`.
    public static let attachesImageInfoKey: UserInfoKey = "swift-image-codecs/attaches-image-info"
  }
}
