// VP8L streams written by the tests themselves, from pixels that they know.

import TestSupport
import Testing
import WebPCodec

private func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// A file of a VP8L image whose stream after the header is given.
private func file(width: Int, height: Int, _ stream: [UInt8]) -> [UInt8] {
  let header: Int = (width - 1) | (height - 1) << 14 | 1 << 28
  var payload: [UInt8] = [0x2F]
  payload += little(header, 4)
  payload += stream
  if payload.count % 2 == 1 { payload.append(0) }
  var file = Array("RIFF".utf8)
  file += little(payload.count + 12, 4)
  file += Array("WEBPVP8L".utf8)
  file += little(payload.count, 4)
  return file + payload
}

/// Codes of eight bits for all samples, so that any pixel can be written; lengths and distances have codes too.
private struct PlainCodes {
  static let samples = [Int](repeating: 8, count: 256)
  static let distances = [Int](repeating: 5, count: 24) + [Int](repeating: 6, count: 16)
}

/// Writes an image of literals and backward references.
private struct ImageWriter {
  var bits = BitWriter()
  private let green: [(bits: Int, length: Int)]
  private let samples = canonicalCodes(PlainCodes.samples)
  private let distances = canonicalCodes(PlainCodes.distances)
  private let cacheSize: Int

  init(cacheSize: Int = 0) {
    self.cacheSize = cacheSize
    green = canonicalCodes(Self.greenLengths(cacheSize))
  }

  private static func greenLengths(_ cacheSize: Int) -> [Int] {
    // 256 · 2⁻⁹ and 16 · 2⁻⁵ without a cache, 32 · 2⁻⁶ with one of 16 places: complete in both cases.
    var lengths = [Int](repeating: 9, count: 256)
    lengths += [Int](repeating: cacheSize == 0 ? 5 : 6, count: 16)
    lengths += [Int](repeating: 0, count: 8)
    lengths += [Int](repeating: 6, count: cacheSize)
    return lengths
  }

  /// Writes the five codes.
  mutating func writeCodes() {
    bits.writeCode(lengths: Self.greenLengths(cacheSize))
    for _ in 0..<3 { bits.writeCode(lengths: PlainCodes.samples) }
    bits.writeCode(lengths: PlainCodes.distances)
  }

  mutating func literal(_ pixel: UInt32) {
    bits.writeCode(green[Int(pixel >> 8 & 255)])
    for shift in [16, 0, 24] as [UInt32] { bits.writeCode(samples[Int(pixel >> shift & 255)]) }
  }

  mutating func cached(_ index: Int) { bits.writeCode(green[280 + index]) }

  mutating func copy(length: Int, distanceCode: Int) {
    let (lengthPrefix, lengthBits, lengthExtra) = Self.prefix(length)
    bits.writeCode(green[256 + lengthPrefix])
    bits.write(lengthExtra, lengthBits)
    let (prefix, bitCount, extra) = Self.prefix(distanceCode)
    bits.writeCode(distances[prefix])
    bits.write(extra, bitCount)
  }

  /// Section 5.2.2: the prefix code and extra bits of a value from 1 on.
  private static func prefix(_ value: Int) -> (code: Int, bitCount: Int, extra: Int) {
    if value <= 4 { return (value - 1, 0, 0) }
    var code = 4
    while true {
      let bitCount = (code - 2) >> 1
      let offset = (2 + (code & 1)) << bitCount
      if value - 1 < offset + (1 << bitCount) { return (code, bitCount, value - 1 - offset) }
      code += 1
    }
  }

  /// A data image of literals, as transforms have it.
  mutating func dataImage(_ pixels: [UInt32]) {
    bits.write(0, 1)
    writeCodes()
    for pixel in pixels { literal(pixel) }
  }
}

private func pixels(of image: DecodedImage) -> [UInt32] {
  let bytes = image.bitmap.packedPixels
  return stride(from: 0, to: bytes.count, by: 4).map { (index: Int) -> UInt32 in
    var pixel: UInt32 = 0
    for offset in [3, 0, 1, 2] { pixel = pixel << 8 | UInt32(bytes[index + offset]) }
    return pixel
  }
}

