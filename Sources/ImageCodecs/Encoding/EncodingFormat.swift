// What `encoded(as:)` takes: a format together with its options.

/// A format to encode to, with its options. A codec outside of this package adds its own in an extension.
public struct EncodingFormat: Sendable {
  /// Writes the format.
  public let encoder: any ImageFormatEncoder

  /// The format that an encoder writes.
  public init(_ encoder: any ImageFormatEncoder) {
    self.encoder = encoder
  }

  /// PNG with default options.
  public static var png: EncodingFormat { EncodingFormat(PNGEncoder()) }

  /// PNG.
  public static func png(_ options: PNGEncoder.Options) -> EncodingFormat {
    EncodingFormat(PNGEncoder(options: options))
  }

  /// GIF with default options.
  public static var gif: EncodingFormat { EncodingFormat(GIFEncoder()) }

  /// GIF.
  public static func gif(_ options: GIFEncoder.Options) -> EncodingFormat {
    EncodingFormat(GIFEncoder(options: options))
  }

  /// The format's type.
  public var type: AssetType { encoder.type }

  /// The built-in format of a type; `nil` when there is no encoder for it.
  ///
  /// - Parameter quality: 0…1, for the formats that lose something.
  public init?(type: AssetType, quality: Double = 0.8) {
    switch type {
    case .png: self = .png
    case .gif: self = .gif
    default: return nil
    }
  }
}

extension Bitmap {
  /// Encodes the image.
  ///
  /// - Parameter metadata: what to carry along; `nil` for none.
  /// - Throws: ``DecodeError/Kind/encodingFailed`` when the format cannot hold the image.
  public func encoded(as format: EncodingFormat, metadata: ImageMetadata? = nil) throws(DecodeError) -> [UInt8] {
    try format.encoder.encode(self, metadata: metadata)
  }
}
