import BMPCodec
import ImageCoding
import JPEGCodec
import PNGCodec
import TestSupport
import Testing

private func decode(
  _ bytes: [UInt8], _ tolerance: DecodingOptions.Tolerance = .strict, _ decoder: BMPDecoder = BMPDecoder()
) throws -> DecodedImage {
  try decoder.decode(bytes, options: DecodingOptions(tolerance: tolerance))
}

private func rgba(_ image: DecodedImage) throws -> [UInt8] { try image.bitmap.converted(to: .rgba8).packedPixels }

private func error(_ bytes: [UInt8], _ tolerance: DecodingOptions.Tolerance = .strict) -> CodecError? {
  do throws(CodecError) {
    _ = try BMPDecoder().decode(bytes.span, options: DecodingOptions(tolerance: tolerance))
    return nil
  } catch { return error }
}

@Suite struct PixelTests {
  @Test(arguments: [1, 2, 4, 8]) func palettes(_ bits: Int) throws {
    for width in [1, 3, 7, 8, 9, 32, 33] {
      for headerByteCount in [12, 40, 64, 108, 124] {
        var file = TestBMP(bits: bits, width: width, seed: UInt64(width))
        file.headerByteCount = headerByteCount
        let image = try decode(file.bytes)
        #expect(try rgba(image) == file.pixels && image.bitmap.format == .rgb8)
      }
    }
    let gray = TestBMP(bits: bits, isGray: true)
    let image = try decode(gray.bytes)
    #expect(try rgba(image) == gray.pixels && image.bitmap.format == .gray8)
  }

  @Test(arguments: [16, 24, 32]) func colors(_ bits: Int) throws {
    for headerByteCount in bits == 24 ? [12, 40, 124] : [40, 124] {
      var file = TestBMP(colorBits: bits, width: 9)
      file.headerByteCount = headerByteCount
      let image = try decode(file.bytes)
      #expect(try rgba(image) == file.pixels && image.bitmap.format == .rgb8)
      file.isTopDown = headerByteCount != 12
      #expect(try rgba(decode(file.bytes)) == file.pixels)
      file.hasFileHeader = false
      #expect(try rgba(decode(file.bytes)) == file.pixels)
      let bare = file.bytes
      #expect(BMPDecoder().probe(bare.span) == .yes(BMPDecoder.type))
    }
  }

  @Test(
    arguments: [
      (16, [0xF800, 0x7E0, 0x1F]), (16, [0xF00, 0xF0, 0xF, 0xF000]), (16, [0x7C00, 0x3E0, 0x1F, 0x8000]),
      (32, [0xFF, 0xFF00, 0xFF0000]), (32, [0xFF00_0000, 0xFF0000, 0xFF00, 0xFF]), (16, [0xFF00, 0xFF, 0]),
      (32, [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]), (24, [0x7C_0000, 0xFF00, 0x3F]),
    ] as [(Int, [UInt32])])
  func bitFields(_ bits: Int, _ masks: [UInt32]) throws {
    var file = TestBMP(colorBits: bits, masks: masks)
    for headerByteCount in [56, 108, 124] {
      file.headerByteCount = headerByteCount
      let image = try decode(file.bytes)
      #expect(try rgba(image) == file.pixels)
      #expect(image.bitmap.format == (masks.count == 4 ? .rgba8 : .rgb8) && image.info.hasAlpha == (masks.count == 4))
    }
    file.headerByteCount = 40
    file.compression = masks.count == 4 ? 6 : 3
    #expect(try rgba(decode(file.bytes)) == file.pixels)
  }

