// What becomes of an image between decoding and showing.

/// Changes decoded images.
public protocol ImageProcessing: Sendable {
  /// Gives the changed image; `nil` when that fails.
  func process(_ image: PlatformImage) -> PlatformImage?

  /// Gives the changed container. By default the image is changed, and what is attached stays.
  func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer

  /// Tells processors apart, options included.
  var identifier: String { get }

  /// Tells processors apart in memory. By default ``identifier``.
  var hashableIdentifier: AnyHashable { get }
}

extension ImageProcessing {
  /// Changes the image and keeps what is attached.
  public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    guard let image = process(container.image) else { throw ImageProcessingError.unknown }
    var container = container
    container.image = image
    return container
  }

  /// The identifier.
  public var hashableIdentifier: AnyHashable { identifier }
}

extension ImageProcessing where Self: Hashable {
  /// The processor itself.
  public var hashableIdentifier: AnyHashable { self }
}

/// What is known when an image is processed.
public struct ImageProcessingContext: Sendable {
  /// The request that the image is for.
  public var request: ImageRequest
  /// The response that the image came with.
  public var response: ImageResponse
  /// Whether the image is final.
  public var isCompleted: Bool

  /// Creates a context.
  public init(request: ImageRequest, response: ImageResponse, isCompleted: Bool) {
    self.request = request
    self.response = response
    self.isCompleted = isCompleted
  }
}

/// Why processing failed.
public enum ImageProcessingError: Error, Hashable, Sendable {
  /// Nothing more is known.
  case unknown
}

/// Words that processors share.
public enum ImageProcessingOptions {
  /// What sizes count.
  public enum Unit: Hashable, Sendable, CustomStringConvertible {
    /// Points; without a screen one point is one pixel.
    case points
    /// Pixels.
    case pixels

    /// `"points"` or `"pixels"`.
    public var description: String {
      switch self {
      case .points: "points"
      case .pixels: "pixels"
      }
    }
  }

  /// How an image takes a size of another shape.
  public enum ContentMode: Hashable, Sendable, CustomStringConvertible {
    /// Neither side is shorter than that of the size.
    case aspectFill
    /// Neither side is longer than that of the size.
    case aspectFit

    /// `".aspectFill"` or `".aspectFit"`.
    public var description: String {
      switch self {
      case .aspectFill: ".aspectFill"
      case .aspectFit: ".aspectFit"
      }
    }
  }
}
