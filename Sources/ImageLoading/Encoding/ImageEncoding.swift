// The protocol of encoders as an image pipeline sees them, with Nuke's names and meaning.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Encodes decoded images to files, for example for a cache on disk.
public protocol ImageEncoding: Sendable {
  /// Encodes an image; `nil` when that fails.
  func encode(_ image: PlatformImage) -> Data?

  /// Encodes the image of a container. By default, returns a GIF's original data, which has all of its frames.
  func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data?

  /// Encodes an image, or says why it cannot be.
  func encoded(_ image: PlatformImage) throws -> Data
}

extension ImageEncoding {
  /// The data of a GIF; any other image encoded.
  public func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data? {
    container.type == .gif ? container.data : encode(container.image)
  }

  /// Encodes an image, or throws `CodecError.Kind.encodingFailed`.
  public func encoded(_ image: PlatformImage) throws -> Data {
    guard let data = encode(image) else { throw CodecError(.encodingFailed, "the image cannot be encoded") }
    return data
  }

  /// Encodes an image; `nil` when that fails.
  @available(*, deprecated, renamed: "encode(_:)")
  public func encode(image: PlatformImage) -> Data? { encode(image) }
}

/// The context of an image to encode: its request and the server's response.
public struct ImageEncodingContext: Sendable {
  /// The request that the image is for.
  public var request: ImageRequest
  /// The image.
  public var image: PlatformImage
  /// The server's response, where there is one.
  public var urlResponse: ImageURLResponse?

  /// Creates the context of one image to encode.
  public init(request: ImageRequest, image: PlatformImage, urlResponse: ImageURLResponse? = nil) {
    self.request = request
    self.image = image
    self.urlResponse = urlResponse
  }
}

/// The encoders that come with the library.
public enum ImageEncoders {}
