// Registration by type, as code written for older pipelines does it.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decoder type that says itself which data it takes. Closures do the same with less; see
/// ``ImageDecoderRegistry/register(_:)``.
public protocol ImageDecoderRegistering: ImageDecoding {
  /// Takes complete data, or declines. The same data comes to ``ImageDecoding/decode(_:)``.
  init?(data: Data, context: ImageDecodingContext)

  /// Takes the first part of the data, or declines. Default: declines.
  init?(partiallyDownloadedData data: Data, context: ImageDecodingContext)
}

extension ImageDecoderRegistering {
  /// Declines.
  public init?(partiallyDownloadedData data: Data, context: ImageDecodingContext) {
    return nil
  }
}

extension ImageDecoderRegistry {
  /// Adds a decoder type that is asked before all others.
  @discardableResult
  public func register<Decoder: ImageDecoderRegistering>(_ type: Decoder.Type) -> RegistrationToken {
    register { context in
      context.isCompleted
        ? Decoder(data: context.data, context: context)
        : Decoder(partiallyDownloadedData: context.data, context: context)
    }
  }
}
