// The request that is made to a pipeline.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request for an image: its source, and how it is processed.
public struct ImageRequest: Sendable, ExpressibleByStringLiteral {
  /// The source of an image.
  package enum Resource: Sendable {
    case url(URL?)
    /// A URL with everything else that its loader needs, in the loader's type.
    case loaderRequest(URL?, any Sendable)
    case data(@Sendable () async throws -> Data)
    /// Data that arrives in parts. The closure passes each part to its argument and waits for that to return.
    case chunks(@Sendable (@escaping @Sendable (Data) async throws -> Void) async throws -> Void)
    case image(@Sendable () async throws -> ImageContainer)
  }

  package let resource: Resource
  /// The identifier of the image in caches. By default the URL, or the identifier that the request was created with;
  /// setting `nil` restores the default.
  public var imageID: String? {
    get { customImageID ?? originalImageID }
    set { customImageID = newValue }
  }
  private var customImageID: String?
  /// The identifier that the request was created with, which tells what is loaded.
  package let originalImageID: String?
  /// The processors applied to the decoded image, in order.
  public var processors: [any ImageProcessing]
  /// The priority of the request.
  public var priority: Priority
  /// The options for the stages and caches that are used.
  public var options: Options
  /// Additional values for decoders and processors.
  public var userInfo: [UserInfoKey: any Sendable]
  /// The number of pixels per point in the decoded image. Default 1.
  public var scale: Float = 1
  /// The thumbnail to make instead of the full image, or `nil`.
  public var thumbnail: ThumbnailOptions?

  package init(
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

  /// Requests the image at a URL. Defaults: no processors, normal priority, all caches.
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      resource: .url(url), imageID: url?.absoluteString, processors: processors, priority: priority, options: options,
      userInfo: userInfo)
  }

  /// Requests an image whose data is provided by a closure.
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = [], userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      resource: .data(data), imageID: id, processors: processors, priority: priority, options: options,
      userInfo: userInfo)
  }

  /// Requests an image that is provided by a closure.
  public init(
    id: String, image: @escaping @Sendable () async throws -> ImageContainer,
    processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [UserInfoKey: any Sendable]? = nil
  ) {
    self.init(
      resource: .image(image), imageID: id, processors: processors, priority: priority, options: options,
      userInfo: userInfo)
  }

  /// Requests the image at a URL.
  public init(stringLiteral value: String) {
    self.init(url: URL(string: value))
  }

  /// The URL of the image; `nil` if a closure provides it.
  public var url: URL? {
    switch resource {
    case .url(let url), .loaderRequest(let url, _): url
    case .data, .chunks, .image: nil
    }
  }
}

extension ImageRequest: CustomStringConvertible {
  /// The source of the image and the parameters of the request, in one line.
  public var description: String {
    let source: String
    switch resource {
    case .url(let url), .loaderRequest(let url, _): source = url?.absoluteString ?? "nil"
    case .data, .chunks, .image: source = "<closure>"
    }
    return "ImageRequest(resource: \(source), priority: \(priority), processors: \(processors), "
      + "options: \(options.rawValue), userInfo: \(userInfo.keys.map(\.rawValue).sorted()))"
  }
}

extension ImageRequest {
  /// The priority of a request.
  public enum Priority: Int, Comparable, Hashable, Sendable {
    /// Runs only if the queue is otherwise idle.
    case veryLow
    /// After requests of normal priority.
    case low
    /// In order of arrival.
    case normal
    /// Before requests of normal priority.
    case high
    /// Before all other requests.
    case veryHigh

    /// Returns whether `lhs` is less urgent than `rhs`.
    public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The options for the stages and caches that are used.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The combination as bits, as Nuke numbers them.
    public let rawValue: UInt16

    /// Creates options from raw bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Does not read from the memory cache.
    public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
    /// Does not write to the memory cache.
    public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
    /// Does not use the memory cache.
    public static let disableMemoryCache: Options = [.disableMemoryCacheReads, .disableMemoryCacheWrites]
    /// Does not read from the disk cache.
    public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
    /// Does not write to the disk cache.
    public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
    /// Does not use the disk cache.
    public static let disableDiskCache: Options = [.disableDiskCacheReads, .disableDiskCacheWrites]
    /// Loads the data again, without reading from caches.
    public static let reloadIgnoringCachedData: Options = [.disableMemoryCacheReads, .disableDiskCacheReads]
    /// Fails if the data is not in a cache, instead of loading it.
    public static let returnCacheDataDontLoad = Options(rawValue: 1 << 4)
    /// Accepted without effect: decoding yields pixels, so there is nothing left to decompress.
    public static let skipDecompression = Options(rawValue: 1 << 5)
    /// Loads without waiting in the queue.
    public static let skipDataLoadingQueue = Options(rawValue: 1 << 6)
  }

  /// The key of a value in ``ImageRequest/userInfo``.
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

    /// `Bool`: whether the decoder attaches ``ImageContainer/UserInfoKey/imageInfoKey``. Default `false`.
    public static let attachesImageInfoKey: UserInfoKey = "swift-image-codecs/attaches-image-info"
  }
}
