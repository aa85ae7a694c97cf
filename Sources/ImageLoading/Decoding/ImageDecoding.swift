// The decoder protocols of image pipelines, with Nuke's names and semantics.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The image type of pipelines: the library's bitmap on every platform.
public typealias PlatformImage = Bitmap

/// Decodes one image. A decoder is created for one session: it may receive growing prefixes of the data, and then all
/// of it.
///
/// A decoder that keeps state between prefixes should be a class.
public protocol ImageDecoding: Sendable {
  /// Whether decoding should run on a separate thread. Default `true`.
  var isAsynchronous: Bool { get }

  /// Decodes the complete data. Called once, on the instance that received the prefixes.
  func decode(_ data: Data) throws -> ImageContainer

  /// Returns a preview of the data received so far, or `nil` if there is no new one. By default returns `nil`.
  ///
  /// - Parameter data: all data received so far, not only the latest part.
  func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer?
}

extension ImageDecoding {
  /// `true`: decoding takes place on a background queue unless a decoder states otherwise.
  public var isAsynchronous: Bool { true }

  /// Returns `nil`: no previews.
  public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? { nil }
}

/// A decoder that suspends while it works, for example one that calls a service.
public protocol AsyncImageDecoding: ImageDecoding {
  /// Decodes the complete data.
  func decode(_ data: Data) async throws -> ImageContainer
}

extension AsyncImageDecoding {
  /// The default for decoders that only decode asynchronously.
  ///
  /// - Throws: ``ImageDecodingError/synchronousDecodingUnsupported`` always.
  public func decode(_ data: Data) throws -> ImageContainer {
    throw ImageDecodingError.synchronousDecodingUnsupported
  }
}

/// An error of a pipeline's decoder.
public enum ImageDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause is not known.
  case unknown
  /// The decoder supports only asynchronous decoding.
  case synchronousDecodingUnsupported
  /// The error of a codec.
  case codec(CodecError)

  /// The error in one line.
  public var description: String {
    switch self {
    case .unknown: "the image could not be decoded"
    case .synchronousDecodingUnsupported: "the decoder only works asynchronously"
    case .codec(let error): error.description
    }
  }
}

/// The decoders that come with the library.
public enum ImageDecoders {}
