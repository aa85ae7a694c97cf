// Selection of the decoder that a pipeline uses: closures that receive the context, newest first.

/// The decoders of a pipeline. The most recently registered decoder is tried first, ``ImageDecoders/Default`` last.
public final class ImageDecoderRegistry: Sendable {
  /// The registry that pipelines use by default.
  public static let shared = ImageDecoderRegistry()

  /// Creates a decoder for a context, or returns `nil` to let the next closure decide.
  public typealias Match = @Sendable (ImageDecodingContext) -> (any ImageDecoding)?

  /// Identifies a registration, to undo it.
  public typealias RegistrationToken = ImageCodecs.RegistrationToken

  private let registrations = RegistrationList<Match>()

  /// Creates a registry with ``ImageDecoders/Default``.
  public init() {
    register(ImageDecoders.Default.init(context:))
  }

  /// Returns the decoder for a context, or `nil` if all closures decline.
  ///
  /// Closures are called outside the lock and may use the registry.
  public func decoder(for context: ImageDecodingContext) -> (any ImageDecoding)? {
    for match in registrations.newestFirst {
      if let decoder = match(context) { return decoder }
    }
    return nil
  }

  /// Adds a closure that takes precedence over all closures registered before.
  ///
  /// A decoder type with `init?(context:)` is registered as `register(MyDecoder.init)`.
  @discardableResult
  public func register(_ match: @escaping Match) -> RegistrationToken {
    registrations.add(match)
  }

  /// Removes a closure. Does nothing if it has already been removed.
  public func unregister(_ token: RegistrationToken) {
    registrations.remove(token)
  }

  /// Removes all closures, including that of ``ImageDecoders/Default``.
  public func clear() {
    registrations.removeAll()
  }
}
