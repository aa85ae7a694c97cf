// Registration by type, for code written for older pipelines.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decoder type whose initialisers decide which data it decodes. Closures are a shorter alternative; see
/// `ImageDecoderRegistry.register(_:)`.
public protocol ImageDecoderRegistering: ImageDecoding {
  /// Creates a decoder for complete data, or returns `nil`. The same data is passed to ``ImageDecoding/decode(_:)``.
  init?(data: Data, context: ImageDecodingContext)

  /// Creates a decoder for the first part of the data, or returns `nil`. By default returns `nil`.
  init?(partiallyDownloadedData data: Data, context: ImageDecodingContext)
}

extension ImageDecoderRegistering {
  /// The default for decoders that need the whole file; returns `nil`.
  public init?(partiallyDownloadedData data: Data, context: ImageDecodingContext) {
    return nil
  }
}

extension ImageDecoderRegistry {
  /// Adds a decoder type that takes precedence over all decoders registered before.
  @discardableResult
  public func register<Decoder: ImageDecoderRegistering>(_ type: Decoder.Type) -> RegistrationToken {
    register { context in
      context.isCompleted
        ? Decoder(data: context.data, context: context)
        : Decoder(partiallyDownloadedData: context.data, context: context)
    }
  }
}
