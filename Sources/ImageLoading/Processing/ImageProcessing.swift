// The processing of an image between decoding and display.

/// Transforms decoded images, for example by resizing or cropping them.
public protocol ImageProcessing: Sendable {
  /// Returns the processed image, or `nil` on failure.
  func process(_ image: PlatformImage) -> PlatformImage?

  /// Returns the processed container. By default processes the image and keeps what is attached.
  func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer

  /// The identity of the processor, including its options.
  var identifier: String { get }

  /// The identity of the processor in memory caches. By default ``identifier``.
  var hashableIdentifier: AnyHashable { get }
}

extension ImageProcessing {
  /// Processes the image and keeps what is attached.
  ///
  /// - Throws: ``ImageProcessingError/unknown`` if ``process(_:)`` returns `nil`.
  public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    guard let image = process(container.image) else { throw ImageProcessingError.unknown }
    var container = container
    container.image = image
    return container
  }

  /// The default: the ``identifier``, which must then be different for different parameters.
  public var hashableIdentifier: AnyHashable { identifier }
}

extension ImageProcessing where Self: Hashable {
  /// Returns the processor itself.
  public var hashableIdentifier: AnyHashable { self }
}

/// The input of a processor besides the image.
public struct ImageProcessingContext: Sendable {
  /// The request that the image is for.
  public var request: ImageRequest
  /// The response that contains the image.
  public var response: ImageResponse
  /// Whether the image is final.
  public var isCompleted: Bool

  /// Creates the context of one image to process.
  public init(request: ImageRequest, response: ImageResponse, isCompleted: Bool) {
    self.request = request
    self.response = response
    self.isCompleted = isCompleted
  }
}

/// An error of an image processor.
public enum ImageProcessingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause is not known.
  case unknown

  /// The error in one line.
  public var description: String { "the image could not be processed" }
}

/// A namespace for the options of processors.
public enum ImageProcessingOptions {
  /// The unit of sizes.
  public enum Unit: Hashable, Sendable, CustomStringConvertible {
    /// Points. There is no screen, so a point is a pixel.
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

  /// The scaling of an image to a size with a different aspect ratio.
  public enum ContentMode: Hashable, Sendable, CustomStringConvertible {
    /// Both sides are at least those of the size.
    case aspectFill
    /// Both sides are at most those of the size.
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
