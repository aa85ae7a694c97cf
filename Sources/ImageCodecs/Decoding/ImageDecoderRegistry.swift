// Which decoder a pipeline uses: closures that are asked with the context, newest first.

/// The decoders of a pipeline. The one that was registered last is asked first; ``ImageDecoders/Default`` comes last.
public final class ImageDecoderRegistry: Sendable {
  /// The registry that pipelines use by default.
  public static let shared = ImageDecoderRegistry()

  /// Makes a decoder for a context; `nil` to leave it to others.
  public typealias Match = @Sendable (ImageDecodingContext) -> (any ImageDecoding)?

  /// Names one registration.
  public typealias RegistrationToken = ImageCodecs.RegistrationToken

  private let registrations = RegistrationList<Match>()

  /// Creates a registry that holds ``ImageDecoders/Default``.
  public init() {
    register(ImageDecoders.Default.init(context:))
  }

  /// The decoder for a context; `nil` when all decline.
  ///
  /// Closures run outside of the lock and may use the registry.
  public func decoder(for context: ImageDecodingContext) -> (any ImageDecoding)? {
    for match in registrations.newestFirst {
      if let decoder = match(context) { return decoder }
    }
    return nil
  }

  /// Adds a closure that is asked before all others.
  ///
  /// A decoder type with `init?(context:)` is registered as `register(MyDecoder.init)`.
  @discardableResult
  public func register(_ match: @escaping Match) -> RegistrationToken {
    registrations.add(match)
  }

  /// Removes a closure. Does nothing when that has been done.
  public func unregister(_ token: RegistrationToken) {
    registrations.remove(token)
  }

  /// Removes all closures, that of ``ImageDecoders/Default`` too.
  public func clear() {
    registrations.removeAll()
  }
}
