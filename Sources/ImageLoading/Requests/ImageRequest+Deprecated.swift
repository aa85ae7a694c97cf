// Names of earlier versions of Nuke for parts of a request.

public import Foundation

extension ImageRequest {
  /// The identifier of the image in caches.
  @available(*, deprecated, renamed: "imageID")
  public var imageId: String? {
    get { imageID }
    set { imageID = newValue }
  }

  /// Requests the image at a URL, with the options of Nuke 9.
  @available(*, deprecated, message: "pass `options` and `userInfo`")
  public init(
    url: URL, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: ImageRequestOptions
  ) {
    self.init(
      url: url, processors: processors, priority: priority, options: options.requestOptions,
      userInfo: options.userInfo)
    if let key = options.cacheKey ?? options.filteredURL { imageID = key }
  }
}

extension ImageRequest.UserInfoKey {
  /// `String`: the identifier of the image in caches. Has no effect; use ``ImageRequest/imageID``.
  @available(*, deprecated, message: "use `ImageRequest.imageID`")
  public static let imageIdKey: ImageRequest.UserInfoKey = "github.com/kean/nuke/imageId"
  /// `Float`: the number of pixels per point. Has no effect; use ``ImageRequest/scale``.
  @available(*, deprecated, message: "use `ImageRequest.scale`")
  public static let scaleKey: ImageRequest.UserInfoKey = "github.com/kean/nuke/scale"
  /// ``ImageRequest/ThumbnailOptions``: the thumbnail. Has no effect; use ``ImageRequest/thumbnail``.
  @available(*, deprecated, message: "use `ImageRequest.thumbnail`")
  public static let thumbnailKey: ImageRequest.UserInfoKey = "github.com/kean/nuke/thumbnail"
}

/// The options of a request in Nuke 9.
@available(*, deprecated, message: "use `ImageRequest.Options` and `ImageRequest.userInfo`")
public struct ImageRequestOptions: Sendable {
  /// The options for the use of the memory cache.
  public struct MemoryCacheOptions: Sendable {
    /// Whether images are read from the cache.
    public var isReadAllowed: Bool
    /// Whether images are stored in the cache.
    public var isWriteAllowed: Bool

    /// Creates options; by default the cache is used.
    public init(isReadAllowed: Bool = true, isWriteAllowed: Bool = true) {
      self.isReadAllowed = isReadAllowed
      self.isWriteAllowed = isWriteAllowed
    }
  }

  /// The options for the use of the memory cache.
  public var memoryCacheOptions: MemoryCacheOptions
  /// The identifier of the image in caches, or `nil` for the URL.
  public var filteredURL: String?
  /// The identifier of the image in caches, or `nil` for ``filteredURL``.
  public var cacheKey: String?
  /// Additional values for decoders and processors.
  public var userInfo: [ImageRequest.UserInfoKey: any Sendable]

  /// Creates options; by default caches are used and there are no values.
  public init(
    memoryCacheOptions: MemoryCacheOptions = MemoryCacheOptions(), filteredURL: String? = nil,
    cacheKey: String? = nil, userInfo: [ImageRequest.UserInfoKey: any Sendable] = [:]
  ) {
    self.memoryCacheOptions = memoryCacheOptions
    self.filteredURL = filteredURL
    self.cacheKey = cacheKey
    self.userInfo = userInfo
  }

  var requestOptions: ImageRequest.Options {
    var options: ImageRequest.Options = []
    if !memoryCacheOptions.isReadAllowed { options.insert(.disableMemoryCacheReads) }
    if !memoryCacheOptions.isWriteAllowed { options.insert(.disableMemoryCacheWrites) }
    return options
  }
}