  @Test func deepFieldsHaveSixteenBits() throws {
    var file = TestBMP(colorBits: 32, masks: [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000])
    file.headerByteCount = 108
    let image = try decode(file.bytes)
    #expect(image.bitmap.format == .rgba16)
    for y in 0..<file.height {
      let samples = image.bitmap.row16(y)
      for x in 0..<file.width {
        let pixel = file.rows[y][x * 4..<x * 4 + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        for (index, sample) in [pixel & 1023, pixel >> 10 & 1023, pixel >> 20 & 1023].enumerated() {
          #expect(samples[x * 4 + index] == UInt16((Double(sample) * 65535 / 1023).rounded()))
        }
        #expect(samples[x * 4 + 3] == UInt16(pixel >> 30) * 21845)
      }
    }
  }

  @Test func alphaMaskOfAnUncompressedVersion5() throws {
    var file = TestBMP(colorBits: 32, masks: [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000])
    (file.headerByteCount, file.compression) = (124, 0)
    #expect(try rgba(decode(file.bytes)) == file.pixels)
    // The fourth byte of a shorter header is unused.
    var plain = TestBMP(colorBits: 32)
    plain.headerByteCount = 40
    #expect(try decode(plain.bytes).bitmap.format == .rgb8)
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() {
    var files = [TestBMP(bits: 4), TestBMP(bits: 1, width: 9), TestBMP(colorBits: 24, width: 3)]
    var topDown = TestBMP(colorBits: 16, width: 5, masks: [0xF00, 0xF0, 0xF, 0xF000])
    (topDown.headerByteCount, topDown.isTopDown) = (124, true)
    files.append(topDown)
    var bare = TestBMP(bits: 2, width: 5)
    bare.hasFileHeader = false
    files.append(bare)
    for file in files { #expect(DecoderContract(BMPDecoder(), file.bytes).violations() == []) }
  }
}

@Suite struct RunLengthTests {
  private func file(_ data: [UInt8], bits: Int = 8, width: Int = 6, height: Int = 3) -> TestBMP {
    var file = TestBMP()
    (file.bits, file.width, file.height, file.data) = (bits, width, height, data)
    file.compression = bits == 8 ? 1 : bits == 4 ? 2 : 4
    if bits == 24 { file.headerByteCount = 64 }
    file.palette = bits == 24 ? [] : (0..<1 << bits).map { [UInt8($0), 255 - UInt8($0), 7] }
    return file
  }

  /// Draws rows of palette indices, -1 for transparent pixels.
  private func pixels(_ rows: [[Int]]) -> [UInt8] {
    rows.flatMap { $0.flatMap { $0 < 0 ? [0, 0, 0, 0] : [UInt8($0), 255 - UInt8($0), 7, 255] } }
  }

  @Test func runsCopiesAndGaps() throws {
    // A run, a copy of odd length, the end of the row; a delta of (2, 1) and a run; the end.
    let eight = file([2, 9, 0, 3, 1, 2, 3, 0, 0, 0, 0, 2, 2, 1, 3, 8, 0, 1])
    #expect(
      try rgba(decode(eight.bytes))
        == pixels([[-1, -1, 8, 8, 8, -1], [-1, -1, -1, -1, -1, -1], [9, 9, 1, 2, 3, -1]]))
    let four = file([3, 0x9A, 0, 3, 0x12, 0x30, 0, 0, 0, 1], bits: 4, width: 6, height: 2)
    #expect(try rgba(decode(four.bytes)) == pixels([[-1, -1, -1, -1, -1, -1], [9, 10, 9, 1, 2, 3]]))
    let deep = file([2, 3, 2, 1, 0, 0, 0, 3] + Array(1...9) + [0, 0, 1], bits: 24, width: 3, height: 2)
    #expect(
      try rgba(decode(deep.bytes))
        == [3, 2, 1, 255, 6, 5, 4, 255, 9, 8, 7, 255] + [1, 2, 3, 255, 1, 2, 3, 255, 0, 0, 0, 0])
  }

  /// Rows coded at random, and decoded by the table of codes in the reference, one pixel at a time.
  @Test func randomCodesAgreeWithASlowDecoder() throws {
    var random = TestRandom(5)
    for _ in 0..<300 {
      var data: [UInt8] = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: data += [UInt8.random(in: 1...9, using: &random), UInt8.random(in: 0...255, using: &random)]
        case 1:
          let count = Int.random(in: 3...6, using: &random)
          data += [0, UInt8(count)] + random.bytes((count + 1) / 2 * 2)
        case 2: data += [0, 0]
        default: data += [0, 2, UInt8.random(in: 0...4, using: &random), UInt8.random(in: 0...2, using: &random)]
        }
      }
      data += [0, 1]
      var test = file(data, width: 8, height: 6)
      test.tail = [1, 2, 3]
      #expect(try rgba(decode(test.bytes, .lenient)) == slowPixels(data, width: 8, height: 6))
    }
  }

  private func slowPixels(_ data: [UInt8], width: Int, height: Int) -> [UInt8] {
    var canvas = [[Int]](repeating: [Int](repeating: -1, count: width), count: height)
    var (x, y, index) = (0, 0, 0)
    func put(_ value: UInt8) {
      if x < width && y < height { canvas[height - 1 - y][x] = Int(value) }
      x = min(width, x + 1)
    }
    while index + 1 < data.count, y < height {
      let (first, second) = (Int(data[index]), Int(data[index + 1]))
      index += 2
      if first > 0 {
        for _ in 0..<first { put(data[index - 1]) }
      } else if second == 0 {
        (x, y) = (0, y + 1)
      } else if second == 1 {
        break
      } else if second == 2 {
        (x, y) = (min(width, x + Int(data[index])), y + Int(data[index + 1]))
        index += 2
      } else {
        for offset in 0..<second { put(data[index + offset]) }
        index += (second + 1) / 2 * 2
      }
    }
    return pixels(canvas)
  }

  @Test func violationsAreErrorsOnlyInStrictMode() throws {
    let cases: [([UInt8], String)] = [
      ([9, 1, 0, 1], "a run exceeds the row"), ([0, 7, 1, 2, 3, 4, 5, 6, 7, 0, 0, 1], "pixels exceed the row"),
      ([0, 2, 9, 0, 0, 1], "a delta leads outside the row"), ([0, 2, 0, 9, 0, 1], "a delta leads outside the image"),
      ([2, 9, 0, 0], "the file ends in row 1 of 3"),
    ]
    for (data, reason) in cases {
      #expect(error(file(data).bytes)?.reason == reason)
      let image = try decode(file(data).bytes, .lenient)
      #expect(image.diagnostics.map(\.reason) == [reason] && image.bitmap.height == 3)
    }
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() {
    let data: [UInt8] = [2, 9, 0, 3, 1, 2, 3, 0, 0, 0, 0, 2, 2, 1, 3, 8, 0, 1]
    var small = file([3, 0x9A, 0, 3, 0x12, 0x30, 0, 0, 0, 1], bits: 4, width: 6, height: 2)
    small.palette = small.palette.map { $0 }
    #expect(DecoderContract(BMPDecoder(), small.bytes).violations() == [])
    let deep = file([2, 3, 2, 1, 0, 0, 0, 3] + Array(1...9) + [0, 0, 1], bits: 24, width: 3, height: 2)
    #expect(DecoderContract(BMPDecoder(), deep.bytes).violations() == [])
    #expect(error(file(data, width: 6, height: 3).bytes) == nil)
  }
}

