// The public interface of encoding: file header, information header, palette, pixels, profile.

public import ImageCore

/// Encodes BMP files without compression. The pixels are exact; samples of more than 8 bits are rounded.
public struct BMPEncoder: ImageFormatEncoder {
  /// How images are encoded.
  public struct Options: Hashable, Sendable {
    /// The bits per pixel: 1, 4, 8, 24 or 32. `nil` selects the smallest depth that represents all pixels: a palette for
    /// up to 256 colours, 32 bits for images with transparency, otherwise 24.
    public var bitsPerPixel: Int?

    /// Creates options. By default the image determines the depth.
    public init(bitsPerPixel: Int? = nil) {
      self.bitsPerPixel = bitsPerPixel
    }
  }

  /// How images are encoded.
  public var options: Options

  /// Creates an encoder with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// `com.microsoft.bmp`.
  public var type: AssetType { BMPDecoder.type }

  /// Encodes a bitmap. Its orientation is applied to the pixels, premultiplied alpha is converted to straight alpha, CMYK
  /// to RGB.
  ///
  /// The density and the ICC profile are written, from `metadata` or else from the bitmap's colour space. BMP has no place
  /// for other metadata. Images with transparency, a profile or the mark of sRGB have a header of version 4 or 5, all
  /// others the header that every reader knows.
  /// - Throws: ``CodecError/Kind/encodingFailed`` for an empty bitmap, one of 4 GiB, or one that the selected depth cannot
  ///   represent; ``CodecError/Kind/invalidArgument`` for another depth.
  public func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(.unlimited, format: type)
    return try encode(bitmap, metadata: metadata, budget: &budget)
  }

  /// Encodes a bitmap within a budget, which is charged for the output, and row by row for work.
  ///
  /// - Throws: the errors of ``encode(_:metadata:)``, and ``CodecError/Kind/limitExceeded``,
  ///   ``CodecError/Kind/cancelled`` or ``CodecError/Kind/deadlineExceeded``.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let source = bitmap.orientation == .up ? bitmap : bitmap.orientedUp()
    guard !source.isEmpty, Int32(exactly: source.width) != nil, Int32(exactly: source.height) != nil else {
      throw failure("a BMP image cannot be \(source.width) × \(source.height) pixels")
    }
    var census = ColorCensus()
    try census.count(source, budget: &budget)
    let depth = try depth(of: census)
    let header = HeaderWriter(source, metadata: metadata, depth: depth, hasAlpha: census.hasTransparency)
    let rowBits = Int64(source.width) * Int64(depth) + 31
    let pixelByteCount = rowBits / 32 * 4 * Int64(source.height)
    let paletteCount = depth > 8 ? 0 : Self.paletteCount(census.colors.count, depth: depth)
    let paletteByteCount = paletteCount * 4
    guard
      let byteCount = Int(exactly: Int64(header.byteCount + paletteByteCount) + pixelByteCount),
      UInt32(exactly: byteCount + header.profile.count) != nil
    else { throw failure("the file would exceed 4 GiB") }
    try budget.allocate(byteCount + header.profile.count)

    var writer = ByteWriter(.littleEndian)
    header.write(
      to: &writer, paletteCount: paletteCount, pixelByteCount: Int(pixelByteCount))
    var bytes = writer.bytes
    if depth <= 8 { for color in census.colors { bytes += [color.blue, color.green, color.red, 0] } }
    bytes += [UInt8](repeating: 0, count: max(0, writer.bytes.count + paletteByteCount - bytes.count))
    var rows = RowPacker(source.format, width: source.width, depth: depth, indices: census.indices)
    for y in stride(from: source.height - 1, through: 0, by: -1) {
      try budget.chargeWork(count: source.width, unitsEach: depth <= 8 ? 40 : 6)
      rows.append(source.row(y), to: &bytes)
    }
    return bytes + header.profile
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
