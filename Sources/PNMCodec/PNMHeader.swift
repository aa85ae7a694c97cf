// The text headers of Netpbm's formats: pbm(5), pgm(5), ppm(5), pam(5), and of PFM.

internal import ImageCoding

/// The size, the samples and the position of the pixels.
struct PNMHeader: Hashable, Sendable {
  /// The coding of samples.
  enum Coding: Hashable, Sendable {
    /// Decimal numbers.
    case plain
    /// Bits, the leftmost pixel in the highest bit of a byte; rows are padded to bytes.
    case bits
    /// Bytes, or 16-bit integers, big-endian.
    case integers
    /// 32-bit floating-point numbers, with rows from bottom to top.
    case floats(isLittleEndian: Bool)
  }

  /// The second byte of the file: 1…7, F or f.
  let kind: UInt8
  let width: Int
  let height: Int
  /// The number of stored samples of a pixel.
  let sampleCount: Int
  /// The value of a full sample.
  let maximum: Int
  let coding: Coding
  /// The format of the decoded pixels.
  let format: PixelFormat
  /// Whether a sample of zero is white, as in PBM files.
  let isInverted: Bool
  /// The offset of the pixels.
  let pixelOffset: Int

  /// The largest part of a file that is searched for a header.
  static let maximumByteCount = 64 << 10

  /// Reads a header.
  ///
  /// - Throws: `CodecError.Kind.truncated` if it is incomplete.
  init(parsing bytes: Span<UInt8>) throws(CodecError) {
    var scanner = HeaderScanner(bytes)
    guard bytes.count >= 2 else { throw scanner.truncated() }
    guard bytes[0] == UInt8(ascii: "P") else { throw scanner.error("the signature is damaged") }
    kind = bytes[1]
    scanner.skipSignature()
    switch kind {
    case UInt8(ascii: "1")...UInt8(ascii: "6"):
      width = try scanner.number("width")
      height = try scanner.number("height")
      let isBitmap = kind == UInt8(ascii: "1") || kind == UInt8(ascii: "4")
      maximum = isBitmap ? 1 : try scanner.number("maximum")
      // A single character separates the header from the pixels.
      try scanner.skipSeparator()
      let isColor = kind == UInt8(ascii: "3") || kind == UInt8(ascii: "6")
      sampleCount = isColor ? 3 : 1
      isInverted = isBitmap
      coding = kind < UInt8(ascii: "4") ? .plain : isBitmap ? .bits : .integers
      format = Self.format(sampleCount: sampleCount, hasAlpha: false, maximum: maximum)
    case UInt8(ascii: "7"):
      let fields = try scanner.arbitraryMapFields()
      (width, height, maximum, sampleCount) = (fields.width, fields.height, fields.maximum, fields.depth)
      (isInverted, coding) = (false, .integers)
      guard (1...4).contains(sampleCount) else {
        throw scanner.error("a depth of \(sampleCount) samples", .unsupported)
      }
      format = Self.format(sampleCount: sampleCount, hasAlpha: sampleCount % 2 == 0, maximum: maximum)
    case UInt8(ascii: "F"), UInt8(ascii: "f"):
      width = try scanner.number("width")
      height = try scanner.number("height")
      let isLittleEndian = try scanner.isScaleNegative()
      try scanner.skipSeparator()
      sampleCount = kind == UInt8(ascii: "F") ? 3 : 1
      (isInverted, maximum, coding) = (false, 1, .floats(isLittleEndian: isLittleEndian))
      format = PixelFormat(sampleCount == 3 ? .rgb : .gray, sampleType: .float32)
    default: throw scanner.error("the signature is damaged")
    }
    guard width > 0, height > 0 else { throw scanner.error("the image has \(width) × \(height) pixels") }
    guard (1...65535).contains(maximum) else { throw scanner.error("a maximum of \(maximum)") }
    pixelOffset = scanner.position
  }

  private static func format(sampleCount: Int, hasAlpha: Bool, maximum: Int) -> PixelFormat {
    PixelFormat(
      sampleCount < 3 ? .gray : .rgb, alpha: hasAlpha ? .straight : .none, sampleType: maximum > 255 ? .uint16 : .uint8)
  }

  /// The bytes of a stored row; `nil` if rows are decimal numbers or the count overflows.
  var rowByteCount: Int? {
    switch coding {
    case .plain: return nil
    case .bits: return width / 8 + (width % 8 == 0 ? 0 : 1)
    case .integers, .floats:
      let (count, overflow) = width.multipliedReportingOverflow(by: sampleCount * bytesPerSample)
      return overflow ? nil : count
    }
  }

  /// The bytes of a stored sample.
  var bytesPerSample: Int {
    if case .floats = coding { return 4 }
    return maximum > 255 ? 2 : 1
  }

  /// The number of significant bits, if samples have 9 to 15 of them.
  var significantBits: Int? {
    guard maximum > 255, maximum < 65535, maximum & (maximum + 1) == 0 else { return nil }
    return (maximum + 1).trailingZeroBitCount
  }

  var info: ImageInfo {
    let bitDepth =
      if case .floats = coding { 32 } else { Int.bitWidth - maximum.leadingZeroBitCount }
    return ImageInfo(
      type: PNMDecoder.type, width: width, height: height, bitDepth: bitDepth,
      colorModel: sampleCount < 3 ? .gray : .rgb, hasAlpha: format.hasAlpha,
      coding: "P" + String(decoding: [kind], as: UTF8.self))
  }
}
