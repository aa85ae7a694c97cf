// The argument of `encoded(as:)`: a format together with its options.

/// A format to encode to, with its options. A codec outside of this package adds its own in an extension.
public struct EncodingFormat: Sendable {
  /// The encoder, with its options.
  public let encoder: any ImageFormatEncoder

  /// The format that an encoder writes.
  public init(_ encoder: any ImageFormatEncoder) {
    self.encoder = encoder
  }

  /// PNG with default options.
  public static var png: EncodingFormat { EncodingFormat(PNGEncoder()) }

  /// PNG with the given compression, filters and interlacing.
  public static func png(_ options: PNGEncoder.Options) -> EncodingFormat {
    EncodingFormat(PNGEncoder(options: options))
  }

  /// JPEG with default options.
  public static var jpeg: EncodingFormat { EncodingFormat(JPEGEncoder()) }

  /// JPEG with the given quality, subsampling and scan structure.
  public static func jpeg(_ options: JPEGEncoder.Options) -> EncodingFormat {
    EncodingFormat(JPEGEncoder(options: options))
  }

  /// JPEG of a quality of 0…1.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` for other numbers.
  public static func jpeg(quality: Double) throws(CodecError) -> EncodingFormat {
    .jpeg(JPEGEncoder.Options(quality: try JPEGEncoder.Options.quality(fraction: quality)))
  }

  /// GIF with default options.
  public static var gif: EncodingFormat { EncodingFormat(GIFEncoder()) }

  /// GIF with the given palette size, dithering and interlacing.
  public static func gif(_ options: GIFEncoder.Options) -> EncodingFormat {
    EncodingFormat(GIFEncoder(options: options))
  }

  /// WebP with default options: lossy.
  public static var webp: EncodingFormat { EncodingFormat(WebPEncoder()) }

  /// WebP with the given coding, quality and effort.
  public static func webp(_ options: WebPEncoder.Options) -> EncodingFormat {
    EncodingFormat(WebPEncoder(options: options))
  }

  /// Lossy WebP of a quality of 0…1.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` for other numbers.
  public static func webp(quality: Double) throws(CodecError) -> EncodingFormat {
    .webp(WebPEncoder.Options(quality: try WebPEncoder.Options.quality(fraction: quality)))
  }

  /// TIFF with default options.
  public static var tiff: EncodingFormat { EncodingFormat(TIFFEncoder()) }

  /// TIFF with the given compression, prediction and layout.
  public static func tiff(_ options: TIFFEncoder.Options) -> EncodingFormat {
    EncodingFormat(TIFFEncoder(options: options))
  }

  /// BMP of the smallest depth that represents the image.
  public static var bmp: EncodingFormat { EncodingFormat(BMPEncoder()) }

  /// BMP of a stated depth.
  public static func bmp(_ options: BMPEncoder.Options) -> EncodingFormat {
    EncodingFormat(BMPEncoder(options: options))
  }

  /// An icon of the usual sizes, the largest as PNG.
  public static var ico: EncodingFormat { .ico(IconEncoder.Options()) }

  /// An icon or a cursor of stated sizes.
  public static func ico(_ options: IconEncoder.Options) -> EncodingFormat {
    EncodingFormat(IconEncoder(options: options, pngEncoder: PNGEncoder()))
  }

  /// A Netpbm format, by default the one that the image needs.
  public static func pnm(_ options: PNMEncoder.Options = PNMEncoder.Options()) -> EncodingFormat {
    EncodingFormat(PNMEncoder(options: options))
  }

  /// The type of the files that the encoder writes.
  public var type: AssetType { encoder.type }

  /// The types that the library itself encodes.
  public static let types: Set<AssetType> = [.jpeg, .png, .gif, .webp, .tiff, .bmp, .ico, .pnm]

  /// The format of a type; `nil` when there is no encoder for it.
  ///
  /// - Parameters:
  ///   - type: the type to encode to.
  ///   - quality: 0…1, for the formats that lose something; `nil` selects the default of the encoder's options.
  ///   - formats: the registry whose encoders are considered.
  /// - Throws: `CodecError.Kind.invalidArgument` for other qualities of such a format.
  public init?(
    type: AssetType, quality: Double? = nil, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    guard let encoder = try formats.encoder(of: type, quality: quality) else { return nil }
    self.init(encoder)
  }

  /// Selects the built-in format for a file name extension, such as `"jpg"`, with default options.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if the extension has no encoder.
  public init(filenameExtension: String) throws(CodecError) {
    let type = AssetType(filenameExtension: filenameExtension)
    guard let type, let format = try EncodingFormat(type: type) else {
      throw CodecError(
        .unsupported, "there is no encoder for the file name extension '\(filenameExtension)'", format: type)
    }
    self = format
  }
}

extension Bitmap {
  /// Encodes the image.
  ///
  /// - Parameters:
  ///   - format: the format to encode to, with its options.
  ///   - metadata: what to carry along; `nil` for none.
  ///   - limits: what the encoding may cost: the memory of buffers and output, without the image itself, work and time.
  ///     `DecodingLimits.maximumEncodingWorkPerByte` applies to the bytes of the image. `nil` means limits in
  ///     proportion to the number of pixels, so that every image of an ordinary size can be encoded.
  ///   - shouldCancel: called again and again while rows are encoded; once it returns `true`, the encoding ends.
  /// - Throws: `CodecError.Kind.encodingFailed` when the format cannot hold the image, `CodecError.Kind.cancelled`,
  ///   `CodecError.Kind.limitExceeded` or `CodecError.Kind.deadlineExceeded`.
  public func encoded(
    as format: EncodingFormat, metadata: ImageMetadata? = nil, limits: DecodingLimits? = nil,
    shouldCancel: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) -> [UInt8] {
    guard let limits else {
      var budget = ResourceBudget(encoding: [pixelSize], format: format.type, shouldCancel: shouldCancel)
      return try format.encoder.encode(self, metadata: metadata, budget: &budget)
    }
    var budget = ResourceBudget(limits, format: format.type, shouldCancel: shouldCancel)
    budget.allowWork(forPixelCount: width * height)
    budget.allowEncoding(ofByteCount: byteCount)
    return try budget.encoding { (budget) throws(CodecError) in
      try format.encoder.encode(self, metadata: metadata, budget: &budget)
    }
  }
}
