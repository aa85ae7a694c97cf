// Which decoders there are, and which one reads a given file.

internal import BMPCodec
internal import ISOMediaCodec
internal import TIFFCodec
internal import WebPCodec

#if HEVC
  internal import HEVCCodec
#endif

/// The format decoders in use: the built-in ones and those that were registered, newest first.
///
/// Decoders are asked outside of the lock, so a probe may itself use the registry.
public final class ImageFormatRegistry: Sendable {
  /// The registry that every entry point uses unless it is given another one.
  public static let shared = ImageFormatRegistry()

  /// Names one registration.
  public typealias RegistrationToken = ImageCodecs.RegistrationToken

  private let registrations = RegistrationList<any ImageFormatDecoder>()
  let encoderRegistrations = RegistrationList<EncoderRegistration>()
  private let hasBuiltInDecoders: Bool

  /// Creates a registry of the built-in decoders.
  public init() {
    hasBuiltInDecoders = true
  }

  /// Creates a registry of some decoders and no others, such as those of the formats that a server accepts.
  ///
  /// - Parameter decoders: in the order in which they are asked.
  public init(decoders: [any ImageFormatDecoder]) {
    hasBuiltInDecoders = false
    for decoder in decoders.reversed() { register(decoder) }
  }

  /// Adds a decoder that is asked before all others.
  @discardableResult
  public func register(_ decoder: any ImageFormatDecoder) -> RegistrationToken {
    registrations.add(decoder)
  }

  /// Removes a decoder. Does nothing when that has been done.
  public func unregister(_ token: RegistrationToken) {
    registrations.remove(token)
  }

  /// Removes all decoders that were registered, and those that the registry was created with; the built-in ones remain.
  public func clear() {
    registrations.removeAll()
  }

  /// All decoders in the order in which they are asked.
  public var decoders: [any ImageFormatDecoder] {
    registrations.newestFirst + (hasBuiltInDecoders ? builtInDecoders : [])
  }

  /// The built-in decoders: first those that decode pixels, then those that only measure. Those of formats that contain
  /// pictures of other formats look for decoders here.
  private var builtInDecoders: [any ImageFormatDecoder] {
    [
      JPEGDecoder(),
      PNGDecoder(),
      GIFDecoder(),
      WebPDecoder(),
      ISOMediaDecoder(
        jpegDecoder: NestedPictureDecoder(formats: self, type: .jpeg), pictureDecoders: Self.pictureDecoders),
      TIFFDecoder(),
      IconDecoder(),
      BMPDecoder(),
      JPEG2000HeaderProbe(),
      JPEGXLHeaderProbe(),
      XBMHeaderProbe(),
      SVGDecoder(options: .withPictures(of: self)),
    ]
  }

  /// The decoders of bitstreams that containers use, as the package's traits select them.
  private static var pictureDecoders: [any CodedPictureDecoder] {
    var decoders: [any CodedPictureDecoder] = []
    #if HEVC
      decoders.append(HEVCDecoder())
    #endif
    return decoders
  }

  /// The type of a file that starts like this, or how many bytes would tell.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    switch match(prefix) {
    case .found(_, let type): .yes(type)
    case .needs(let byteCount): .needs(byteCount: byteCount)
    case .none: .no
    }
  }

  /// The type of a file of which no more will arrive; `nil` where it is not known.
  public func type(of bytes: Span<UInt8>) -> AssetType? {
    for decoder in decoders {
      if case .yes(let type) = decoder.probe(bytes) { return type }
    }
    // The brands after the first one may be cut off.
    if hasBuiltInDecoders, case .yes(let type) = sniffISOBrands(bytes, isComplete: true) { return type }
    return nil
  }

  /// The decoder for a file.
  ///
  /// - Parameter bytes: the file, or as much of its start as identifies it.
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``.
  public func decoder(for bytes: Span<UInt8>) throws(CodecError) -> any ImageFormatDecoder {
    for decoder in decoders {
      if case .yes = decoder.probe(bytes) { return decoder }
    }
    if let type = type(of: bytes), let decoder = decoder(of: type) { return decoder }
    throw CodecError(
      .unrecognizedFormat, bytes.isEmpty ? "there are no bytes" : "the format of the bytes is not known", byteOffset: 0)
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
