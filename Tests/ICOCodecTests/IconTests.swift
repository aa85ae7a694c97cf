// Directories, entries of both kinds, masks, and round trips.

import ICOCodec
import ImageCoding
import PNGCodec
import TestSupport
import Testing

private func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// The information header of a bitmap with everything after it zero.
private func header(_ byteCount: Int, width: Int = 30, height: Int = 20, bits: Int = 32) -> [UInt8] {
  let start = little(byteCount, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2)
  return start + [UInt8](repeating: 0, count: byteCount - start.count)
}

/// A file of pictures whose sizes the directory states.
private func icon(_ pictures: [(width: Int, height: Int, bytes: [UInt8])], type: Int = 1) -> [UInt8] {
  var file = little(0, 2) + little(type, 2) + little(pictures.count, 2)
  var offset = 6 + pictures.count * 16
  for picture in pictures {
    file += [UInt8(picture.width & 255), UInt8(picture.height & 255), 0, 0] + little(1, 2) + little(32, 2)
    file += little(picture.bytes.count, 4) + little(offset, 4)
    offset += picture.bytes.count
  }
  return file + pictures.flatMap(\.bytes)
}

private let decoder = IconDecoder(pngDecoder: PNGDecoder())

@Suite struct IconContainerTests {
  private func cursor() -> [UInt8] {
    [0, 0, 2, 0, 2, 0, 16, 16, 0, 0] + little(3, 2) + little(5, 2) + little(40, 4) + little(38, 4)
      + [0, 0, 0, 0] + little(1, 2) + little(2, 2) + little(0xFFFF_FFFF, 4) + little(0xFFFF_FFFF, 4)
      + header(40, width: 32, height: 64, bits: 8)
  }

  @Test func hotSpotsAndPicturesOwnSizes() throws {
    let cursorBytes = cursor()
    let icon = try IconContainer(parsing: cursorBytes.span)
    #expect(icon.isCursor && icon.entries.count == 2)
    #expect(icon.entries[0].hotSpot?.x == 3 && icon.entries[0].hotSpot?.y == 5)
    #expect(icon.entries[0].size == PixelSize(width: 32, height: 32) && icon.entries[0].bitsPerPixel == 8)
    // The second picture is nowhere; the directory says 256 × 256.
    #expect(icon.largestEntry == icon.entries[1] && icon.entries[1].size == PixelSize(width: 256, height: 256))
  }

  @Test func directoriesThatPointIntoThemselvesAndFlippedBits() throws {
    var storm: [UInt8] = [0, 0, 1, 0, 0xFF, 0xFF]
    for _ in 0..<65_535 { storm += [0, 0, 0, 0, 1, 0, 32, 0] + little(1 << 30, 4) + little(6, 4) }
    let crowded = try IconContainer(parsing: storm.span)
    #expect(crowded.entries.count == 65_535)
    let error = #expect(throws: CodecError.self) { try IconContainer(parsing: storm.span.extracting(0..<1000)) }
    #expect(error?.kind == .truncated)
    let file = cursor()
    for bit in 0..<file.count * 8 {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? IconDecoder().info(bytes)
    }
  }
}

@Suite struct EntryTests {
  /// Two colours of 1 bit, 3 × 2 pixels, with a mask.
  private let masked: [UInt8] =
    header(40, width: 3, height: 4, bits: 1) + [10, 20, 30, 0, 40, 50, 60, 0]
    + [0b1010_0000, 0, 0, 0, 0b0110_0000, 0, 0, 0] + [0b0010_0000, 0, 0, 0, 0b1000_0000, 0, 0, 0]

  private func deep(alpha: [UInt8], mask: UInt8) -> [UInt8] {
    header(40, width: 2, height: 2, bits: 32) + [1, 2, 3, alpha[0], 4, 5, 6, alpha[1]] + [mask, 0, 0, 0]
  }

