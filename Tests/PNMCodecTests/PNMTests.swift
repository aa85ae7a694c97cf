// Files written as text, round trips, and limits.

import ImageCoding
import PNMCodec
import TestSupport
import Testing

private func decode(_ text: String, _ rest: [UInt8] = []) throws -> DecodedImage {
  try PNMDecoder().decode(Array(text.utf8) + rest, options: DecodingOptions(tolerance: .strict))
}

@Suite struct PNMDecodingTests {
  @Test func plainFiles() throws {
    #expect(try decode("P1\n# a comment\n3 2\n101 0 1\n0").bitmap.packedPixels == [0, 255, 0, 255, 0, 255])
    #expect(try decode("P2 2 2 15 0 1 # more\n7 15").bitmap.packedPixels == [0, 17, 119, 255])
    #expect(try decode("P3\n1 1\n255\n1 2 3\n").bitmap.packedPixels == [1, 2, 3])
    let deep = try decode("P2 2 1 1023 0 1023")
    #expect(deep.bitmap.format == .gray16 && deep.bitmap[wide: 1, 0].red == 65535 && deep.bitmap.significantBits == 10)
  }

  @Test func rawFiles() throws {
    #expect(try decode("P4 9 1\n", [0b1010_0001, 0x80]).bitmap.packedPixels == [0, 255, 0, 255, 255, 255, 255, 0, 0])
    #expect(try decode("P5 3 1 255\n", [1, 2, 255]).bitmap.packedPixels == [1, 2, 255])
    #expect(try decode("P6 1 2 255 ", [1, 2, 3, 4, 5, 6]).bitmap.packedPixels == [1, 2, 3, 4, 5, 6])
    let deep = try decode("P5 1 1 65535\n", [0x12, 0x34])
    #expect(deep.bitmap[wide: 0, 0].red == 0x1234 && deep.bitmap.significantBits == nil)
    let half = try decode("P5 1 1 300\n", [0, 150])
    #expect(half.bitmap[wide: 0, 0].red == 32768)
  }

  @Test func arbitraryMaps() throws {
    for (depth, format) in [(1, PixelFormat.gray8), (2, .grayAlpha8), (3, .rgb8), (4, .rgba8)] {
      let samples = (1...depth).map { UInt8($0) }
      let header = "P7\nWIDTH 1\nHEIGHT 1\n# comment\nDEPTH \(depth)\nMAXVAL 255\nTUPLTYPE RGB ALPHA\nENDHDR\n"
      let image = try decode(header, samples)
      #expect(image.bitmap.format == format && image.bitmap.packedPixels == samples)
    }
    #expect(throws: CodecError.self) {
      try decode("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 1\nENDHDR\n", [0, 0, 0, 0, 0])
    }
  }

  @Test func floats() throws {
    let image = try decode("Pf\n1 2\n-1.0\n", [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40])
    #expect(image.bitmap.format == PixelFormat(.gray, sampleType: .float32))
    #expect(image.bitmap.packedPixels == [0, 0, 0, 0x40, 0, 0, 0x80, 0x3F])
    let color = try decode("PF 1 1 1.0\n", [0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0x3F, 0, 0, 0])
    #expect(try color.bitmap.converted(to: .rgb8).packedPixels == [255, 0, 128])
  }

  @Test func errors() {
    for text in [
      "P5 0 1 255\n", "P5 1 1 0\n", "P5 1 1 65536\n", "P5 -1 1 255\n", "P2 1 1 3 4 ", "P2 1 1 3 x", "P8 1 1",
    ] {
      #expect(throws: CodecError.self) { try decode(text, [0, 0]) }
    }
    #expect(throws: CodecError.self) { try decode("P5 2 2 255\n", [1, 2, 3]) }
    let error = #expect(throws: CodecError.self) { try decode("P5 2147483647 2147483647 255\n", [1]) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func lenientDecodingKeepsWhatIsThere() throws {
    let cut = try PNMDecoder().decode(Array("P2 2 2 9 9 12 3".utf8))
    #expect(cut.bitmap.packedPixels == [255, 255, 0, 0] && !cut.isComplete && cut.diagnostics.count == 2)
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() {
    let files: [[UInt8]] = [
      Array("P1 5 3\n10101 01010\n11111".utf8), Array("P3 2 2 9\n1 2 3 4 5 6 7 8 9 0 1 2\n".utf8),
      Array("P4 9 3\n".utf8) + [1, 2, 3, 4, 5, 6], Array("P6 3 2 200\n".utf8) + (0..<18).map { UInt8($0 * 11) },
      Array("P7\nWIDTH 2\nHEIGHT 2\nDEPTH 2\nMAXVAL 1000\nENDHDR\n".utf8) + (0..<16).map { UInt8($0 % 2 * 80) },
    ]
    for file in files { #expect(DecoderContract(PNMDecoder(), file).violations() == []) }
  }
}

@Suite struct PNMEncodingTests {
  @Test func roundTripsAreExact() throws {
    var random = TestRandom(2)
    for format in PixelFormat.all where format.colorModel != .cmyk && !format.sampleType.isFloatingPoint {
      let pixels = random.bytes(7 * 5 * format.bytesPerPixel)
      let source = try Bitmap(width: 7, height: 5, format: format.straight, pixels: pixels)
      for isPlain in [false, true] {
        if isPlain && format.hasAlpha { continue }
        let file = try PNMEncoder(options: .init(isPlain: isPlain)).encode(source)
        let options = DecodingOptions(pixelFormat: source.format, tolerance: .strict)
        #expect(try PNMDecoder().decode(file, options: options).bitmap.packedPixels == pixels)
        // A plain file has no lines of more than 70 characters.
        if isPlain { #expect(file.split(separator: 10).allSatisfy { $0.count <= 70 }) }
      }
    }
  }

  @Test func kinds() throws {
    let source = try Bitmap(width: 3, height: 1, format: .rgba8, pixels: [255, 255, 255, 255, 0, 0, 0, 9, 9, 9, 9, 0])
    func start(_ kind: PNMEncoder.Kind?, isPlain: Bool = false) throws -> String {
      String(decoding: try PNMEncoder(options: .init(kind: kind, isPlain: isPlain)).encode(source), as: UTF8.self)
    }
    #expect(try start(.pbm, isPlain: true) == "P1\n3 1\n0 1 1\n")
    #expect(try start(.pgm, isPlain: true) == "P2\n3 1\n255\n255 0 9\n")
    #expect(try start(.ppm, isPlain: true) == "P3\n3 1\n255\n255 255 255 0 0 0 9 9 9\n")
    #expect(try PNMEncoder(options: .init(kind: .pbm)).encode(source) == Array("P4\n3 1\n".utf8) + [0b0110_0000])
    #expect(try PNMEncoder().encode(source).starts(with: Array("P7\n".utf8)))
    #expect(throws: CodecError.self) { try start(.pam, isPlain: true) }
    #expect(throws: CodecError.self) { try PNMEncoder().encode(Bitmap()) }
  }
}
