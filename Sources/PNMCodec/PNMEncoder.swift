// The public interface of encoding in the PNM module.

public import ImageCoding

/// Encodes Netpbm's formats. Samples have 8 bits, or 16 if those of the bitmap have more.
public struct PNMEncoder: ImageFormatEncoder {
  /// One of the formats.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// One bit per pixel; gray levels below one half are black.
    case pbm
    /// Gray levels.
    case pgm
    /// Red, green, blue.
    case ppm
    /// The samples of the bitmap: gray or colour, with alpha if it has any.
    case pam
  }

  /// The options of PNM encoding.
  public struct Options: Hashable, Sendable {
    /// The format to write; `nil` selects PGM or PPM for opaque bitmaps, and PAM for others.
    public var kind: Kind?
    /// Whether samples are written as decimal numbers. PAM has no such variant.
    public var isPlain: Bool

    /// Creates options. The defaults are binary samples in the format that the bitmap needs.
    public init(kind: Kind? = nil, isPlain: Bool = false) {
      self.kind = kind
      self.isPlain = isPlain
    }
  }

  /// The options of encoding.
  public var options: Options

  /// Creates an encoder with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// `public.pbm`.
  public var type: AssetType { PNMDecoder.type }

  /// Encodes a bitmap. Its orientation is applied to the pixels. Except in PAM, alpha is dropped, not blended. CMYK is
  /// converted to RGB. There is no place for metadata.
  ///
  /// The budget is charged for the output, for a turned copy unless the bitmap is upright, and row by row for work.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` for an empty bitmap, `CodecError.Kind.invalidArgument` for plain
  ///   PAM; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try encodedFile(bitmap, metadata: metadata, budget: &budget)
  }
}

extension PNMEncoder: StreamingImageEncoder {
  /// Encodes a bitmap and passes each row on.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard !bitmap.isEmpty else {
      throw CodecError(
        .encodingFailed, "a Netpbm image cannot be \(bitmap.width) × \(bitmap.height) pixels", format: type)
    }
    let hasColor = bitmap.format.colorModel != .gray
    let kind = options.kind ?? (bitmap.format.hasAlpha ? .pam : hasColor ? .ppm : .pgm)
    guard kind != .pam || !options.isPlain else {
      throw CodecError(.invalidArgument, "PAM has no plain variant", format: type)
    }
    let model: PixelFormat.ColorModel = kind == .ppm || (kind == .pam && hasColor) ? .rgb : .gray
    let format = PixelFormat(
      model, alpha: kind == .pam && bitmap.format.hasAlpha ? .straight : .none,
      sampleType: bitmap.format.sampleType == .uint8 || kind == .pbm ? .uint8 : .uint16)
    let (source, turnedByteCount) = try bitmap.orientedUp(budget: &budget)
    let writer = PixelWriter(kind: kind, isPlain: options.isPlain, format: format, size: source.pixelSize)
    try writer.requireWork(from: budget)
    if !options.isPlain { try output.reserve(writer.byteCount, budget: &budget) }
    try output.append(writer.header, budget: &budget)
    var converter = PixelRowConverter(from: source.format, to: format)
    let stagingByteCount = try budget.allocate(count: source.width, bytesEach: format.bytesPerPixel + 64)
    var row = [UInt8](repeating: 0, count: source.width * format.bytesPerPixel)
    for y in 0..<source.height {
      try budget.chargeWork(writer.workPerRow)
      var span = row.mutableSpan
      converter.convert(source.row(y), into: &span)
      try output.append(writer.bytes(of: row.span), budget: &budget)
    }
    budget.release(stagingByteCount + turnedByteCount)
  }
}