  private func pixels(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> [UInt8] {
    try decoder.decode(file, options: options).bitmap.packedPixels
  }

  @Test func masksMakePixelsTransparent() throws {
    #expect(
      try pixels(icon([(3, 2, masked)])) == [
        30, 20, 10, 0, 60, 50, 40, 255, 60, 50, 40, 255, 60, 50, 40, 255, 30, 20, 10, 255, 60, 50, 40, 0,
      ])
    // Alpha is preferred to the mask unless it is zero everywhere.
    #expect(try pixels(icon([(2, 1, deep(alpha: [128, 255], mask: 0xFF))])) == [3, 2, 1, 128, 6, 5, 4, 255])
    #expect(try pixels(icon([(2, 1, deep(alpha: [0, 0], mask: 0x40))])) == [3, 2, 1, 255, 6, 5, 4, 0])
  }

  @Test func theMaskMayBeMissing() throws {
    let file = icon([(3, 2, Array(masked.dropLast(8)))])
    #expect(try pixels(file).enumerated().allSatisfy { $0.offset % 4 != 3 || $0.element == 255 })
    #expect(throws: CodecError.self) { try pixels(file, DecodingOptions(tolerance: .strict)) }
  }

  @Test func statedLengthsAreIgnored() throws {
    var file = icon([(3, 2, masked)])
    file[14] = 1
    #expect(try pixels(file) == pixels(icon([(3, 2, masked)])))
    #expect(throws: CodecError.self) { try pixels(file, DecodingOptions(tolerance: .strict)) }
  }

  @Test func entriesAreSelectedByIndexAndSize() throws {
    func png(_ side: Int) throws -> [UInt8] {
      try PNGEncoder().encode(Bitmap(width: side, height: side, format: .rgba8))
    }
    let file = icon([
      (16, 16, try png(16)), (48, 48, try png(48)), (3, 2, masked), (32, 32, try png(32)),
    ])
    func width(_ options: DecodingOptions) throws -> Int { try decoder.decode(file, options: options).bitmap.width }
    let container = try IconContainer(parsing: file.span)
    #expect(try width(DecodingOptions()) == 48)
    for (index, expected) in [16, 48, 3, 32].enumerated() {
      #expect(try width(DecodingOptions(imageIndex: index)) == expected)
    }
    for (target, expected) in [(1, 3), (3, 16), (16, 16), (17, 32), (33, 48), (100, 48)] {
      let size = PixelSize(width: target, height: target)
      #expect(try width(DecodingOptions(targetSize: size)) == expected)
      #expect(container.bestEntry(for: size)?.size.width == expected)
    }
    #expect(try decoder.info(file).imageCount == 4)
    let error = #expect(throws: CodecError.self) { try width(DecodingOptions(imageIndex: 4)) }
    #expect(error?.kind == .invalidArgument)
    #expect(throws: CodecError.self) { try IconDecoder().decode(file) }
    let shallow = DecodingOptions(limits: DecodingLimits(maximumNestingDepth: 0))
    #expect(throws: CodecError.self) { try decoder.decode(file, options: shallow) }
  }

  @Test func manyEntriesOfOnePicture() throws {
    let picture = try PNGEncoder().encode(Bitmap(width: 20, height: 20, format: .rgba8))
    var file = little(0, 2) + little(1, 2) + little(0xFFFF, 2)
    let offset = 6 + 65_535 * 16
    for _ in 0..<65_535 { file += [20, 20, 0, 0, 1, 0, 32, 0] + little(picture.count, 4) + little(offset, 4) }
    file += picture
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    let details = try decoder.decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
    #expect(details.info.imageCount == 65_535 && budget.heldByteCount == bitmap.byteCount)
    #expect(budget.work < 100_000_000 && budget.work >= 65_535 * 500)
    // The nested picture spends the budget of its file.
    let few = DecodingOptions(limits: DecodingLimits(maximumWork: 65_535 * 500, maximumWorkPerPixel: 0))
    let error = #expect(throws: CodecError.self) { try decoder.decode(file, options: few) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() throws {
    let cursor = icon([(2, 1, deep(alpha: [128, 255], mask: 0xFF))], type: 2)
    for file in [icon([(3, 2, masked)]), cursor] {
      #expect(DecoderContract(decoder, file, nestedTypes: ["com.microsoft.bmp"]).violations() == [])
    }
  }
}

