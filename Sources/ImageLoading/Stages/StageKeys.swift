// When requests are equal for a stage of a pipeline, so that they share its job.

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// The data of an image: what is loaded, and under which identifier it is stored. Requests for different URLs never
/// share a download, even if they share an identifier.
struct DataKey: Hashable {
  private enum Source: Hashable {
    case url, data, chunks, image
    case loaderRequest([AnyHashable?])
  }

  private let id: String?
  private let sourceID: String?
  private let source: Source

  init(_ request: ImageRequest) {
    id = request.imageID
    sourceID = request.originalImageID
    source =
      switch request.resource {
      case .url: .url
      case .loaderRequest(let url, _): Self.source(request.urlRequest, of: url)
      case .data: .data
      case .chunks: .chunks
      case .image: .image
      }
  }
}

extension DataKey {
  /// A request that has nothing but a URL is the same as the URL.
  private static func source(_ request: URLRequest?, of url: URL?) -> Source {
    let parts = request?.distinguishingParts ?? []
    let isPlain = url.map { URLRequest(url: $0).distinguishingParts } == parts
    return isPlain ? .url : .loaderRequest(parts)
  }
}

extension URLRequest {
  /// The parts of a request on which the response depends. Foundation's equality ignores header fields and bodies.
  fileprivate var distinguishingParts: [AnyHashable?] {
    #if canImport(FoundationNetworking) || canImport(Darwin)
      [self, allHTTPHeaderFields ?? [:], httpBody]
    #else
      [self]
    #endif
  }
}

/// An image without processing.
struct DecodedImageKey: Hashable {
  private let data: DataKey
  private let variant: ImageVariant

  init(_ request: ImageRequest) {
    data = DataKey(request)
    variant = ImageVariant(request)
  }
}

/// A processed image, and how caches are used for it.
struct ImageKey: Hashable {
  private let image: DecodedImageKey
  private let processors: [AnyHashable]
  private let options: ImageRequest.Options

  init(_ request: ImageRequest) {
    image = DecodedImageKey(request)
    processors = request.processors.map(\.hashableIdentifier)
    options = request.options
  }
}

/// The options of a request that distinguish images decoded from the same data.
struct ImageVariant: Hashable {
  let thumbnail: ImageRequest.ThumbnailOptions?
  let scale: Float
  let vectorSize: ImageSize?

  init(_ request: ImageRequest) {
    thumbnail = request.thumbnail
    // Keys must equal themselves.
    scale = request.scale.isNaN ? 1 : request.scale
    let size = request.userInfo[.svgTargetSizeKey] as? ImageSize
    vectorSize = size == size ? size : nil
  }
}

extension ImageRequest {
  /// The default key of the encoded image in a disk cache.
  package var dataCacheKey: String {
    var key = (imageID ?? "") + (thumbnail?.identifier ?? "")
    if let size = userInfo[.svgTargetSizeKey] as? ImageSize { key += "?svg=\(size.width)x\(size.height)" }
    return key + processors.map(\.identifier).joined()
  }

  /// Whether the data is in a file or in the URL.
  var isLocalResource: Bool { url?.isFileURL == true || isDataURL }

  /// Whether the data is in the URL.
  var isDataURL: Bool { url?.scheme?.lowercased() == "data" }

  /// The request for the data that a thumbnail or a drawing of another size is made from; `nil` if this is another
  /// request.
  var original: ImageRequest? {
    guard processors.isEmpty, thumbnail != nil || userInfo[.svgTargetSizeKey] != nil else { return nil }
    return withoutVariants
  }

  /// The request for the data that several images can be decoded from.
  var withoutVariants: ImageRequest {
    var request = self
    request.processors = []
    request.thumbnail = nil
    request.userInfo[.svgTargetSizeKey] = nil
    return request
  }
}
