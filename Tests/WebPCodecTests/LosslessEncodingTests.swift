// Lossless encoding: what comes back is what went in.

import ImageCoding
import TestSupport
import Testing
import WebPCodec

/// Pictures that exercise different transforms.
enum EncodingSample: String, CaseIterable {
  case noise, gradient, palette, twoColors, flat, repeated, transparent, runs

  /// Returns RGBA pixels.
  func pixels(width: Int, height: Int, seed: UInt64) -> [UInt8] {
    var random = TestRandom(seed)
    let palette = (0..<64).map { _ in random.bytes(3) }
    var pixels: [UInt8] = []
    var run: (color: [UInt8], rest: Int) = ([0, 0, 0, 255], 0)
    for y in 0..<height {
      for x in 0..<width {
        switch self {
        case .noise: pixels += random.bytes(4)
        case .gradient:
          let noise = UInt8.random(in: 0...3, using: &random)
          pixels += [UInt8((x * 3 + y) & 255), UInt8((x + y * 2) & 255) &+ noise, UInt8((x * y / 8) & 255), 255]
        case .palette: pixels += palette[(x / 3 + y / 2 * 7) % 37] + [255]
        case .twoColors: pixels += (x * x + y * 3) % 5 < 2 ? [10, 20, 30, 255] : [200, 100, 50, 255]
        case .flat: pixels += [7, 77, 177, 255]
        case .repeated: pixels += palette[(x % 11 + y % 5 * 11) % 64] + [UInt8(200 + x % 11)]
        case .transparent:
          pixels += [UInt8(x * 5 & 255), UInt8(y * 7 & 255), 99, (x + y) % 4 == 0 ? 0 : UInt8((x * y) & 255)]
        case .runs:
          if run.rest == 0 { run = (random.bytes(3) + [255], Int.random(in: 1...300, using: &random)) }
          run.rest -= 1
          pixels += run.color
        }
      }
    }
    return pixels
  }

  func bitmap(width: Int, height: Int, seed: UInt64 = 1) throws -> Bitmap {
    try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels(width: width, height: height, seed: seed))
  }
}

/// Decodes strictly, so that nothing but the announced pixels is accepted.
func strictlyDecoded(_ file: [UInt8], format: PixelFormat = .rgba8) throws -> Bitmap {
  let options = DecodingOptions(pixelFormat: format, orientation: .report, tolerance: .strict)
  return try WebPDecoder().decode(file.span, options: options).bitmap
}

@Suite struct LosslessEncodingTests {
  static let sizes = [(1, 1), (1, 9), (13, 1), (2, 3), (17, 16), (33, 31), (100, 67)]

  /// Twelve bytes per pixel and the file, for pictures in which every pixel is a literal too.
  @Test(arguments: [EncodingSample.noise, .gradient, .flat]) func littleMemoryIsHeld(_ sample: EncodingSample) throws {
    let bitmap = try sample.bitmap(width: 1000, height: 900)
    var budget = ResourceBudget(encoding: [bitmap.pixelSize], format: WebPDecoder.type)
    let options = WebPEncoder.Options(coding: .lossless, effort: 0, keepsInvisibleColors: true)
    let file = try WebPEncoder(options: options).encode(bitmap, budget: &budget)
    #expect(budget.heldByteCount == file.count)
    let pixelByteCount = 900_000 * 12
    let greatestByteCount = pixelByteCount + 2 * file.count + 1_000_000
    #expect(budget.peakByteCount <= greatestByteCount)
    #expect(try strictlyDecoded(file).packedPixels == bitmap.packedPixels)
  }

  @Test(arguments: EncodingSample.allCases, sizes)
  func pixelsArePreserved(_ sample: EncodingSample, _ size: (Int, Int)) throws {
    let bitmap = try sample.bitmap(width: size.0, height: size.1)
    for effort in [0, 2, 4, 6, 9] {
      var options = WebPEncoder.Options(coding: .lossless, effort: effort, keepsInvisibleColors: true)
      let file = try WebPEncoder(options: options).encode(bitmap)
      #expect(try strictlyDecoded(file).packedPixels == bitmap.packedPixels, "effort \(effort)")
      options.parallelism = 2
      #expect(try WebPEncoder(options: options).encode(bitmap) == file, "effort \(effort)")
    }
  }

  @Test(arguments: PixelFormat.all) func everyPixelFormatIsPreserved(_ format: PixelFormat) throws {
    for size in [(1, 1), (7, 5), (32, 9)] {
      let samples = try EncodingSample.gradient.bitmap(width: size.0, height: size.1)
      let bitmap = try samples.converted(to: format)
      var options = WebPEncoder.Options.lossless
      options.keepsInvisibleColors = true
      let file = try WebPEncoder(options: options).encode(bitmap)
      #expect(try strictlyDecoded(file).packedPixels == bitmap.converted(to: .rgba8).packedPixels)
    }
  }