@Suite struct IconEncodingTests {
  private func picture(_ width: Int, _ height: Int) throws -> Bitmap {
    var random = TestRandom(UInt64(width))
    return try Bitmap(width: width, height: height, format: .rgba8, pixels: random.bytes(width * height * 4))
  }

  @Test func theUsualSizesAndTheImageItself() throws {
    let source = try picture(50, 40)
    let file = try IconEncoder(pngEncoder: PNGEncoder()).encode(source)
    let container = try IconContainer(parsing: file.span)
    #expect(container.entries.map(\.size.width) == [16, 24, 32, 48, 50])
    #expect(container.entries.map(\.size.height) == [13, 19, 26, 38, 40] && !container.isCursor)
    let strict = DecodingOptions(tolerance: .strict)
    #expect(try decoder.decode(file, options: strict).bitmap.packedPixels == source.packedPixels)
    for index in 0..<5 {
      let options = DecodingOptions(tolerance: .strict, imageIndex: index)
      #expect(try decoder.decode(file, options: options).bitmap.pixelSize == container.entries[index].size)
    }
  }

  /// Windows expects PNG entries of eight bits per sample.
  @Test func pngEntriesHaveSamplesOfEightBits() throws {
    var random = TestRandom(1)
    let source = try Bitmap(width: 256, height: 256, format: .rgba16, pixels: random.bytes(256 * 256 * 8))
    let file = try IconEncoder(options: .init(sizes: [256]), pngEncoder: PNGEncoder()).encode(source)
    // The depth and the colour type in the PNG header.
    #expect(file[22 + 24] == 8 && file[22 + 25] == 6)
  }

  @Test func largeEntriesArePNGs() throws {
    let source = try picture(256, 256)
    let file = try IconEncoder(options: .init(sizes: [16, 256]), pngEncoder: PNGEncoder()).encode(source)
    let container = try IconContainer(parsing: file.span)
    #expect(container.entries.map(\.isPNG) == [false, true])
    #expect(file[6] == 16 && file[22] == 0)
    #expect(try decoder.decode(file).bitmap.packedPixels == source.packedPixels)
    let bitmaps = try IconEncoder(options: .init(sizes: [256])).encode(source)
    let plain = try IconContainer(parsing: bitmaps.span)
    #expect(plain.entries.map(\.isPNG) == [false])
    #expect(try decoder.decode(bitmaps).bitmap.packedPixels == source.packedPixels)
  }

  @Test func hotSpotsAreScaled() throws {
    let encoder = IconEncoder(options: .init(sizes: [16, 32], hotSpot: .init(x: 10, y: 20)))
    let file = try encoder.encode(picture(32, 32))
    let container = try IconContainer(parsing: file.span)
    #expect(container.isCursor && encoder.type == IconDecoder.cursor)
    #expect(container.entries.map(\.hotSpot) == [.init(x: 5, y: 10), .init(x: 10, y: 20)])
  }

  @Test(arguments: [(Int.max, 0), (0, Int.max), (-1, 0), (0, 257)])
  func otherHotSpotsAreErrors(_ x: Int, _ y: Int) throws {
    let encoder = IconEncoder(options: .init(sizes: [16], hotSpot: .init(x: x, y: y)))
    let error = #expect(throws: CodecError.self) { try encoder.encode(picture(16, 16)) }
    #expect(error?.kind == .invalidArgument)
  }

  @Test func imagesAsTheyAre() throws {
    let pictures = [try picture(5, 9), try picture(1, 1), try Bitmap(width: 33, height: 2, format: .rgba8)]
    let file = try IconEncoder().encode(images: pictures)
    for (index, picture) in pictures.enumerated() {
      let options = DecodingOptions(tolerance: .strict, imageIndex: index)
      #expect(try decoder.decode(file, options: options).bitmap.packedPixels == picture.packedPixels)
    }
    #expect(throws: CodecError.self) { try IconEncoder().encode(images: []) }
    #expect(throws: CodecError.self) { try IconEncoder().encode(images: [self.picture(257, 1)]) }
    #expect(throws: CodecError.self) { try IconEncoder(options: .init(sizes: [0])).encode(self.picture(2, 2)) }
    #expect(throws: CodecError.self) { try IconEncoder().encode(Bitmap()) }
  }
}
