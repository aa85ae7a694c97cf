// Which decoder a pipeline uses: closures that are asked with the context, newest first.

internal import Synchronization

/// The decoders of a pipeline. The one that was registered last is asked first; ``ImageDecoders/Default`` comes last.
public final class ImageDecoderRegistry: Sendable {
  /// The registry that pipelines use by default.
  public static let shared = ImageDecoderRegistry()

  /// Makes a decoder for a context; `nil` to leave it to others.
  public typealias Match = @Sendable (ImageDecodingContext) -> (any ImageDecoding)?

  /// Names one registration.
  public struct RegistrationToken: Hashable, Sendable {
    fileprivate let id: Int
  }

  private struct Registration: Sendable {
    let id: Int
    let match: Match
  }

  private struct State: Sendable {
    var registrations: [Registration] = []
    var nextID = 0
  }

  private let state = Mutex(State())

  /// Creates a registry that holds ``ImageDecoders/Default``.
  public init() {
    register(ImageDecoders.Default.init(context:))
  }

  /// The decoder for a context; `nil` when all decline.
  ///
  /// Closures run outside of the lock and may use the registry.
  public func decoder(for context: ImageDecodingContext) -> (any ImageDecoding)? {
    for registration in state.withLock({ $0.registrations }).reversed() {
      if let decoder = registration.match(context) { return decoder }
    }
    return nil
  }

  /// Adds a closure that is asked before all others.
  ///
  /// A decoder type with `init?(context:)` is registered as `register(MyDecoder.init)`.
  @discardableResult
  public func register(_ match: @escaping Match) -> RegistrationToken {
    state.withLock { state in
      defer { state.nextID += 1 }
      state.registrations.append(Registration(id: state.nextID, match: match))
      return RegistrationToken(id: state.nextID)
    }
  }

  /// Takes a closure out again. Does nothing when that has been done.
  public func unregister(_ token: RegistrationToken) {
    state.withLock { $0.registrations.removeAll { $0.id == token.id } }
  }

  /// Takes out all closures, that of ``ImageDecoders/Default`` too.
  public func clear() {
    state.withLock { $0.registrations.removeAll() }
  }
}
