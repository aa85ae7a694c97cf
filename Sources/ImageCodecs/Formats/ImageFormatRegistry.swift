// The available decoders, and the selection of the one that reads a file.

internal import BMPCodec
internal import ICNSCodec
internal import ICOCodec
internal import ISOMediaCodec
internal import JPEG2000Codec
internal import PNMCodec
internal import QOICodec
internal import RawCodec
internal import TGACodec
internal import TIFFCodec
internal import WebPCodec
internal import XBMCodec

#if HEVC
  internal import HEVCCodec
#endif
#if AV1
  internal import AV1Codec
#endif
#if AVC
  internal import AVCCodec
#endif
#if JPEGXL
  internal import JXLCodec
#endif

/// The format decoders in use: the built-in ones and those registered, newest first.
///
/// Decoders are called outside the lock, so a probe may use the registry.
public final class ImageFormatRegistry: Sendable {
  /// The registry that entry points use by default.
  public static let shared = ImageFormatRegistry()

  /// Identifies a registration, to undo it.
  public typealias RegistrationToken = ImageCodecs.RegistrationToken

  private let registrations = RegistrationList<any ImageFormatDecoder>()
  let encoderRegistrations = RegistrationList<EncoderRegistration>()
  private let hasBuiltInDecoders: Bool
  /// The types that built-in decoders may decode; `nil` for all.
  private let acceptedTypes: Set<AssetType>?

  /// Creates a registry with the built-in decoders.
  public init() {
    hasBuiltInDecoders = true
    acceptedTypes = nil
  }

  /// Creates a registry with the built-in decoders of these types only. Files of other types, and pictures of other types
  /// within files, are not recognised.
  ///
  /// A decoder that reads one of the types reads related ones too: HEIC, HEIF and AVIF, for example. To refuse a type
  /// by name, give the accepted ones to ``ImageFile`` or ``ImageSession``.
  public init(types: Set<AssetType>) {
    hasBuiltInDecoders = true
    acceptedTypes = types
  }

  /// Creates a registry with the given decoders only, for example those of the formats that a server accepts.
  ///
  /// - Parameter decoders: the decoders, in the order in which they are tried.
  public init(decoders: [any ImageFormatDecoder]) {
    hasBuiltInDecoders = false
    acceptedTypes = nil
    for decoder in decoders.reversed() { register(decoder) }
  }

  /// Adds a decoder that takes precedence over all others.
  @discardableResult
  public func register(_ decoder: any ImageFormatDecoder) -> RegistrationToken {
    registrations.add(decoder)
  }

  /// Removes a decoder. Does nothing if it has already been removed.
  public func unregister(_ token: RegistrationToken) {
    registrations.remove(token)
  }

  /// Removes all registered decoders and those that the registry was created with. The built-in decoders remain, and so
  /// do all encoders.
  public func clear() {
    registrations.removeAll()
  }

  /// All decoders in the order in which they are tried.
  public var decoders: [any ImageFormatDecoder] {
    registrations.newestFirst + (hasBuiltInDecoders ? builtInDecoders : [])
  }

  /// The built-in decoders: first those that decode pixels, then those that only read headers. Formats that embed
  /// images of other formats look up decoders in this registry.
  private var builtInDecoders: [any ImageFormatDecoder] {
    guard let acceptedTypes else { return allBuiltInDecoders }
    return allBuiltInDecoders.filter { !acceptedTypes.isDisjoint(with: $0.types) }
  }

  private var allBuiltInDecoders: [any ImageFormatDecoder] {
    [
      JPEGDecoder(),
      PNGDecoder(),
      GIFDecoder(),
      WebPDecoder(),
      // Raw files are TIFF files or ISO base media files of their own kinds, so before those.
      RawDecoder(
        jpegDecoder: NestedPictureDecoder(formats: self, type: .jpeg), losslessJPEGDecoder: JPEGDecoder()),
      ISOMediaDecoder(
        jpegDecoder: NestedPictureDecoder(formats: self, type: .jpeg),
        pngDecoder: NestedPictureDecoder(formats: self, type: .png),
        jpeg2000Decoder: NestedPictureDecoder(formats: self, type: .jpeg2000), pictureDecoders: Self.pictureDecoders,
        traitsOfMissingCodings: Self.traitsOfMissingCodings),
      TIFFDecoder(
        jpegDecoder: NestedPictureDecoder(formats: self, type: .jpeg),
        webPDecoder: NestedPictureDecoder(formats: self, type: .webp),
        jpeg2000Decoder: NestedPictureDecoder(formats: self, type: .jpeg2000),
        jpegXLDecoder: NestedPictureDecoder(formats: self, type: .jxl)),
      IconDecoder(pngDecoder: NestedPictureDecoder(formats: self, type: .png)),
      ICNSDecoder(
        pngDecoder: NestedPictureDecoder(formats: self, type: .png),
        jpeg2000Decoder: NestedPictureDecoder(formats: self, type: .jpeg2000)),
      BMPDecoder(
        jpegDecoder: NestedPictureDecoder(formats: self, type: .jpeg),
        pngDecoder: NestedPictureDecoder(formats: self, type: .png)),
      QOIDecoder(),
      PNMDecoder(),
      JPEG2000Decoder(),
      Self.jpegXLDecoder,
      XBMDecoder(),
      SVGDecoder(options: .withPictures(of: self)),
      // Without a signature, so after all others.
      TGADecoder(),
      VideoProbe(),
    ]
  }