@Suite struct BMPLeniencyTests {
  @Test func eachLeniencyIsAnErrorInStrictMode() throws {
    var planes = TestBMP(bits: 4).bytes
    planes[26] = 3
    var crowded = TestBMP(bits: 4).bytes
    crowded[46] = 17
    var inside = TestBMP(bits: 4).bytes
    inside[10] = 20
    var cramped = TestBMP(bits: 4).bytes
    cramped[10] = 54
    var overlapping = TestBMP(colorBits: 16, masks: [0xF800, 0xFE0, 0x1F])
    overlapping.headerByteCount = 56
    var gaps = TestBMP(colorBits: 16, masks: [0xF400, 0x3E0, 0x1F])
    gaps.headerByteCount = 56
    for (bytes, reason) in [
      (planes, "the header states 3 planes"), (crowded, "a palette of 17 colours"),
      (inside, "the offset of the pixels is inside the headers"), (overlapping.bytes, "bit masks overlap"),
      (cramped, "the offset of the pixels leaves no space for the palette"),
      (gaps.bytes, "a bit mask is not contiguous"),
    ] {
      #expect(error(bytes)?.reason == reason)
      #expect(try decode(bytes, .lenient).diagnostics.map(\.reason) == [reason])
    }
    #expect(try rgba(decode(inside, .lenient)) == TestBMP(bits: 4).pixels)
    #expect(try rgba(decode(cramped, .lenient)) == TestBMP(bits: 4).pixels)
  }

  @Test func indicesWithoutColors() throws {
    var file = TestBMP(bits: 4, colorCount: 5)
    file.rows[0][0] = 0xF1
    #expect(error(file.bytes)?.reason == "a pixel's index has no entry in the palette")
    let image = try decode(file.bytes, .lenient)
    #expect(Array(try rgba(image).prefix(8)) == [0, 0, 0, 255] + file.palette[1] + [255])
  }

  @Test func missingRows() throws {
    let file = TestBMP(colorBits: 24)
    let cut = Array(file.bytes.dropLast(24))
    #expect(error(cut)?.kind == .truncated)
    let image = try decode(cut, .lenient)
    #expect(!image.isComplete && image.bitmap.packedPixels[0] == 0)
    #expect(Array(try rgba(image).dropFirst(28)) == Array(file.pixels.dropFirst(28)))
    #expect(error(Array(file.bytes.prefix(60)), .lenient)?.kind == .truncated)
    // The padding of the last row in the file may be missing.
    #expect(error(Array(file.bytes.dropLast(3))) == nil)
  }

