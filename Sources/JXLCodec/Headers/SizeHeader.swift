// The size of the image, and that of its preview (ISO/IEC 18181-1, A.3).

internal import ImageCoding

extension PixelSize {
  /// The maximum of either dimension, of level 10.
  static let maximumJXLDimension = 1 << 30

  /// Reads `SizeHeader`.
  init(parsingSize bits: inout BitReader) throws(CodecError) {
    let isSmall = try bits.readFlag()
    let height = try Self.readDimension(&bits, isSmall)
    let ratio = try bits.readInt(3)
    let width = ratio == 0 ? try Self.readDimension(&bits, isSmall) : try Self.width(height, ratio, bits)
    self.init(width: width, height: height)
  }

  private static func readDimension(_ bits: inout BitReader, _ isSmall: Bool) throws(CodecError) -> Int {
    if isSmall { return 8 * (1 + (try bits.readInt(5))) }
    return 1 + (try bits.readInt(.bits(9), .bits(13), .bits(18), .bits(30)))
  }

  /// Reads `PreviewHeader`.
  init(parsingPreviewSize bits: inout BitReader) throws(CodecError) {
    let isSmall = try bits.readFlag()
    let height = try Self.readPreviewDimension(&bits, isSmall)
    let ratio = try bits.readInt(3)
    let width = ratio == 0 ? try Self.readPreviewDimension(&bits, isSmall) : try Self.width(height, ratio, bits)
    guard max(width, height) <= 4096 else { throw bits.error(.malformed, "the preview is larger than 4096 pixels") }
    self.init(width: width, height: height)
  }

  private static func readPreviewDimension(_ bits: inout BitReader, _ isSmall: Bool) throws(CodecError) -> Int {
    if isSmall {
      return 8 * (try bits.readInt(.value(16), .value(32), .bits(5, offset: 1), .bits(9, offset: 33)))
    }
    return try bits.readInt(
      .bits(6, offset: 1), .bits(8, offset: 65), .bits(10, offset: 321), .bits(12, offset: 1345))
  }

  /// The ratios 1…7 of width to height.
  private static func width(
    _ height: Int, _ ratio: Int, _ bits: borrowing BitReader
  ) throws(CodecError) -> Int {
    let (numerator, denominator): (UInt64, UInt64) =
      switch ratio {
      case 1: (1, 1)
      case 2: (12, 10)
      case 3: (4, 3)
      case 4: (3, 2)
      case 5: (16, 9)
      case 6: (5, 4)
      default: (2, 1)
      }
    let width = UInt64(height) * numerator / denominator
    guard width <= UInt64(maximumJXLDimension) else { throw bits.error(.malformed, "the image is too wide") }
    return Int(width)
  }
}