  /// The decoder of JPEG XL, or what reads its headers if the package's traits leave it out.
  private static var jpegXLDecoder: any ImageFormatDecoder {
    #if JPEGXL
      JXLDecoder()
    #else
      JPEGXLHeaderProbe()
    #endif
  }

  /// The decoders of the bitstreams used by containers, as selected by the package's traits.
  private static var pictureDecoders: [any CodedPictureDecoder] {
    var decoders: [any CodedPictureDecoder] = []
    #if HEVC
      decoders.append(HEVCDecoder())
    #endif
    #if AV1
      decoders.append(AV1Decoder())
    #endif
    #if AVC
      decoders.append(AVCDecoder())
    #endif
    return decoders
  }

  /// The traits that enable the decoders that this build lacks, by coding.
  private static var traitsOfMissingCodings: [String: String] {
    var traits: [String: String] = [:]
    #if !HEVC
      (traits["hvc1"], traits["hev1"]) = ("HEVC", "HEVC")
    #endif
    #if !AV1
      traits["av01"] = "AV1"
    #endif
    #if !AVC
      (traits["avc1"], traits["avc3"]) = ("AVC", "AVC")
    #endif
    return traits
  }

  /// Returns the type of a file with this prefix, or the number of bytes needed to detect it.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    switch match(prefix) {
    case .found(_, let type): .yes(type)
    case .needs(let byteCount): .needs(byteCount: byteCount)
    case .none: .no
    }
  }

  /// Returns the type of a file with this prefix, or the number of bytes needed to detect it, so that an upload is refused
  /// as soon as its type is known.
  ///
  /// - Throws: `CodecError.Kind.unrecognizedFormat` if no decoder knows the file; `CodecError.Kind.unsupported` if
  ///   its type is not one of those to accept.
  public func probe(_ prefix: Span<UInt8>, accepting types: Set<AssetType>) throws(CodecError) -> ProbeResult {
    let result = probe(prefix)
    if case .yes(let type) = result { try type.check(isIn: types) }
    if case .no = result { _ = try decoder(for: prefix) }
    return result
  }

  /// Returns the type of a file of which no more bytes will arrive, or `nil` if it is unknown.
  public func type(of bytes: Span<UInt8>) -> AssetType? {
    for decoder in decoders {
      if case .yes(let type) = decoder.probe(bytes) { return type }
    }
    // The compatible brands may be cut off.
    if hasBuiltInDecoders, case .yes(let type) = sniffISOBrands(bytes, isComplete: true) { return type }
    return nil
  }

  /// Returns the decoder for a file.
  ///
  /// - Parameter bytes: the file, or a prefix that is long enough to identify it.
  /// - Throws: `CodecError.Kind.unrecognizedFormat`, with `CodecError.neededByteCount` if there are too few bytes to
  ///   tell.
  public func decoder(for bytes: Span<UInt8>) throws(CodecError) -> any ImageFormatDecoder {
    for decoder in decoders {
      if case .yes = decoder.probe(bytes) { return decoder }
    }
    if let type = type(of: bytes), let decoder = decoder(of: type) { return decoder }
    guard !bytes.isEmpty else { throw CodecError(.unrecognizedFormat, "the input is empty", byteOffset: 0) }
    if case .needs(let byteCount) = match(bytes) {
      throw CodecError(
        .unrecognizedFormat, "the input ends before its format is known", byteOffset: bytes.count,
        neededByteCount: byteCount)
    }
    throw CodecError(.unrecognizedFormat, "the format of the bytes is not known", byteOffset: 0)
  }

  /// Returns the decoder and the type of a complete file.
  ///
  /// - Throws: `CodecError.Kind.unrecognizedFormat`; `CodecError.Kind.unsupported` unless the type is one of those to
  ///   accept.
  func decoder(
    for bytes: Span<UInt8>, accepting types: Set<AssetType>?
  ) throws(CodecError) -> (any ImageFormatDecoder, AssetType) {
    let decoder = try decoder(for: bytes)
    let found = type(of: bytes) ?? decoder.types.first
    guard let found else { throw CodecError(.unrecognizedFormat, "the decoder states no type", byteOffset: 0) }
    try found.check(isIn: types)
    return (decoder, found)
  }

  /// Returns the first decoder that reads a type, or `nil` if there is none.
  func decoder(of type: AssetType) -> (any ImageFormatDecoder)? {
    decoders.first { $0.types.contains(type) }
  }

  /// Returns the rewriter of the metadata of files of a type by the first decoder that has one; `nil` if none has.
  func metadataRewriter(of type: AssetType) -> (any MetadataRewriter)? {
    for decoder in decoders where decoder.types.contains(type) {
      if let rewriter = decoder.metadataRewriter(of: type) { return rewriter }
    }
    return nil
  }

  /// The result of probing a prefix of a file.
  enum Match {
    case none
    case needs(byteCount: Int)
    case found(any ImageFormatDecoder, AssetType)
  }

  /// Returns the first decoder that does not decline. A decoder that needs more bytes blocks those after it.
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
