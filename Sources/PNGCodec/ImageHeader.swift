// IHDR, PNG section 11.2.1: the size of the image and the layout of its samples.

internal import ImageCoding

/// The image header. Values are valid by construction.
package struct ImageHeader: Hashable, Sendable {
  /// The components of a pixel. The raw values are those of the file.
  package enum ColorType: UInt8, Sendable {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    /// The number of samples per pixel; a palette index counts as one.
    var sampleCount: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    func allows(bitDepth: Int) -> Bool {
      switch self {
      case .gray: [1, 2, 4, 8, 16].contains(bitDepth)
      case .palette: [1, 2, 4, 8].contains(bitDepth)
      case .grayAlpha, .rgb, .rgba: bitDepth == 8 || bitDepth == 16
      }
    }
  }

  package static let byteCount = 13

  package var width: Int
  package var height: Int
  package let bitDepth: Int
  package let colorType: ColorType
  package let isInterlaced: Bool

  package init(width: Int, height: Int, bitDepth: Int, colorType: ColorType, isInterlaced: Bool) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.colorType = colorType
    self.isInterlaced = isInterlaced
  }

  init(parsing reader: inout ByteReader) throws(CodecError) {
    guard reader.remaining == Self.byteCount else { throw reader.error(.malformed, "IHDR is not 13 bytes long") }
    let width = try reader.readUInt32BigEndian()
    let height = try reader.readUInt32BigEndian()
    guard width > 0, height > 0, width <= 0x7FFF_FFFF, height <= 0x7FFF_FFFF else {
      throw reader.error(.malformed, "IHDR has a size of \(width) × \(height)")
    }
    // A pixel has at most 64 bits in the file and in memory. Where Int has 32 bits, it must hold the bytes of some rows.
    guard width <= Int.max / 32 else {
      throw reader.error(.limitExceeded, "rows of \(width) pixels are too long for this platform")
    }
    let bitDepth = Int(try reader.readUInt8())
    let colorTypeCode = try reader.readUInt8()
    guard let colorType = ColorType(rawValue: colorTypeCode), colorType.allows(bitDepth: bitDepth) else {
      throw reader.error(.malformed, "IHDR combines colour type \(colorTypeCode) with a depth of \(bitDepth) bits")
    }
    guard try reader.readUInt8() == 0 else { throw reader.error(.malformed, "the compression method is unknown") }
    guard try reader.readUInt8() == 0 else { throw reader.error(.malformed, "the filter method is unknown") }
    let interlaceMethod = try reader.readUInt8()
    guard interlaceMethod <= 1 else { throw reader.error(.malformed, "the interlace method is unknown") }
    self.init(
      width: Int(width), height: Int(height), bitDepth: bitDepth, colorType: colorType,
      isInterlaced: interlaceMethod == 1)
  }

  /// The number of bits per pixel: 1…64.
  package var bitsPerPixel: Int { bitDepth * colorType.sampleCount }
  /// The distance in bytes to the left neighbour used by filters: the bytes per pixel, at least 1.
  package var filterDistance: Int { max(1, bitsPerPixel / 8) }

  /// The number of bytes in a row of `width` pixels, without its filter byte.
  package func rowByteCount(width: Int) -> Int { width / 8 * bitsPerPixel + (width % 8 * bitsPerPixel + 7) / 8 }

  /// The header of a frame with the same layout but another size.
  package func resized(to size: PixelSize) -> ImageHeader {
    var header = self
    header.width = size.width
    header.height = size.height
    return header
  }
}
