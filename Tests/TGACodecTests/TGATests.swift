// Files of every kind of pixel, uncompressed and as packets.

import ImageCoding
import TGACodec
import TestSupport
import Testing

private func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// A file with random pixels.
private struct TestTGA {
  var type: UInt8
  var bits: Int
  var descriptor: UInt8 = 0
  var width = 6
  var height = 4
  var map: [[UInt8]] = []
  var mapBits = 0
  var firstIndex = 0
  var identifier: [UInt8] = []
  /// The stored pixels in the order in which they are stored.
  var stored: [[UInt8]] = []

  init(type: UInt8, bits: Int, seed: UInt64 = 1) {
    (self.type, self.bits) = (type, bits)
    var random = TestRandom(seed)
    for index in 0..<width * height {
      stored.append(index % 5 == 1 ? stored[index - 1] : random.bytes((bits + 7) / 8))
    }
  }

  var header: [UInt8] {
    [UInt8(identifier.count), map.isEmpty ? 0 : 1, type] + little(firstIndex, 2) + little(map.count, 2)
      + [UInt8(mapBits)] + little(7, 2) + little(9, 2) + little(width, 2) + little(height, 2)
      + [UInt8(bits), descriptor] + identifier + map.flatMap { $0 }
  }

  var bytes: [UInt8] {
    guard type & 8 != 0 else { return header + stored.flatMap { $0 } }
    // Packets of two pixels, runs where they are equal; they cross rows.
    var data: [UInt8] = []
    for start in stride(from: 0, to: stored.count, by: 2) {
      let (one, other) = (stored[start], stored[start + 1])
      data += one == other ? [0x81] + one : [0x01] + one + other
    }
    return header + data
  }

  /// Pixels from top to bottom and left to right, expanded by a closure.
  func pixels(_ expand: ([UInt8]) -> [UInt8]) -> [UInt8] {
    (0..<height).flatMap { y in
      (0..<width).flatMap { x in
        let row = descriptor & 0x20 != 0 ? y : height - 1 - y
        return expand(stored[row * width + (descriptor & 0x10 != 0 ? width - 1 - x : x)])
      }
    }
  }
}

private func fiveBits(_ bytes: [UInt8]) -> [UInt8] {
  let pixel = Int(bytes[0]) | Int(bytes[1]) << 8
  return [pixel >> 10 & 31, pixel >> 5 & 31, pixel & 31].map { UInt8((Double($0) * 255 / 31).rounded()) } + [255]
}

@Suite struct TGATests {
  private func expectPixels(
    _ file: TestTGA, _ expand: ([UInt8]) -> [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  )
    throws
  {
    for descriptor: UInt8 in [0, 0x10, 0x20, 0x30] {
      var file = file
      file.descriptor |= descriptor
      let bytes = file.bytes
      #expect(TGADecoder().probe(bytes.span) == .yes(TGADecoder.type), sourceLocation: sourceLocation)
      let image = try TGADecoder().decode(bytes, options: DecodingOptions(tolerance: .strict))
      #expect(
        try image.bitmap.converted(to: .rgba8).packedPixels == file.pixels(expand), sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [0, 8] as [UInt8]) func everyKindOfPixel(_ coding: UInt8) throws {
    try expectPixels(TestTGA(type: 2 | coding, bits: 24)) { [$0[2], $0[1], $0[0], 255] }
    try expectPixels(TestTGA(type: 2 | coding, bits: 32)) { [$0[2], $0[1], $0[0], 255] }
    var alpha = TestTGA(type: 2 | coding, bits: 32)
    (alpha.descriptor, alpha.identifier) = (8, [1, 2, 3])
    try expectPixels(alpha) { [$0[2], $0[1], $0[0], $0[3]] }
    try expectPixels(TestTGA(type: 2 | coding, bits: 16), fiveBits)
    try expectPixels(TestTGA(type: 2 | coding, bits: 15), fiveBits)
    try expectPixels(TestTGA(type: 3 | coding, bits: 8)) { [$0[0], $0[0], $0[0], 255] }
    var grayAlpha = TestTGA(type: 3 | coding, bits: 16)
    grayAlpha.descriptor = 8
    try expectPixels(grayAlpha) { [$0[0], $0[0], $0[0], $0[1]] }
  }

  @Test(arguments: [15, 16, 24, 32]) func colorMaps(_ mapBits: Int) throws {
    var file = TestTGA(type: 9, bits: 8)
    var random = TestRandom(6)
    (file.mapBits, file.firstIndex) = (mapBits, 3)
    file.map = (0..<10).map { _ in random.bytes((mapBits + 7) / 8) }
    file.stored = file.stored.map { [$0[0] % 10 + 3] }
    let map = file.map
    try expectPixels(file) { index in
      let color = map[Int(index[0]) - 3]
      return mapBits < 24 ? fiveBits(color) : [color[2], color[1], color[0], mapBits == 32 ? color[3] : 255]
    }
    file.stored[0] = [200]
    #expect(throws: CodecError.self) {
      try TGADecoder().decode(file.bytes, options: DecodingOptions(tolerance: .strict))
    }
    #expect(try TGADecoder().decode(file.bytes).diagnostics.count == 1)
  }

  @Test func missingPixels() throws {
    var file = TestTGA(type: 2, bits: 24)
    file.descriptor = 0x20
    let cut = Array(file.bytes.dropLast(4))
    let image = try TGADecoder().decode(cut)
    let expected = file.pixels { [$0[2], $0[1], $0[0]] }
    #expect(!image.isComplete && image.bitmap.packedPixels == Array(expected.dropLast(6)) + [0, 0, 0, 0, 0, 0])
    #expect(throws: CodecError.self) {
      try TGADecoder().decode(cut, options: DecodingOptions(tolerance: .strict))
    }
  }

  @Test func implausibleHeadersAreNotRecognized() {
    let file = TestTGA(type: 2, bits: 24).bytes
    for (index, value) in [(1, 2), (2, 0), (2, 4), (5, 1), (12, 0), (14, 0), (16, 23), (17, 8), (17, 0x80)]
      as [(Int, UInt8)]
    {
      var other = file
      other[index] = value
      #expect(TGADecoder().probe(other.span) == .no, "\(index)")
    }
    let text = Array("<svg xmlns=".utf8)
    #expect(TGADecoder().probe(text.span) == .no)
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() {
    for type in [2, 10, 11] as [UInt8] {
      var file = TestTGA(type: type, bits: type == 11 ? 8 : 24)
      file.descriptor = type == 10 ? 0x20 : 0x10
      #expect(DecoderContract(TGADecoder(), file.bytes).violations() == [])
    }
  }
}
