// The interface of memory caches, and their keys.

internal import Foundation

/// A cache of decoded images in memory.
public protocol ImageCaching: AnyObject, Sendable {
  /// The image for a key. Setting `nil` removes it.
  subscript(key: ImageCacheKey) -> ImageContainer? { get set }

  /// Removes all images.
  func removeAll()
}

/// The key of an image in a memory cache.
public struct ImageCacheKey: Hashable, Sendable {
  private enum Identity: Hashable, Sendable {
    case custom(String)
    case request(RequestIdentity)
  }

  private let identity: Identity

  /// Creates a key from a string.
  public init(key: String) {
    identity = .custom(key)
  }

  /// Creates the key of a request: its image identifier, processors, thumbnail, scale, and size for vector images.
  public init(request: ImageRequest) {
    identity = .request(RequestIdentity(request))
  }

  /// The properties of a request that distinguish its image in a cache.
  private struct RequestIdentity: Hashable, Sendable {
    let imageID: String?
    let variant: ImageVariant
    let processors: [any ImageProcessing]

    init(_ request: ImageRequest) {
      imageID = request.imageID
      variant = ImageVariant(request)
      processors = request.processors
    }

    static func == (lhs: RequestIdentity, rhs: RequestIdentity) -> Bool {
      lhs.imageID == rhs.imageID && lhs.variant == rhs.variant
        && lhs.processors.count == rhs.processors.count
        && zip(lhs.processors, rhs.processors).allSatisfy { $0.hashableIdentifier == $1.hashableIdentifier }
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(imageID)
      hasher.combine(variant)
      hasher.combine(processors.count)
    }
  }
}
