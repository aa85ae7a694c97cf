// Pixels of all codings with their masks, compared with a computation of one pixel after the other.

import ICNSCodec
import ImageCoding
import TestSupport
import Testing

private let decoder = ICNSDecoder()
private let strict = DecodingOptions(tolerance: .strict)

private func pixels(_ file: [UInt8], _ options: DecodingOptions = strict) throws -> [UInt8] {
  try decoder.decode(file, options: options).bitmap.packedPixels
}

private func entry(_ type: String, _ data: [UInt8]) -> [UInt8] { FamilyBytes.entry(type, data) }

/// The alphas of a mask of bits.
private func alphas(_ mask: [UInt8]) -> [UInt8] { FamilyBytes.bits(mask).map { $0 ? 255 : 0 } }

@Suite struct IndexedPictureTests {
  @Test(arguments: [("ICON", 32, 32), ("ICN#", 32, 32), ("icm#", 16, 12), ("ics#", 16, 16), ("ich#", 48, 48)])
  func blackAndWhite(_ type: String, _ width: Int, _ height: Int) throws {
    let byteCount = width * height / 8
    let image = FamilyBytes.noise(byteCount, seed: 1)
    let mask = type == "ICON" ? [UInt8](repeating: 255, count: byteCount) : FamilyBytes.noise(byteCount, seed: 2)
    let file = FamilyBytes.file(entry(type, type == "ICON" ? image : image + mask))
    // A set bit is black.
    let levels = FamilyBytes.bits(image).map { UInt8($0 ? 0 : 255) }
    #expect(try pixels(file) == FamilyBytes.pixels(levels, levels, levels, alphas(mask)))
    let info = try decoder.info(file)
    #expect(info.size == PixelSize(width: width, height: height) && info.bitDepth == 1 && info.colorModel == .gray)
    #expect(info.hasAlpha == (type != "ICON"))
  }

  /// The colours by name, as Apple's documentation lists them.
  @Test func sixteenColors() throws {
    let colors: [[UInt8]] = [
      [255, 255, 255], [252, 243, 5], [255, 100, 2], [221, 8, 6], [242, 8, 132], [70, 0, 165], [0, 0, 212],
      [2, 171, 234], [31, 183, 20], [0, 100, 17], [86, 44, 5], [144, 113, 58], [192, 192, 192], [128, 128, 128],
      [64, 64, 64], [0, 0, 0],
    ]
    for (type, byteCount) in [("icm4", 96), ("ics4", 128), ("icl4", 512), ("ich4", 1152)] {
      let data = FamilyBytes.noise(byteCount, seed: 4)
      var expected: [UInt8] = []
      for byte in data {
        for index in [Int(byte) / 16, Int(byte) % 16] { expected += colors[index] + [255] }
      }
      #expect(try pixels(FamilyBytes.file(entry(type, data))) == expected)
    }
  }

  @Test func twoHundredAndFiftySixColors() throws {
    let file = FamilyBytes.file(entry("ics8", (0...255).map { UInt8($0) }))
    let bytes = try pixels(file)
    let colors = stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 3]) }
    #expect(Set(colors).count == 256)
    #expect(colors[0] == [255, 255, 255] && colors[1] == [255, 255, 204] && colors[6] == [255, 204, 255])
    #expect(colors[36] == [204, 255, 255] && colors[214] == [0, 0, 51] && colors[255] == [0, 0, 0])
    let levels: [UInt8] = [238, 221, 187, 170, 136, 119, 85, 68, 34, 17]
    #expect(colors[215..<225].map { $0 } == levels.map { [$0, 0, 0] })
    #expect(colors[225..<235].map { $0 } == levels.map { [0, $0, 0] })
    #expect(colors[235..<245].map { $0 } == levels.map { [0, 0, $0] })
    #expect(colors[245..<255].map { $0 } == levels.map { [$0, $0, $0] })
  }

  /// Pictures with indices have the mask of one bit, or else that of eight.
  @Test func masksOfIndices() throws {
    let bits = FamilyBytes.noise(64, seed: 5)
    let deep = FamilyBytes.noise(256, seed: 6)
    let data = FamilyBytes.noise(128, seed: 7)
    func alpha(_ entries: [UInt8]...) throws -> [UInt8] {
      let file = FamilyBytes.file(entry("ics4", data), entries.flatMap { $0 })
      let bytes = try pixels(file, DecodingOptions(tolerance: .strict, imageIndex: 0))
      return stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
    }
    let opaque = [UInt8](repeating: 255, count: 256)
    #expect(try alpha(entry("s8mk", deep)) == deep)
    #expect(try alpha(entry("ICN#", FamilyBytes.noise(256, seed: 8)), entry("l8mk", opaque)) == opaque)
    #expect(try alpha(entry("s8mk", deep), entry("ics#", bits)) == alphas(Array(bits[32...])))
  }

  @Test func missingPixelsAreTransparent() throws {
    let file = FamilyBytes.file(entry("ics8", [UInt8](repeating: 255, count: 20)))
    #expect(throws: CodecError.self) { try pixels(file) }
    let image = try decoder.decode(file)
    #expect(!image.isComplete && image.diagnostics.map(\.reason) == ["the picture has 20 of 256 pixels"])
    #expect(image.diagnostics.map(\.severity) == [.damage])
    let expected = [UInt8]((0..<1024).map { $0 < 80 && $0 % 4 == 3 ? 255 : 0 })
    #expect(image.bitmap.packedPixels == expected)
    let empty = #expect(throws: CodecError.self) { try decoder.decode(FamilyBytes.file(entry("ics8", []))) }
    #expect(empty?.kind == .truncated)
  }

  @Test func missingPixelsOfAMaskAreOpaque() throws {
    let file = FamilyBytes.file(entry("ics#", [UInt8](repeating: 0, count: 33)))
    #expect(throws: CodecError.self) { try pixels(file) }
    let image = try decoder.decode(file)
    #expect(image.isComplete && image.diagnostics.map(\.reason) == ["the mask has 8 of 256 pixels"])
    let bytes = image.bitmap.packedPixels
    let found = stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
    #expect(found == [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 248))
  }
}

