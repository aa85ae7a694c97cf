// The public interface of the XBM module.

@_exported public import ImageCoding

/// Decodes X bitmaps: C source text with one bit per pixel, of X10 (`short`) and X11 (`char`). The natural format is
/// `gray8`; set bits are black, as drawn by X and by browsers that supported the format.
///
/// ``XBMHeader`` has the hot spot. Lenient decoding accepts missing values: rows without all of their values are zero.
/// Strict decoding throws an error.
public struct XBMDecoder: ImageFormatDecoder {
  /// `public.xbitmap-image`.
  public static let type: AssetType = "public.xbitmap-image"

  /// The work units for a character.
  private static let workPerCharacter = 12

  /// Creates a decoder. It has no options.
  public init() {}

  /// `public.xbitmap-image`.
  public var types: [AssetType] { [Self.type] }

  /// Looks for the definition of a width after comments.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    var scanner = TextScanner(prefix)
    scanner.skipWhitespace()
    switch scanner.peek {
    case UInt8(ascii: "#"), UInt8(ascii: "/"), nil: break
    default: return .no
    }
    switch scanner.findWidthDefinition() {
    case .no: return .no
    case .yes: return .yes(Self.type)
    case .undecided:
      if prefix.count >= TextScanner.maximumByteCount { return .no }
      return .needs(byteCount: min(prefix.count * 2 + 64, TextScanner.maximumByteCount))
    }
  }

  /// Reads the definitions of width and height.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try XBMHeader(parsing: bytes).info
  }
}

extension XBMDecoder: WholeFileDecoder {
  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let header = try XBMHeader(parsing: bytes)
    guard header.width > 0, header.height > 0 else {
      throw CodecError(
        .malformed, "the image has \(header.width) × \(header.height) pixels", format: Self.type, byteOffset: 0)
    }
    var output = try RowOutput(
      .gray8, size: PixelSize(width: header.width, height: header.height), byteOffset: 0, into: &bitmap, &context)
    guard var values = try BitValues(bytes, workPerCharacter: Self.workPerCharacter, budget: &context.budget) else {
      throw CodecError(.truncated, "there are no pixels", format: Self.type, byteOffset: bytes.count)
    }
    let valuesPerRow = (header.width + values.bitCount - 1) / values.bitCount
    try context.budget.allocate(count: valuesPerRow, bytesEach: 2)
    var row = [UInt16](repeating: 0, count: valuesPerRow)
    while !output.isComplete {
      let start = values.position
      var count = 0
      while count < valuesPerRow, let value = values.next() {
        row[count] = value
        count += 1
      }
      try context.budget.chargeWork(
        count: values.position - start + header.width, unitsEach: Self.workPerCharacter, byteOffset: start)
      guard count == valuesPerRow else {
        try output.endEarly(&bitmap, at: values.position, &context)
        break
      }
      try output.write(into: &bitmap, &context) { pixels in
        // The leftmost pixel is in the lowest bit.
        let (shift, mask) = values.bitCount == 16 ? (4, 15) : (3, 7)
        for x in 0..<header.width {
          pixels[x] = row[x &>> shift] &>> UInt16(x & mask) & 1 == 0 ? 255 : 0
        }
      }
    }
    return DecodingDetails(info: header.info, isComplete: !output.isTruncated)
  }
}