  @Test func hugeSizesWithoutPixelsFailByTheirLimits() {
    for (width, height) in [(0x7FFF_FFFF, 0x7FFF_FFFF), (1, 0x7FFF_FFFF), (0x7FFF_FFFF, 1)] {
      for compression in [0, 1, 2] {
        var file = TestBMP(bits: compression == 2 ? 4 : 8)
        (file.width, file.height, file.compression, file.data) = (width, height, compression, [0, 1])
        #expect(error(file.bytes, .lenient)?.kind == .limitExceeded)
      }
    }
    var empty = TestBMP(bits: 8)
    empty.height = 0
    #expect(error(empty.bytes, .lenient)?.kind == .malformed)
  }
}

@Suite struct EmbeddedPictureTests {
  private func file(_ picture: [UInt8], compression: Int, width: Int = 4, height: Int = 3) -> [UInt8] {
    var file = TestBMP()
    (file.bits, file.compression, file.width, file.height, file.data) = (0, compression, width, height, picture)
    return file.bytes
  }

  @Test func embeddedFilesAreDecodedByTheDecoderPassedIn() throws {
    let picture = try Bitmap(width: 4, height: 3, format: .rgb8, pixels: TestRandom(3).firstBytes(36))
    let decoder = BMPDecoder(jpegDecoder: JPEGDecoder(), pngDecoder: PNGDecoder())
    let png = file(try PNGEncoder().encode(picture), compression: 5)
    #expect(try decode(png, .strict, decoder).bitmap.packedPixels == picture.packedPixels)
    let jpeg = try JPEGEncoder().encode(picture)
    let expected = try JPEGDecoder().decode(jpeg).bitmap.packedPixels
    #expect(try decode(file(jpeg, compression: 4), .strict, decoder).bitmap.packedPixels == expected)
    #expect(error(png)?.kind == .unsupported)
    let contract = DecoderContract(decoder, png, nestedTypes: ["public.png"])
    #expect(contract.violations().filter { !$0.contains("bit ") } == [])
    // Another size than the header states.
    let larger = file(try PNGEncoder().encode(picture), compression: 5, width: 5)
    #expect(throws: CodecError.self) { try decode(larger, .strict, decoder) }
    #expect(try decode(larger, .lenient, decoder).bitmap.width == 4)
    let shallow = DecodingOptions(limits: DecodingLimits(maximumNestingDepth: 0))
    #expect(throws: CodecError.self) { try decoder.decode(png.span, options: shallow) }
  }
}

@Suite struct ColorTagTests {
  @Test func calibrationAndProfiles() throws {
    var file = TestBMP(colorBits: 24)
    file.headerByteCount = 108
    file.masks = [0, 0, 0, 0]
    file.compression = 0
    // The endpoints of sRGB in 2.30 and a gamma of 2.2 in 16.16.
    let endpoints = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505]
    file.colorTags =
      little(0, 4) + endpoints.flatMap { little(Int($0 * 0x4000_0000), 4) }
      + [0, 0, 0].flatMap { _ in little(144_179, 4) }
    let image = try decode(file.bytes)
    let calibration = try #require(image.bitmap.colorSpace.calibration)
    #expect(abs((calibration.gamma ?? 0) - 1 / 2.2) < 0.001)
    #expect(abs((calibration.chromaticities?.red.x ?? 0) - 0.64) < 0.001)
    #expect(abs((calibration.chromaticities?.white.y ?? 0) - 0.329) < 0.001)
    #expect(image.metadata.colorSpace.calibration?.gamma == calibration.gamma)

    file.headerByteCount = 124
    let profileOffset = 124 + 24 * 5
    file.colorTags =
      little(0x4D42_4544, 4) + [UInt8](repeating: 0, count: 48) + little(4, 4)
      + little(profileOffset, 4) + little(5, 4) + little(0, 4)
    file.tail = [5, 6, 7, 8, 9]
    #expect(try decode(file.bytes).bitmap.colorSpace == .icc([5, 6, 7, 8, 9]))
    #expect(try BMPDecoder().metadata(file.bytes).colorSpace.iccProfile == [5, 6, 7, 8, 9])
    #expect(DecoderContract(BMPDecoder(), file.bytes).violations() == [])
  }
}

extension TestRandom {
  fileprivate func firstBytes(_ count: Int) -> [UInt8] {
    var copy = self
    return copy.bytes(count)
  }
}
