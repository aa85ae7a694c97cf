// The protocols of decoders as an image pipeline sees them, with Nuke's names and meaning.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an image pipeline shows: the library's own bitmap on every platform.
public typealias PlatformImage = Bitmap

/// Decodes one image. A decoder is made for one session: it may see growing prefixes of the data, and then all of it.
///
/// A decoder that keeps state between the prefixes should be a class.
public protocol ImageDecoding: Sendable {
  /// Whether decoding is worth a thread of its own. Default `true`.
  var isAsynchronous: Bool { get }

  /// Decodes the complete data. Called once, on the instance that saw the prefixes.
  func decode(_ data: Data) throws -> ImageContainer

  /// Gives a preview of what has arrived; `nil` when there is no new one. Default `nil`.
  ///
  /// - Parameter data: everything that has arrived so far, not the latest piece.
  func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer?
}

extension ImageDecoding {
  /// `true`.
  public var isAsynchronous: Bool { true }

  /// No previews.
  public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? { nil }
}

/// A decoder that suspends while it works, such as one that asks a service.
public protocol AsyncImageDecoding: ImageDecoding {
  /// Decodes the complete data.
  func decode(_ data: Data) async throws -> ImageContainer
}

extension AsyncImageDecoding {
  /// Throws ``ImageDecodingError/synchronousDecodingUnsupported``.
  public func decode(_ data: Data) throws -> ImageContainer {
    throw ImageDecodingError.synchronousDecodingUnsupported
  }
}

/// Why a decoder of a pipeline gave up.
public enum ImageDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing more is known.
  case unknown
  /// The decoder only works asynchronously.
  case synchronousDecodingUnsupported
  /// A codec's error: what is wrong, and where.
  case codec(CodecError)

  /// One line.
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
