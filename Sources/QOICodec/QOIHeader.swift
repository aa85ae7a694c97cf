// The header of 14 bytes.

internal import ImageCoding

/// The size and the meaning of the pixels.
struct QOIHeader: Hashable, Sendable {
  static let byteCount = 14

  let width: Int
  let height: Int
  let channelCount: UInt8
  let colorSpaceCode: UInt8

  init(parsing reader: inout ByteReader) throws(CodecError) {
    guard try reader.readUInt32BigEndian() == 0x716F_6966 else {
      throw reader.error(.malformed, "the QOI signature is damaged")
    }
    width = Int(clamping: try reader.readUInt32BigEndian())
    height = Int(clamping: try reader.readUInt32BigEndian())
    channelCount = try reader.readUInt8()
    colorSpaceCode = try reader.readUInt8()
    guard width > 0, height > 0 else {
      throw reader.error(.malformed, "the image has \(width) × \(height) pixels")
    }
  }

  /// The description of the header's defect, an error in strict decoding; `nil` if it is valid.
  var defect: String? {
    if channelCount != 3, channelCount != 4 { return "the image has \(channelCount) channels" }
    return colorSpaceCode > 1 ? "the colour space \(colorSpaceCode) is unknown" : nil
  }

  /// The format of the pixels.
  var format: PixelFormat { channelCount == 3 ? .rgb8 : .rgba8 }

  /// Code 0 is sRGB, with linear alpha; 1 is linear.
  var colorSpace: ColorSpace {
    switch colorSpaceCode {
    case 0: .sRGB
    case 1: .calibrated(gamma: 1, chromaticities: nil)
    default: .unspecified
    }
  }

  var info: ImageInfo {
    ImageInfo(
      type: QOIDecoder.type, width: width, height: height, bitDepth: 8, colorModel: .rgb, hasAlpha: format.hasAlpha,
      colorSpace: colorSpace)
  }
}
