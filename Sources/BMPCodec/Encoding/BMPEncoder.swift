// The public interface of encoding: file header, information header, palette, pixels, profile.

public import ImageCoding

/// Encodes BMP files without compression. The pixels are exact; samples of more than 8 bits are rounded.
public struct BMPEncoder: ImageFormatEncoder {
  /// The options of BMP encoding.
  public struct Options: Hashable, Sendable {
    /// The bits per pixel: 1, 4, 8, 24 or 32. `nil` selects the smallest depth that represents all pixels: a palette
    /// for up to 256 colours, 32 bits for images with transparency, otherwise 24.
    public var bitsPerPixel: Int?

    /// Creates options. By default the image determines the depth.
    public init(bitsPerPixel: Int? = nil) {
      self.bitsPerPixel = bitsPerPixel
    }
  }

  /// The options of encoding.
  public var options: Options

  /// Creates an encoder with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// `com.microsoft.bmp`.
  public var type: AssetType { BMPDecoder.type }

  /// Encodes a bitmap. Its orientation is applied to the pixels, premultiplied alpha is converted to straight alpha,
  /// CMYK to RGB.
  ///
  /// The density and the colour space are written: the bitmap's own, or that of `metadata` if it has none. BMP has no
  /// place for other metadata. Images with transparency, a profile or the mark of sRGB have a header of version 4 or 5,
  /// all others the header that every reader knows.
  ///
  /// The budget is charged for the output, for a turned copy unless the bitmap is upright, and row by row for work.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` for an empty bitmap, one of 4 GiB, or one that the selected depth
  ///   cannot represent; `CodecError.Kind.invalidArgument` for another depth; `CodecError.Kind.limitExceeded`,
  ///   `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try encodedFile(bitmap, metadata: metadata, budget: &budget)
  }

  /// The number of colours to write. Pillow takes images with a palette of black and white for bilevel ones, whatever
  /// their depth, unless there is a third colour.
  private static func paletteCount(_ colorCount: Int, depth: Int) -> Int {
    depth > 1 ? max(3, colorCount) : colorCount
  }

  private func depth(of census: ColorCensus) throws(CodecError) -> Int {
    let smallest =
      census.hasTransparency
      ? 32 : census.isComplete ? census.colors.count <= 2 ? 1 : census.colors.count <= 16 ? 4 : 8 : 24
    guard let requested = options.bitsPerPixel else { return smallest }
    guard [1, 4, 8, 24, 32].contains(requested) else {
      throw CodecError(.invalidArgument, "\(requested) bits per pixel are not 1, 4, 8, 24 or 32", format: type)
    }
    guard requested >= smallest else {
      throw failure(
        census.hasTransparency
          ? "an image of \(requested) bits per pixel cannot have transparent pixels"
          : "the image has more than \(1 << requested) colours")
    }
    return requested
  }

  private func failure(_ reason: String) -> CodecError {
    CodecError(.encodingFailed, reason, format: type)
  }
}

extension BMPEncoder: StreamingImageEncoder {
  /// The work of packing a pixel, with and without a palette.
  private static let workPerPixel = (indexed: 40, direct: 6)

  /// Encodes a bitmap and passes each row on.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard !bitmap.isEmpty, Int32(exactly: bitmap.width) != nil, Int32(exactly: bitmap.height) != nil else {
      throw failure("a BMP image cannot be \(bitmap.width) × \(bitmap.height) pixels")
    }
    try budget.requireWork(count: bitmap.width * bitmap.height, unitsEach: Self.workPerPixel.direct)
    let (source, turnedByteCount) = try bitmap.orientedUp(budget: &budget)
    var census = ColorCensus()
    try census.count(source, budget: &budget)
    let depth = try depth(of: census)
    let workPerPixel = depth <= 8 ? Self.workPerPixel.indexed : Self.workPerPixel.direct
    try budget.requireWork(count: source.width * source.height, unitsEach: workPerPixel)
    let header = HeaderWriter(source, metadata: metadata, depth: depth, hasAlpha: census.hasTransparency)
    let rowBits = Int64(source.width) * Int64(depth) + 31
    let pixelByteCount = rowBits / 32 * 4 * Int64(source.height)
    let paletteCount = depth > 8 ? 0 : Self.paletteCount(census.colors.count, depth: depth)
    guard
      let byteCount = Int(exactly: Int64(header.byteCount + paletteCount * 4) + pixelByteCount),
      UInt32(exactly: byteCount + header.profile.count) != nil
    else { throw failure("the file would exceed 4 GiB") }

    var writer = ByteWriter(.littleEndian)
    header.write(to: &writer, paletteCount: paletteCount, pixelByteCount: Int(pixelByteCount))
    for color in census.colors.prefix(paletteCount) { writer.append([color.blue, color.green, color.red, 0]) }
    writer.append([UInt8](repeating: 0, count: header.byteCount + paletteCount * 4 - writer.count))
    try output.reserve(byteCount + header.profile.count, budget: &budget)
    try output.append(writer.bytes, budget: &budget)
    // A row as samples, and packed.
    let stagingByteCount = try budget.allocate(count: source.width, bytesEach: 8)
    var rows = RowPacker(source.format, width: source.width, depth: depth, indices: census.indices)
    var row: [UInt8] = []
    for y in stride(from: source.height - 1, through: 0, by: -1) {
      try budget.chargeWork(count: source.width, unitsEach: workPerPixel)
      row.removeAll(keepingCapacity: true)
      rows.append(source.row(y), to: &row)
      try output.append(row, budget: &budget)
    }
    try output.append(header.profile, budget: &budget)
    budget.release(stagingByteCount + turnedByteCount)
  }
}
