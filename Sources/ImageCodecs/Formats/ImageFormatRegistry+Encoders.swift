// The available encoders: the built-in ones and those registered, newest first.

internal import BMPCodec
internal import GIFCodec
internal import ICOCodec
internal import JPEGCodec
internal import PNGCodec
internal import PNMCodec
internal import TIFFCodec
internal import WebPCodec

/// An encoder of a type and the closure that creates it for a quality of 0…1, or for its own default.
struct EncoderRegistration: Sendable {
  var type: AssetType
  var make: @Sendable (_ quality: Double?) throws(CodecError) -> any ImageFormatEncoder
}

extension ImageFormatRegistry {
  /// Adds an encoder that takes precedence over all others of its type.
  ///
  /// - Parameters:
  ///   - type: the type that the encoder writes.
  ///   - make: creates the encoder for a quality of 0…1, which lossless formats ignore; `nil` selects the encoder's own.
  /// - Returns: a token for ``unregisterEncoder(_:)``.
  @discardableResult
  public func registerEncoder(
    of type: AssetType, _ make: @escaping @Sendable (_ quality: Double?) throws(CodecError) -> any ImageFormatEncoder
  ) -> RegistrationToken {
    encoderRegistrations.add(EncoderRegistration(type: type, make: make))
  }

  /// Removes an encoder. Does nothing if it has already been removed.
  public func unregisterEncoder(_ token: RegistrationToken) {
    encoderRegistrations.remove(token)
  }

  /// The types that can be encoded.
  public var encodableTypes: Set<AssetType> {
    Set(EncodingFormat.types).union(encoderRegistrations.newestFirst.map(\.type))
  }

  /// Returns the encoder of a type, or `nil` if there is none. It never writes another type.
  ///
  /// - Parameters:
  ///   - type: the type to encode to.
  ///   - quality: the quality of a lossy format, 0…1; `nil` selects the default of its encoder's options.
  /// - Throws: `CodecError.Kind.invalidArgument` if the quality is out of range and the format is lossy.
  public func encoder(of type: AssetType, quality: Double? = nil) throws(CodecError) -> (any ImageFormatEncoder)? {
    if let registered = encoderRegistrations.newestFirst.first(where: { $0.type == type }) {
      return try registered.make(quality)
    }
    switch type {
    case .jpeg: return try quality.map(EncodingFormat.jpeg(quality:))?.encoder ?? JPEGEncoder()
    case .png: return PNGEncoder()
    case .gif: return GIFEncoder()
    case .webp: return try quality.map(EncodingFormat.webp(quality:))?.encoder ?? WebPEncoder()
    case .tiff: return TIFFEncoder()
    case .bmp: return BMPEncoder()
    case .ico: return EncodingFormat.ico.encoder
    case .pnm: return PNMEncoder()
    default: return nil
    }
  }
}
