// The first bytes of files of every format, put together by hand from the formats' specifications.

package enum SampleFiles {
  package static func big32(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }
  package static func little16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
  package static func little32(_ value: UInt32) -> [UInt8] { big32(value).reversed() }

  package static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    big32(UInt32(payload.count + 8)) + Array(type.utf8) + payload
  }
  package static func fileType(_ major: String, _ compatible: [String] = []) -> [UInt8] {
    box("ftyp", Array(major.utf8) + [0, 0, 0, 0] + compatible.flatMap { Array($0.utf8) })
  }

  /// SOI, an APP1 segment with EXIF orientation 6, a frame header of 300 × 200.
  package static func jpeg(marker: UInt8) -> [UInt8] {
    let exif: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let app1: [UInt8] = Array("Exif".utf8) + [0, 0] + exif
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(app1.count + 2)] + app1
      + [0xFF, 0xFF, marker, 0, 17, 8, 0, 200, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
  }

  /// A canvas of 5 × 3, one interlaced and one other frame, 70 ms and 30 ms, to be played three times.
  package static var gif: [UInt8] {
    let frame: [UInt8] = [0, 0, 0, 0, 5, 0, 3, 0]
    return Array("GIF89a".utf8) + [5, 0, 3, 0, 0x91, 0, 0] + [UInt8](repeating: 0, count: 12)
      + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 3, 0, 0]
      + [0x21, 0xF9, 4, 1, 7, 0, 0, 0, 0x2C] + frame + [0x40, 2, 1, 0, 0]
      + [0x21, 0xF9, 4, 0, 3, 0, 0, 0, 0x2C] + frame + [0, 2, 1, 0, 0, 0x3B]
  }

  package static func riff(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little32(UInt32(chunks.count + 4)) + Array("WEBP".utf8) + chunks
  }
  package static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    Array(type.utf8) + little32(UInt32(payload.count)) + payload + (payload.count % 2 == 1 ? [0] : [])
  }
  package static var webPLossy: [UInt8] {
    riff(chunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little16(300 | 1 << 14) + little16(200) + [0, 0]))
  }
  package static var webPLossless: [UInt8] {
    riff(chunk("VP8L", [0x2F] + little32(299 | 199 << 14 | 1 << 28) + [0]))
  }
  package static var webPAnimated: [UInt8] {
    let frame = [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0]
    return riff(
      chunk("VP8X", [0x12, 0, 0, 0, 43, 1, 0, 199, 0, 0]) + chunk("ANIM", [0, 0, 0, 0, 2, 0])
        + chunk("ANMF", frame) + chunk("ANMF", frame + [1]))
  }

  package static func bmp(headerByteCount: UInt32, height: Int32 = 200) -> [UInt8] {
    let sizes: [UInt8] =
      headerByteCount == 12
      ? little16(300) + little16(200) + little16(1) + little16(24)
      : little32(300) + little32(UInt32(bitPattern: height)) + little16(1) + little16(32) + little32(3)
        + [UInt8](repeating: 0, count: 32) + little32(0xFF00_0000) + [UInt8](repeating: 0, count: 68)
    return Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + little32(headerByteCount) + sizes
  }

  /// Entries of 16 × 16 and 256 × 256; the second one is a PNG of 512 × 300, which its directory cannot say.
  package static var ico: [UInt8] {
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big32(13) + Array("IHDR".utf8) + big32(512) + big32(300)
    return [0, 0, 1, 0, 2, 0]
      + [16, 16, 0, 0, 1, 0, 32, 0] + little32(0) + little32(900)
      + [0, 0, 0, 0, 1, 0, 32, 0] + little32(UInt32(png.count)) + little32(38) + png
  }

  /// An icon of 32 × 32 pixels that are black or white.
  package static var icns: [UInt8] {
    Array("icns".utf8) + big32(144) + Array("ICON".utf8) + big32(136) + (0..<128).map { UInt8($0 * 5 & 255) }
  }

  package static func tiff(isBigEndian: Bool, isBig: Bool) -> [UInt8] {
    func integer(_ value: Int, _ byteCount: Int) -> [UInt8] {
      let big = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - $0))) }
      return isBigEndian ? big : big.reversed()
    }
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      integer(tag, 2) + integer(3, 2) + integer(1, isBig ? 8 : 4) + integer(value, 2)
        + [UInt8](repeating: 0, count: isBig ? 6 : 2)
    }
    let header: [UInt8] =
      isBig ? integer(43, 2) + integer(8, 2) + integer(0, 2) + integer(16, 8) : integer(42, 2) + integer(8, 4)
    return Array((isBigEndian ? "MM" : "II").utf8) + header + integer(4, isBig ? 8 : 2)
      + entry(256, 300) + entry(257, 200) + entry(262, 2) + entry(274, 8)
  }

  /// Primary item 2, of 300 × 200, to be turned by 90° counter-clockwise; item 1 is smaller.
  package static func heif(_ major: String, _ compatible: [String]) -> [UInt8] {
    let spatialExtent = { (width: UInt32, height: UInt32) in
      box("ispe", [0, 0, 0, 0] + big32(width) + big32(height))
    }
    let properties = box(
      "iprp",
      box(
        "ipco",
        spatialExtent(30, 20) + spatialExtent(300, 200) + box("irot", [1]) + box("pixi", [0, 0, 0, 0, 3, 10, 10, 10]))
        + box("ipma", [0, 0, 0, 0] + big32(2) + [0, 1, 1, 1] + [0, 2, 3, 0x82, 0x83, 4]))
    let items = box(
      "iinf", [0, 0, 0, 0, 0, 1] + box("infe", [2, 0, 0, 0, 0, 2, 0, 0] + Array("av01".utf8) + [0]))
    return fileType(major, compatible)
      + box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 2]) + items + properties)
  }

  package static var jpeg2000: [UInt8] { jpeg2000(colorSpace: 17) }
  /// The headers of a file with an enumerated colour space, and those of its codestream.
  package static func jpeg2000(colorSpace: UInt32) -> [UInt8] {
    [0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10] + fileType("jp2 ")
      + box(
        "jp2h",
        box("ihdr", big32(200) + big32(300) + [0, 1, 7, 7, 0, 0]) + box("colr", [1, 0, 0] + big32(colorSpace)))
      + box("jp2c", jpeg2000Codestream)
  }
  /// SIZ with an offset of the image, COD, QCD, and the first tile-part without packets.
  package static var jpeg2000Codestream: [UInt8] {
    [0xFF, 0x4F, 0xFF, 0x51, 0, 41, 0, 0] + big32(310) + big32(205) + big32(10) + big32(5)
      + big32(310) + big32(205) + big32(0) + big32(0) + [0, 1, 7, 1, 1]
      + [0xFF, 0x52, 0, 12, 0, 0, 0, 1, 0, 0, 4, 4, 0, 1, 0xFF, 0x5C, 0, 4, 0x40, 0x40]
      + [0xFF, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0x93]
  }

  /// Not small, height 200 in 9 bits, ratio 0, width 300 in 9 bits, and the defaults of all that follows.
  package static var jpegXL: [UInt8] {
    let bits = 0 | 0 << 1 | 199 << 3 | 0 << 12 | 0 << 15 | 299 << 17 | 3 << 26
    return [0xFF, 0x0A] + little32(UInt32(bits))
  }
  package static var jpegXLContainer: [UInt8] {
    [0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10] + fileType("jxl ") + box("jxlc", jpegXL)
  }

  package static var xbm: [UInt8] {
    Array("/* a comment */\n#define my_icon_width 300\n#define my_icon_height 200\nstatic char bits[] = {".utf8)
  }
}

extension SampleFiles {
  /// A lossless WebP of one black pixel: five prefix codes of one symbol each.
  package static var webPPixel: [UInt8] {
    riff(chunk("VP8L", [0x2F, 0, 0, 0, 0, 0x88, 0x88, 0x08]))
  }
}