@Suite struct IconPlaneTests {
  private func planes(_ side: Int, _ count: Int = 3) -> [[UInt8]] {
    (0..<count).map { FamilyBytes.noise(side * side, seed: UInt64(10 + $0)) }
  }

  @Test(arguments: [("is32", "s8mk", 16), ("il32", "l8mk", 32), ("ih32", "h8mk", 48), ("it32", "t8mk", 128)])
  func planesWithAMask(_ type: String, _ maskType: String, _ side: Int) throws {
    let (planes, mask) = (planes(side), FamilyBytes.noise(side * side, seed: 20))
    let start: [UInt8] = type == "it32" ? [0, 0, 0, 0] : []
    let data = start + planes.flatMap { FamilyBytes.packed($0) }
    let opaque = [UInt8](repeating: 255, count: side * side)
    #expect(
      try pixels(FamilyBytes.file(entry(type, data))) == FamilyBytes.pixels(planes[0], planes[1], planes[2], opaque))
    let masked = FamilyBytes.pixels(planes[0], planes[1], planes[2], mask)
    #expect(try pixels(FamilyBytes.file(entry(type, data), entry(maskType, mask))) == masked)
    #expect(try pixels(FamilyBytes.file(entry(maskType, mask), entry(type, data))) == masked)
    // Uncompressed, with three or four bytes for each pixel.
    let three = planes[0].indices.flatMap { [planes[0][$0], planes[1][$0], planes[2][$0]] }
    let four = planes[0].indices.flatMap { [UInt8($0 & 255), planes[0][$0], planes[1][$0], planes[2][$0]] }
    for bytes in [three, four] {
      #expect(try pixels(FamilyBytes.file(entry(type, start + bytes), entry(maskType, mask))) == masked)
    }
    #expect(try !decoder.info(FamilyBytes.file(entry(type, data))).hasAlpha)
    #expect(try decoder.info(FamilyBytes.file(entry(type, data), entry(maskType, mask))).hasAlpha)
  }

  @Test func planesWithAMaskOfBits() throws {
    let planes = planes(16)
    let bits = FamilyBytes.noise(64, seed: 5)
    let file = FamilyBytes.file(entry("ics#", bits), entry("is32", planes.flatMap { FamilyBytes.packed($0) }))
    #expect(
      try pixels(file) == FamilyBytes.pixels(planes[0], planes[1], planes[2], alphas(Array(bits[32...]))))
  }

  @Test(arguments: [("ic04", 16), ("ic05", 32), ("icsb", 18)]) func planesWithAlpha(_ type: String, _ side: Int) throws
  {
    let planes = planes(side, 4)
    let data = Array("ARGB".utf8) + planes.flatMap { FamilyBytes.packed($0) }
    let file = FamilyBytes.file(entry(type, data), entry("s8mk", [UInt8](repeating: 3, count: 256)))
    #expect(try pixels(file) == FamilyBytes.pixels(planes[1], planes[2], planes[3], planes[0]))
    #expect(try decoder.info(file).hasAlpha && decoder.info(file).coding == "ARGB")
  }

  @Test(arguments: [("icp4", "s8mk", 16), ("icp5", "l8mk", 32)])
  func planesInPlaceOfAFile(_ type: String, _ maskType: String, _ side: Int) throws {
    let (planes, mask) = (planes(side), FamilyBytes.noise(side * side, seed: 20))
    let file = FamilyBytes.file(entry(type, planes.flatMap { FamilyBytes.packed($0) }), entry(maskType, mask))
    #expect(try pixels(file) == FamilyBytes.pixels(planes[0], planes[1], planes[2], mask))
    #expect(try IconFamily(parsing: file.span).pictures.first?.coding == .rgb)
  }

  /// Compressed planes may have the length of uncompressed pixels.
  @Test func compressedPlanesOfAnyLength() throws {
    let planes = planes(16)
    // Sequences of two literal bytes take three.
    var padded: [UInt8] = []
    for index in stride(from: 0, to: 256, by: 2) { padded += [1, planes[0][index], planes[0][index + 1]] }
    padded += planes[1...].flatMap { FamilyBytes.packed($0) }
    // Sequences of one byte take one more than those of two.
    for pair in (0..<128).reversed() where padded.count < 768 {
      let offset = pair * 3
      padded.replaceSubrange(offset..<offset + 3, with: [0, padded[offset + 1], 0, padded[offset + 2]])
    }
    #expect(padded.count == 768)
    let opaque = [UInt8](repeating: 255, count: 256)
    #expect(
      try pixels(FamilyBytes.file(entry("is32", padded))) == FamilyBytes.pixels(planes[0], planes[1], planes[2], opaque)
    )
  }

  @Test func whatAllPlanesHaveIsShown() throws {
    let planes = planes(16)
    let file = FamilyBytes.file(entry("is32", planes[..<2].flatMap { FamilyBytes.packed($0) } + [2, 7, 8, 9]))
    #expect(throws: CodecError.self) { try pixels(file) }
    let image = try decoder.decode(file)
    #expect(!image.isComplete && image.diagnostics.map(\.reason) == ["the picture has 3 of 256 pixels"])
    var expected = [UInt8](repeating: 0, count: 1024)
    for index in 0..<3 {
      expected.replaceSubrange(
        index * 4..<index * 4 + 4, with: [planes[0][index], planes[1][index], UInt8(7 + index), 255])
    }
    #expect(image.bitmap.packedPixels == expected)
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(FamilyBytes.file(entry("is32", FamilyBytes.packed(planes[0]))))
    }
    #expect(error?.kind == .truncated && error?.byteOffset == 16)
  }

  @Test func runsThatExceedTheirPlaneAreCutOff() throws {
    let planes = planes(16)
    let red: [UInt8] = [255, 5, 255, 6]
    let file = FamilyBytes.file(entry("is32", red + planes[1...].flatMap { FamilyBytes.packed($0) }))
    #expect(throws: CodecError.self) { try pixels(file) }
    let image = try decoder.decode(file)
    #expect(image.diagnostics.map(\.reason) == ["a run exceeds its plane"])
    let expected = [UInt8](repeating: 5, count: 130) + [UInt8](repeating: 6, count: 126)
    #expect(
      image.bitmap.packedPixels
        == FamilyBytes.pixels(expected, planes[1], planes[2], [UInt8](repeating: 255, count: 256)))
  }

  @Test func theZerosOfThumbnailsMayBeMissing() throws {
    let planes = planes(128)
    let file = FamilyBytes.file(entry("it32", planes.flatMap { FamilyBytes.packed($0) }))
    #expect(throws: CodecError.self) { try pixels(file) }
    let image = try decoder.decode(file)
    #expect(image.diagnostics.map(\.reason) == ["the picture does not start with four zeros"])
    let opaque = [UInt8](repeating: 255, count: 128 * 128)
    #expect(image.bitmap.packedPixels == FamilyBytes.pixels(planes[0], planes[1], planes[2], opaque))
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() throws {
    let planes = [UInt8](repeating: 9, count: 256)
    let rgb = entry("is32", (0..<3).flatMap { _ in FamilyBytes.packed(planes) })
    let argb = entry("ic04", Array("ARGB".utf8) + (0..<4).flatMap { _ in FamilyBytes.packed(planes) })
    for file in [
      FamilyBytes.fileWithContents(rgb), FamilyBytes.file(argb, entry("icnV", [1])),
      FamilyBytes.file(entry("ics#", FamilyBytes.noise(64, seed: 2))),
    ] {
      #expect(DecoderContract(decoder, file).violations() == [])
    }
  }
}