private func noisePixels(_ count: Int, seed: UInt64) -> [UInt32] {
  var noise = TestRandom(seed)
  return (0..<count).map { _ in UInt32.random(in: 0...UInt32.max, using: &noise) }
}

private func add(_ a: UInt32, _ b: UInt32, sign: UInt32 = 1) -> UInt32 {
  var result: UInt32 = 0
  for shift in [0, 8, 16, 24] as [UInt32] {
    let sample: UInt32 = (a >> shift) &+ sign &* (b >> shift)
    result |= (sample & 255) << shift
  }
  return result
}

@Suite struct LosslessTests {
  private func decode(_ width: Int, _ height: Int, _ writer: ImageWriter) throws -> [UInt32] {
    let image = try WebPDecoder().decode(
      file(width: width, height: height, writer.bits.bytes).span, options: DecodingOptions(tolerance: .strict))
    #expect(image.isComplete)
    return pixels(of: image)
  }

  @Test func literalsAreThePixels() throws {
    let expected = noisePixels(7 * 5, seed: 1)
    var writer = ImageWriter()
    writer.bits.write(0, 3)
    writer.writeCodes()
    for pixel in expected { writer.literal(pixel) }
    #expect(try decode(7, 5, writer) == expected)
  }

  @Test func referencesCopyPixelByPixel() throws {
    let width = 20
    var writer = ImageWriter()
    writer.bits.write(0, 3)
    writer.writeCodes()
    var expected = noisePixels(60, seed: 2)
    for pixel in expected { writer.literal(pixel) }
    // Distance codes: 2 is the pixel to the left, 1 the one above, 3 above to the left, 4 above to the right, 120 plus
    // n is n pixels back; short distances repeat what they write.
    for (length, code, distance) in [
      (9, 2, 1), (30, 1, width), (5, 3, width + 1), (17, 4, width - 1), (100, 122, 2), (6, 123, 3), (50, 180, 60),
      (23, 124, 4),
    ] {
      writer.copy(length: length, distanceCode: code)
      for _ in 0..<length { expected.append(expected[expected.count - distance]) }
    }
    let height = expected.count / width
    #expect(expected.count == width * height)
    #expect(try decode(width, height, writer) == expected)
  }

  @Test func theCacheHoldsEveryPixelByItsHash() throws {
    var writer = ImageWriter(cacheSize: 16)
    writer.bits.write(0, 1)
    writer.bits.write(1, 1)
    writer.bits.write(4, 4)
    writer.bits.write(0, 1)
    writer.writeCodes()
    var expected: [UInt32] = []
    var cache = [UInt32](repeating: 0, count: 16)
    var noise = TestRandom(3)
    for index in 0..<200 {
      switch index % 5 {
      case 1, 3:
        let slot = Int.random(in: 0..<16, using: &noise)
        writer.cached(slot)
        expected.append(cache[slot])
      case 4 where index > 10:
        writer.copy(length: 1, distanceCode: 125)
        expected.append(expected[expected.count - 5])
      default:
        let pixel = UInt32.random(in: 0...UInt32.max, using: &noise)
        writer.literal(pixel)
        expected.append(pixel)
      }
      let pixel = expected[expected.count - 1]
      cache[Int((pixel &* 0x1E35_A7BD) >> 28)] = pixel
    }
    #expect(try decode(20, 10, writer) == expected)
  }

  @Test func groupsOfCodesHoldForTheirBlocks() throws {
    // Blocks of 4 × 4; each group has one colour, different from the others', so that pixels take no bits. Group 3 of 6
    // is not used.
    let (width, height) = (10, 9)
    let blocks: [UInt32] = [0, 1, 2, 5, 4, 0, 2, 2, 1]
    var writer = ImageWriter()
    writer.bits.write(0, 2)
    writer.bits.write(1, 1)
    writer.bits.write(0, 3)
    writer.dataImage(blocks.map { $0 << 8 })
    for group in 0..<6 {
      for sample in [10 + group, 20 + group, 30 + group, 255, 0] { writer.bits.writeSimpleCode([sample]) }
    }
    let expected = (0..<width * height).map { index -> UInt32 in
      let block: Int = index / width / 4 * 3 + index % width / 4
      let group: UInt32 = blocks[block]
      let red: UInt32 = (20 + group) << 16
      let green: UInt32 = (10 + group) << 8
      return 0xFF00_0000 + red + green + 30 + group
    }
    #expect(try decode(width, height, writer) == expected)
  }

