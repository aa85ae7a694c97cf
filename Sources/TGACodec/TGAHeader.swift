// The header of 18 bytes, after Truevision's specification of 1989.

internal import ImageCoding

/// The header.
struct TGAHeader: Hashable, Sendable {
  static let byteCount = 18

  /// The colour model of the pixels.
  enum Model: Hashable, Sendable {
    case palette
    case color
    case gray
  }

  let model: Model
  let isRunLengthCoded: Bool
  let identifierByteCount: Int
  let hasColorMap: Bool
  let firstColorIndex: Int
  let colorCount: Int
  let colorBits: Int
  let width: Int
  let height: Int
  let bitsPerPixel: Int
  /// The number of bits of a pixel that are alpha.
  let alphaBits: Int
  let isTopDown: Bool
  let isRightToLeft: Bool
  let interleaving: UInt8

  /// Reads a header.
  ///
  /// - Throws: `CodecError.Kind.malformed` for values that the format does not have.
  init(parsing reader: inout ByteReader) throws(CodecError) {
    identifierByteCount = Int(try reader.readUInt8())
    let mapType = try reader.readUInt8()
    let type = try reader.readUInt8()
    firstColorIndex = Int(try reader.readUInt16LittleEndian())
    colorCount = Int(try reader.readUInt16LittleEndian())
    colorBits = Int(try reader.readUInt8())
    try reader.skip(4)
    width = Int(try reader.readUInt16LittleEndian())
    height = Int(try reader.readUInt16LittleEndian())
    bitsPerPixel = Int(try reader.readUInt8())
    let descriptor = try reader.readUInt8()
    guard mapType <= 1 else { throw reader.error(.malformed, "the colour map type \(mapType)") }
    hasColorMap = mapType == 1
    switch type & ~8 {
    case 1: model = .palette
    case 2: model = .color
    case 3: model = .gray
    default: throw reader.error(.malformed, "the image type \(type)")
    }
    isRunLengthCoded = type & 8 != 0
    alphaBits = Int(descriptor & 15)
    isRightToLeft = descriptor & 0x10 != 0
    isTopDown = descriptor & 0x20 != 0
    interleaving = descriptor >> 6
    guard width > 0, height > 0 else {
      throw reader.error(.malformed, "the image has \(width) × \(height) pixels")
    }
    guard isDepthValid else { throw reader.error(.malformed, "\(bitsPerPixel) bits per pixel") }
    if model == .palette {
      guard hasColorMap, colorCount > 0, [15, 16, 24, 32].contains(colorBits) else {
        throw reader.error(.malformed, "a colour map of \(colorCount) colours of \(colorBits) bits")
      }
    }
  }

  private var isDepthValid: Bool {
    switch model {
    case .palette: bitsPerPixel == 8 || bitsPerPixel == 16
    case .color: [15, 16, 24, 32].contains(bitsPerPixel)
    case .gray: bitsPerPixel == 8 || bitsPerPixel == 16
    }
  }

  /// Whether the values agree with each other as in files by known writers. The format has no signature.
  var isPlausible: Bool {
    guard interleaving == 0 else { return false }
    guard
      hasColorMap ? [15, 16, 24, 32].contains(colorBits) && colorCount > 0 : colorCount == 0 && firstColorIndex == 0
    else { return false }
    switch (model, bitsPerPixel) {
    case (.color, 24): return alphaBits == 0
    case (.color, 32): return alphaBits == 0 || alphaBits == 8
    case (.color, _): return alphaBits <= 1
    case (.gray, 16): return alphaBits == 8
    default: return alphaBits == 0 || alphaBits == 8
    }
  }

  /// The bytes of a stored pixel.
  var pixelByteCount: Int { (bitsPerPixel + 7) / 8 }
  /// The bytes of a colour in the map.
  var colorByteCount: Int { (colorBits + 7) / 8 }
  /// The offset of the pixels.
  var pixelOffset: Int {
    Self.byteCount + identifierByteCount + (hasColorMap ? colorCount * ((colorBits + 7) / 8) : 0)
  }

  /// The format of the decoded pixels.
  var format: PixelFormat {
    switch model {
    case .palette: colorBits == 32 ? .rgba8 : .rgb8
    case .color: bitsPerPixel == 32 && alphaBits > 0 ? .rgba8 : .rgb8
    case .gray: bitsPerPixel == 16 ? .grayAlpha8 : .gray8
    }
  }

  var info: ImageInfo {
    ImageInfo(
      type: TGADecoder.type, width: width, height: height,
      bitDepth: model == .color && bitsPerPixel < 24 ? 5 : 8,
      colorModel: model == .palette ? .palette : model == .gray ? .gray : .rgb, hasAlpha: format.hasAlpha,
      coding: isRunLengthCoded ? "run lengths" : "uncompressed")
  }
}