  @Test func onlyInvisibleColorsChange() throws {
    for size in Self.sizes {
      let bitmap = try EncodingSample.transparent.bitmap(width: size.0, height: size.1)
      for effort in 0...9 {
        let file = try WebPEncoder(options: .init(coding: .lossless, effort: effort)).encode(bitmap)
        let decoded = try strictlyDecoded(file).packedPixels
        let expected = bitmap.packedPixels
        for index in stride(from: 0, to: expected.count, by: 4) {
          #expect(decoded[index + 3] == expected[index + 3])
          if expected[index + 3] != 0 { #expect(decoded[index..<index + 3] == expected[index..<index + 3]) }
        }
      }
    }
  }

  /// With a quality of 20 · n, samples change by less than 2⁵⁻ⁿ in total over all rounds.
  @Test func nearLosslessBoundsTheError() throws {
    let bitmap = try EncodingSample.noise.bitmap(width: 50, height: 40)
    let exact = try WebPEncoder(options: .lossless).encode(bitmap)
    for quality in [0, 20, 40, 60, 80, 99] {
      let options = WebPEncoder.Options(coding: .lossless, nearLossless: quality, keepsInvisibleColors: true)
      let file = try WebPEncoder(options: options).encode(bitmap)
      #expect(file.count < exact.count)
      let limit = 1 << (5 - quality / 20)
      let decoded = try strictlyDecoded(file).packedPixels
      let original = bitmap.packedPixels
      #expect(zip(decoded, original).allSatisfy { abs(Int($0) - Int($1)) <= limit }, "quality \(quality)")
    }
  }

  @Test func randomImagesArePreserved() throws {
    var random = TestRandom(77)
    for round in 0..<60 {
      let (width, height) = (Int.random(in: 1...70, using: &random), Int.random(in: 1...70, using: &random))
      let sample = EncodingSample.allCases.randomElement(using: &random) ?? .noise
      let bitmap = try sample.bitmap(width: width, height: height, seed: UInt64(round))
      let options = WebPEncoder.Options(
        coding: .lossless, effort: Int.random(in: 0...9, using: &random), keepsInvisibleColors: true)
      let file = try WebPEncoder(options: options).encode(bitmap)
      #expect(try strictlyDecoded(file).packedPixels == bitmap.packedPixels, "\(sample) \(width) × \(height)")
    }
  }

  /// A run longer than the greatest length of a match, with a colour cache and blocks that copies cover.
  @Test func longMatchesArePreserved() throws {
    for (width, height) in [(5000, 3), (9001, 2), (300, 200)] {
      for sample in [EncodingSample.flat, .runs, .repeated] {
        let bitmap = try sample.bitmap(width: width, height: height)
        let file = try WebPEncoder(options: .lossless).encode(bitmap)
        #expect(try strictlyDecoded(file).packedPixels == bitmap.packedPixels)
      }
    }
  }
}

@Suite struct PrefixCodeWritingTests {
  /// The number of bits of an optimal code: Huffman's algorithm on a list that is sorted again for every merge.
  private func optimalBits(_ counts: [UInt32]) -> Int {
    var weights = counts.filter { $0 > 0 }.map { Int($0) }
    if weights.count == 1 { return weights[0] }
    var bits = 0
    while weights.count > 1 {
      weights.sort(by: >)
      let sum = weights.removeLast() + weights.removeLast()
      bits += sum
      weights.append(sum)
    }
    return bits
  }

  @Test func lengthsAreOptimal() {
    var random = TestRandom(3)
    for round in 1..<100 {
      let counts = (0..<round).map { _ in UInt32.random(in: 0...50, using: &random) }
      let lengths = prefixCodeLengths(of: counts.span, limit: 15)
      let bits = zip(counts, lengths).reduce(0) { $0 + Int($1.0) * Int($1.1) }
      #expect(bits == optimalBits(counts))
      #expect(zip(counts, lengths).allSatisfy { ($0 > 0) == ($1 > 0) })
    }
  }

  @Test func limitedCodesAreComplete() {
    // Fibonacci numbers need the longest codes.
    var counts: [UInt32] = [1, 1]
    while counts.count < 30 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    for limit in [5, 7, 15] {
      let lengths = prefixCodeLengths(of: counts.span, limit: limit)
      #expect(lengths.max() ?? 0 <= UInt8(limit))
      let shares = lengths.map { (length: UInt8) -> Double in 1 / Double(1 << Int(length)) }
      #expect(shares.reduce(0, +) == 1)
    }
  }

  @Test func codesAreCanonical() {
    let lengths: [UInt8] = [3, 3, 3, 3, 3, 2, 4, 4]
    let codes = canonicalPrefixCodes(lengths.span)
    // The example of RFC 1951, section 3.2.2, with the bits reversed.
    let expected = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111]
    for index in lengths.indices {
      var reversed = 0
      for bit in 0..<Int(lengths[index]) { reversed = reversed << 1 | Int(codes[index]) >> bit & 1 }
      #expect(reversed == expected[index])
    }
  }

  /// The rule of RFC 9649, section 3.6.2.2, read backwards.
  @Test func prefixValuesAreInvertible() {
    for value in Array(1...5000) + [100_000, 1_048_576] {
      let prefix = PrefixValue(value)
      let decoded: Int
      if prefix.symbol < 4 {
        decoded = prefix.symbol + 1
      } else {
        let bits = (prefix.symbol - 2) >> 1
        #expect(bits == prefix.extraBitCount)
        decoded = (2 + prefix.symbol & 1) << bits + Int(prefix.extraBits) + 1
      }
      #expect(decoded == value)
    }
  }

  @Test func bitsAreWrittenFromTheLowest() {
    var writer = LosslessBitWriter(after: [9])
    writer.write(1, 1)
    writer.write(0b10, 2)
    writer.write(0xABCD_EF01, 32)
    writer.write(0x5, 3)
    let bits = UInt64(1) | 0b10 << 1 | 0xABCD_EF01 << 3 | 5 << 35
    #expect(writer.byteCount == 6)
    #expect(writer.finish() == [9] + (0..<5).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }
}