  @Test func greenIsAdded() throws {
    let expected = noisePixels(6 * 4, seed: 4)
    var writer = ImageWriter()
    writer.bits.write(1, 1)
    writer.bits.write(2, 2)
    writer.bits.write(0, 3)
    writer.writeCodes()
    for pixel in expected {
      let green = pixel >> 8 & 255
      writer.literal(add(pixel, green << 16 | green, sign: .max))
    }
    #expect(try decode(6, 4, writer) == expected)
  }

  @Test func coloursAreCorrelatedByBlocks() throws {
    let (width, height) = (11, 6)
    let expected = noisePixels(width * height, seed: 5)
    let factors = noisePixels(3 * 2, seed: 6)
    var writer = ImageWriter()
    writer.bits.write(1, 1)
    writer.bits.write(1, 2)
    writer.bits.write(0, 3)
    writer.dataImage(factors)
    writer.bits.write(0, 3)
    writer.writeCodes()
    for (index, pixel) in expected.enumerated() {
      let factor = factors[index / width / 4 * 3 + index % width / 4]
      func delta(_ shift: UInt32, _ sample: UInt32) -> UInt32 {
        let product = Int(Int8(truncatingIfNeeded: factor >> shift)) * Int(Int8(truncatingIfNeeded: sample))
        return UInt32(truncatingIfNeeded: product >> 5) & 255
      }
      let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
      let codedRed = (red &- delta(0, green)) & 255
      let codedBlue = (blue &- delta(8, green) &- delta(16, red)) & 255
      let kept: UInt32 = pixel & 0xFF00_FF00
      writer.literal(kept + codedRed << 16 + codedBlue)
    }
    #expect(try decode(width, height, writer) == expected)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 256]) func indicesNameColours(_ count: Int) throws {
    let colors = noisePixels(count, seed: 7)
    let bits = count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3
    let (width, height) = (13, 3)
    var noise = TestRandom(8)
    let indices = (0..<width * height).map { _ in Int.random(in: 0..<count, using: &noise) }
    var writer = ImageWriter()
    writer.bits.write(1, 1)
    writer.bits.write(3, 2)
    writer.bits.write(count - 1, 8)
    writer.dataImage(colors.indices.map { $0 == 0 ? colors[0] : add(colors[$0], colors[$0 - 1], sign: .max) })
    writer.bits.write(0, 3)
    writer.writeCodes()
    for y in 0..<height {
      for x in stride(from: 0, to: width, by: 1 << bits) {
        var packed = 0
        for part in 0..<min(1 << bits, width - x) {
          let index: Int = indices[y * width + x + part]
          packed |= index << (part * (8 >> bits))
        }
        writer.literal(UInt32(packed) << 8)
      }
    }
    #expect(try decode(width, height, writer) == indices.map { colors[$0] })
  }

  @Test func indicesPastThePaletteAreTransparent() throws {
    var writer = ImageWriter()
    writer.bits.write(1, 1)
    writer.bits.write(3, 2)
    writer.bits.write(16, 8)
    writer.dataImage([UInt32](repeating: 0x0101_0101, count: 17))
    writer.bits.write(0, 3)
    writer.writeCodes()
    for index in [16, 17, 255] as [UInt32] { writer.literal(index << 8) }
    #expect(try decode(3, 1, writer) == [0x1111_1111, 0, 0])
  }

  @Test func aRepeatedTransformIsAnError() throws {
    var writer = ImageWriter()
    for _ in 0..<2 {
      writer.bits.write(1, 1)
      writer.bits.write(2, 2)
    }
    let bytes = file(width: 1, height: 1, writer.bits.bytes + [0, 0, 0, 0])
    let error = #expect(throws: CodecError.self) { try WebPDecoder().decode(bytes.span) }
    #expect(error?.kind == .malformed)
  }
}

