// Which decoders there are, and which one reads a given file.

internal import BMPCodec
internal import ISOMediaCodec
internal import Synchronization
internal import TIFFCodec
internal import WebPCodec

/// The format decoders in use: the built-in ones and those that were registered, newest first.
///
/// Decoders are asked outside of the lock, so a probe may itself use the registry.
public final class ImageFormatRegistry: Sendable {
  /// The registry that every entry point uses unless it is given another one.
  public static let shared = ImageFormatRegistry()

  /// Names one registration.
  public struct RegistrationToken: Hashable, Sendable {
    fileprivate let id: Int
  }

  private struct Registration: Sendable {
    let id: Int
    let decoder: any ImageFormatDecoder
  }

  private struct State: Sendable {
    var registrations: [Registration] = []
    var nextID = 0
  }

  private let state = Mutex(State())

  /// Creates a registry of the built-in decoders.
  public init() {}

  /// The built-in decoders: first those that give pixels, then those that only measure.
  static let builtIn: [any ImageFormatDecoder] = [
    JPEGDecoder(),
    PNGDecoder(),
    GIFDecoder(),
    WebPDecoder(),
    ISOMediaDecoder(jpegDecoder: JPEGDecoder()),
    TIFFDecoder(),
    IconDecoder(),
    BMPDecoder(),
    JPEG2000HeaderProbe(),
    JPEGXLHeaderProbe(),
    XBMHeaderProbe(),
    SVGDecoder(options: .withBuiltInPictures),
  ]

  /// Adds a decoder that is asked before all others.
  @discardableResult
  public func register(_ decoder: any ImageFormatDecoder) -> RegistrationToken {
    state.withLock { state in
      defer { state.nextID += 1 }
      state.registrations.append(Registration(id: state.nextID, decoder: decoder))
      return RegistrationToken(id: state.nextID)
    }
  }

  /// Takes a decoder out again. Does nothing when that has been done.
  public func unregister(_ token: RegistrationToken) {
    state.withLock { $0.registrations.removeAll { $0.id == token.id } }
  }

  /// All decoders in the order in which they are asked.
  public var decoders: [any ImageFormatDecoder] {
    state.withLock { $0.registrations }.reversed().map(\.decoder) + Self.builtIn
  }

  /// The type of a file that starts like this, or how many bytes would tell.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    switch match(prefix) {
    case .found(_, let type): .yes(type)
    case .needs(let byteCount): .needs(byteCount: byteCount)
    case .none: AssetType.probe(prefix)
    }
  }

  /// The decoder for a file.
  ///
  /// - Parameter bytes: the file, or as much of its start as identifies it.
  /// - Throws: ``DecodeError/Kind/unrecognizedFormat``; ``DecodeError/Kind/unsupported`` for a format that is known
  ///   but not decoded.
  public func decoder(for bytes: Span<UInt8>) throws(DecodeError) -> any ImageFormatDecoder {
    for decoder in decoders {
      if case .yes = decoder.probe(bytes) { return decoder }
    }
    if let type = AssetType(bytes) { throw DecodeError.notDecoded(type) }
    throw DecodeError(
      .unrecognizedFormat, bytes.isEmpty ? "there are no bytes" : "the bytes start like no known format",
      byteOffset: 0)
  }

  /// The first decoder that reads a type; `nil` where there is none.
  func decoder(of type: AssetType) -> (any ImageFormatDecoder)? {
    decoders.first { $0.types.contains(type) }
  }

  /// What the decoders say of a prefix of a file.
  enum Match {
    case none
    case needs(byteCount: Int)
    case found(any ImageFormatDecoder, AssetType)
  }

  /// The first decoder that does not decline. One that cannot tell yet is waited for.
  func match(_ prefix: Span<UInt8>) -> Match {
    for decoder in decoders {
      switch decoder.probe(prefix) {
      case .no: continue
      case .yes(let type): return .found(decoder, type)
      case .needs(let byteCount): return .needs(byteCount: byteCount)
      }
    }
    return .none
  }
}