@Suite struct PredictorTests {
  /// Section 4.1, sample by sample.
  static func prediction(_ mode: Int, _ left: UInt32, _ top: UInt32, _ topRight: UInt32, _ topLeft: UInt32) -> UInt32 {
    func samples(_ pixel: UInt32) -> [Int] { (0..<4).map { Int(pixel >> UInt32($0 * 8) & 255) } }
    let (l, t, r, c) = (samples(left), samples(top), samples(topRight), samples(topLeft))
    func clamp(_ value: Int) -> Int { min(max(value, 0), 255) }
    func mean(_ a: [Int], _ b: [Int]) -> [Int] { (0..<4).map { (a[$0] + b[$0]) / 2 } }
    func make(_ samples: [Int]) -> UInt32 {
      var pixel: UInt32 = 0
      for sample in samples.reversed() { pixel = pixel << 8 | UInt32(sample) }
      return pixel
    }
    switch mode {
    case 1: return left
    case 2: return top
    case 3: return topRight
    case 4: return topLeft
    case 5: return make(mean(mean(l, r), t))
    case 6: return make(mean(l, c))
    case 7: return make(mean(l, t))
    case 8: return make(mean(c, t))
    case 9: return make(mean(t, r))
    case 10: return make(mean(mean(l, c), mean(t, r)))
    case 11:
      var (toLeft, toTop) = (0, 0)
      for sample in 0..<4 {
        toLeft += abs(t[sample] - c[sample])
        toTop += abs(l[sample] - c[sample])
      }
      return toLeft < toTop ? left : top
    case 12: return make((0..<4).map { clamp(l[$0] + t[$0] - c[$0]) })
    case 13:
      let half = mean(l, t)
      return make((0..<4).map { clamp(half[$0] + (half[$0] - c[$0]) / 2) })
    default: return 0xFF00_0000
    }
  }

  @Test(arguments: 0..<16) func everyModeIsThatOfTheSpecification(_ mode: Int) {
    for count in 2...19 {
      let upper = noisePixels(count + 1, seed: UInt64(mode * 31 + count))
      let differences = noisePixels(count, seed: UInt64(mode * 17 + count))
      var expected = differences
      for x in 1..<count {
        expected[x] = add(
          differences[x], Self.prediction(mode, expected[x - 1], upper[x], upper[x + 1], upper[x - 1]))
      }
      var row = differences
      var span = row.mutableSpan
      addPredictions(&span, upper: upper.span, columns: 1..<count, mode: UInt8(mode))
      #expect(row == expected, "\(count) pixels")
    }
  }

  @Test func theEdgesOfThePictureHavePredictionsOfTheirOwn() throws {
    let (width, height) = (9, 7)
    let modes: [UInt32] = [3, 9, 5, 10, 3, 12]
    let differences = noisePixels(width * height, seed: 20)
    var expected = differences
    for index in expected.indices {
      let (x, y) = (index % width, index / width)
      let prediction: UInt32
      if index == 0 {
        prediction = 0xFF00_0000
      } else if y == 0 {
        prediction = expected[index - 1]
      } else if x == 0 {
        prediction = expected[index - width]
      } else {
        // To the right of the last column comes the first pixel of the row.
        prediction = Self.prediction(
          Int(modes[y / 4 * 3 + x / 4]), expected[index - 1], expected[index - width], expected[index - width + 1],
          expected[index - width - 1])
      }
      expected[index] = add(differences[index], prediction)
    }
    var writer = ImageWriter()
    writer.bits.write(1, 1)
    writer.bits.write(0, 2)
    writer.bits.write(0, 3)
    writer.dataImage(modes.map { $0 << 8 })
    writer.bits.write(0, 3)
    writer.writeCodes()
    for pixel in differences { writer.literal(pixel) }
    let image = try WebPDecoder().decode(file(width: width, height: height, writer.bits.bytes).span)
    #expect(pixels(of: image) == expected)
  }
}
