// Developed pictures, compared with the formulas of the specification in double precision.

import ImageCoding
import JPEGCodec
import RawCodec
import TestSupport
import Testing

@Suite struct DevelopmentTests {
  private let decoder = RawDecoder(jpegDecoder: JPEGDecoder(), losslessJPEGDecoder: JPEGDecoder())

  private func pixels(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> [Int] {
    let bitmap = try decoder.decode(file, options: options).bitmap
    #expect(bitmap.format.sampleType == .uint16)
    let bytes = bitmap.packedPixels
    return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
  }

  private func encoded(_ light: Double) -> Double {
    let light = min(max(light, 0), 1)
    if light <= 0.0031308 { return 65_535 * 12.92 * light }
    // The power 5/12 is the cube root of the fourth root, by Newton's method from above.
    let root = (light * light * light * light * light).squareRoot().squareRoot()
    var cube = 1.0
    for _ in 0..<100 { cube -= (cube * cube * cube - root) / (3 * cube * cube) }
    return 65_535 * (1.055 * cube - 0.055)
  }

  private func expectNear(_ values: [Int], _ expected: [Double], tolerance: Double) {
    #expect(values.count == expected.count)
    let worst = zip(values, expected).map { abs(Double($0) - $1) }.max() ?? 0
    #expect(worst <= tolerance)
  }

  /// The camera's colours are those of sRGB, so that only levels and the balance remain.
  @Test func levelsAndWhiteBalance() throws {
    var file = DNGBytes(width: 7, height: 5, samplesPerPixel: 3, samples: DNGBytes.noise(105, bits: 14))
    file.neutral = [(1, 2), (1, 1), (4, 5)]
    file.further = [
      .short(50713, [2, 1]), .rational(50714, (0..<6).map { (300 + $0 * 10, 1) }),
      .long(50717, [15_000, 15_500, 16_000]),
      .rational(50716, (0..<5).map { ($0, 1) }),
      // Its own amplifiers are the cause of the camera's white.
      .rational(50727, file.neutral),
    ]
    let neutral = [0.5, 1, 0.8]
    let expected = (0..<105).map { index in
      let (y, sample) = (index / 21, index % 3)
      let black = Double(300 + (y % 2 * 3 + sample) * 10 + y)
      let highest = Double(300 + (3 + sample) * 10 + 4)
      let value = (Double(file.samples[index]) - black) / (Double([15_000, 15_500, 16_000][sample]) - highest)
      return encoded(min(min(max(value, 0), 1) / neutral[sample], 1))
    }
    // The matrix of sRGB is rounded to four digits.
    expectNear(try pixels(file.bytes), expected, tolerance: 60)
  }

  /// The matrices from linear sRGB to other primaries are those of ITU-R BT.2087 and SMPTE EG 432-1.
  @Test(arguments: [
    (RawColorSpace.displayP3, [0.8224621, 0.1775380, 0, 0.0331941, 0.9668058, 0, 0.0170827, 0.0723974, 0.9105199]),
    (.bt2020, [0.6274039, 0.3292830, 0.0433131, 0.0690973, 0.9195404, 0.0113623, 0.0163914, 0.0880133, 0.8955953]),
  ])
  func wideColorSpaces(_ space: RawColorSpace, matrix: [Double]) throws {
    let file = DNGBytes(width: 7, height: 5, samplesPerPixel: 3, samples: DNGBytes.noise(105))
    let options = DecodingOptions(rawColorSpace: space)
    let image = try decoder.decode(file.bytes, options: options)
    #expect(image.bitmap.colorSpace == space.colorSpace && image.info.colorSpace == space.colorSpace)
    let expected = (0..<105).map { index in
      let (pixel, row) = (index / 3 * 3, index % 3 * 3)
      return encoded((0..<3).reduce(0) { $0 + matrix[row + $1] * Double(file.samples[pixel + $1]) / 65_535 })
    }
    expectNear(try pixels(file.bytes, options), expected, tolerance: 60)
  }

  @Test(arguments: [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]] as [[UInt8]])
  func uniformMosaicInAnActiveArea(pattern: [UInt8]) throws {
    let color: [UInt16] = [12_000, 20_000, 30_000]
    var file = DNGBytes(width: 33, height: 29, samples: [])
    // The pattern starts at the active area, not at the frame.
    file.samples = (0..<33 * 29).map { index in
      let (x, y) = (index % 33 - 3, index / 33 - 5)
      return x >= 0 && y >= 0 ? color[Int(pattern[y % 2 * 2 + x % 2])] : 65_535
    }
    file.pattern = pattern
    file.further = [
      .long(50829, [5, 3, 29, 33]), .rational(50719, [(1, 1), (2, 1)]), .rational(50720, [(25, 1), (19, 1)]),
    ]
    let image = try decoder.decode(file.bytes)
    #expect(image.bitmap.pixelSize == PixelSize(width: 25, height: 19))
    let expected = (0..<25 * 19 * 3).map { encoded(Double(color[$0 % 3]) / 65_535) }
    expectNear(try pixels(file.bytes), expected, tolerance: 60)
  }

  /// Exchanging rows and columns of the mosaic does the same to the picture, edges included.
  @Test(arguments: [(40, 30), (13, 50), (9, 4), (2, 2)]) func transposition(width: Int, height: Int) throws {
    let noise = DNGBytes.noise(width * height)
    var random = 0
    let samples = noise.map { sample -> UInt16 in
      random = (random * 7 + Int(sample)) / 8
      return UInt16(random)
    }
    let file = DNGBytes(width: width, height: height, samples: samples)
    let transposed = DNGBytes(
      width: height, height: width, samples: (0..<width * height).map { samples[$0 % height * width + $0 / height] })
    let (one, other) = (try pixels(file.bytes), try pixels(transposed.bytes))
    for y in 0..<height {
      for x in 0..<width {
        for sample in 0..<3 {
          let (a, b) = (one[(y * width + x) * 3 + sample], other[(x * height + y) * 3 + sample])
          if abs(a - b) > 40 { Issue.record("(\(x), \(y), \(sample)): \(a), transposed \(b)") }
        }
      }
    }
  }

  @Test func halfSizeAveragesBlocks() throws {
    let file = DNGBytes(width: 12, height: 8, samples: DNGBytes.noise(96))
    var options = DecodingOptions()
    options.targetSize = PixelSize(width: 6, height: 4)
    var expected: [Double] = []
    for y in 0..<4 {
      for x in 0..<6 {
        func sample(_ dx: Int, _ dy: Int) -> Double {
          let index: Int = (2 * y + dy) * 12 + 2 * x + dx
          return Double(file.samples[index]) / 65_535
        }
        let green: Double = (sample(1, 0) + sample(0, 1)) / 2
        expected += [encoded(sample(0, 0)), encoded(green), encoded(sample(1, 1))]
      }
    }
    // The matrix mixes colours that differ much, and is rounded to four digits.
    expectNear(try pixels(file.bytes, options), expected, tolerance: 200)
  }

  @Test func sixBySixMosaicOfAUniformColor() throws {
    let letters = Array("GGRGGBGGBGGRBRGRBGGGBGGRGGRGGBRBGBRG".utf8)
    let color: [UInt16] = [12_000, 20_000, 30_000]
    var file = DNGBytes(width: 20, height: 17, samples: [])
    file.pattern = letters.map { $0 == 0x52 ? 0 : $0 == 0x47 ? 1 : 2 }
    file.samples = (0..<340).map { index in
      color[
        letters[index / 20 % 6 * 6 + index % 20 % 6] == 0x52
          ? 0 : letters[index / 20 % 6 * 6 + index % 20 % 6] == 0x47 ? 1 : 2]
    }
    let expected = (0..<340 * 3).map { encoded(Double(color[$0 % 3]) / 65_535) }
    expectNear(try pixels(file.bytes), expected, tolerance: 60)
    var options = DecodingOptions()
    options.targetSize = PixelSize(width: 6, height: 5)
    #expect(try decoder.decode(file.bytes, options: options).bitmap.pixelSize == PixelSize(width: 6, height: 5))
  }

  @Test func monochrome() throws {
    var file = DNGBytes(width: 6, height: 5, samples: DNGBytes.noise(30))
    file.pattern = nil
    let image = try decoder.decode(file.bytes)
    #expect(image.bitmap.format == .gray16)
    expectNear(try pixels(file.bytes), file.samples.map { encoded(Double($0) / 65_535) }, tolerance: 3)
  }

  @Test func opcodes() throws {
    var file = DNGBytes(width: 6, height: 5, samples: DNGBytes.noise(30))
    file.pattern = nil
    let area = [0, 0, 5, 6, 0, 1, 1, 1]
    let gains: [Float] = [0.5, 1, 0.75, 0.25]
    let list = OpcodeBytes([
      (8, 0, OpcodeBytes.words(area + [2]) + OpcodeBytes.doubles([0.1, 0.5, 0.25])),
      // The second of two rows only.
      (7, 0, OpcodeBytes.words([1, 0, 5, 6, 0, 1, 2, 1, 3]) + [0, 0, 0x40, 0, 0xFF, 0xFF]),
      (
        9, 0,
        OpcodeBytes.words(area + [2, 2]) + OpcodeBytes.doubles([1, 1, 0, 0]) + OpcodeBytes.words([1])
          + OpcodeBytes.words(gains.map { Int($0.bitPattern) })
      ),
    ])
    file.further = [.undefined(51009, list.bytes)]
    let expected = (0..<30).map { index in
      let (x, y) = (index % 6, index / 6)
      let stored = Double(file.samples[index]) / 65_535
      var value = 0.1 + 0.5 * stored + 0.25 * stored * stored
      if y % 2 == 1 { value = [0, 0x4000, 0xFFFF][min(Int(value * 65_535 + 0.5), 2)] / 65_535 }
      let (u, v) = ((Double(x) + 0.5) / 6, (Double(y) + 0.5) / 5)
      let gain =
        (Double(gains[0]) * (1 - u) + Double(gains[1]) * u) * (1 - v)
        + (Double(gains[2]) * (1 - u) + Double(gains[3]) * u) * v
      return encoded(value * gain)
    }
    expectNear(try pixels(file.bytes), expected, tolerance: 4)
  }

  /// The corrections after demosaicing apply to the colours before white balance.
  @Test func opcodesAfterDemosaicing() throws {
    var file = DNGBytes(width: 5, height: 4, samplesPerPixel: 3, samples: DNGBytes.noise(60).map { $0 / 4 })
    file.neutral = [(1, 2), (1, 1), (4, 5)]
    let square = OpcodeBytes.words([0, 0, 4, 5, 0, 3, 1, 1, 2]) + OpcodeBytes.doubles([0, 0, 1])
    file.further = [.undefined(51022, OpcodeBytes([(8, 0, square)]).bytes), .rational(50727, file.neutral)]
    let expected = (0..<60).map { index in
      let value = Double(file.samples[index]) / 65_535
      return encoded(value * value / [0.5, 1, 0.8][index % 3])
    }
    expectNear(try pixels(file.bytes), expected, tolerance: 60)
  }

  /// Infinite coefficients cancel out to values that are no numbers. The lists are applied to stored samples, to light and to
  /// colours.
  @Test(arguments: [51008, 51009, 51022]) func valuesThatAreNoNumbersAreBlack(list: Int) throws {
    var file = DNGBytes(width: 6, height: 6, samplesPerPixel: 3, samples: DNGBytes.noise(108))
    let area = [0, 0, 6, 6, 0, 3, 1, 1]
    let line = OpcodeBytes.words(area + [1]) + OpcodeBytes.doubles([-1e300, 1e300])
    file.further = [.undefined(list, OpcodeBytes([(8, 0, line)]).bytes)]
    #expect(try pixels(file.bytes).allSatisfy { $0 == 0 })
    // The steps of this grid are almost zero.
    let grid =
      OpcodeBytes.words(area + [2, 2]) + OpcodeBytes.doubles([1e-300, 1e-300, 0.5, 0.5]) + OpcodeBytes.words([1])
      + OpcodeBytes.words([Float](repeating: 1, count: 4).map { Int($0.bitPattern) })
    file.further = [.undefined(list, OpcodeBytes([(9, 0, grid)]).bytes)]
    let gained = try pixels(file.bytes)
    file.further = []
    #expect(try gained == pixels(file.bytes))
  }

  /// A file of a camera has bytes for its pixels; a small file with many pixels has not.
  @Test func bytesPayForDevelopment() throws {
    let file = DNGBytes(width: 64, height: 64, samples: DNGBytes.noise(4_096))
    let limits = DecodingLimits(maximumWork: 100_000, maximumWorkPerPixel: 1)
    _ = try decoder.decode(file.bytes, options: DecodingOptions(limits: limits))
    var zeros = DNGBytes(width: 64, height: 64, samples: [UInt16](repeating: 0, count: 4_096))
    zeros.compression = 8
    // 8,192 zeros, compressed by zlib.
    zeros.compress = { _, _ in
      [
        0x78, 0xDA, 0xED, 0xC1, 0x01, 0x0D, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0xF7, 0x4F, 0x6D, 0x0E, 0x37, 0xA0, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x77, 0x03, 0x20, 0x00, 0x00, 0x01,
      ]
    }
    #expect { try decoder.decode(zeros.bytes, options: DecodingOptions(limits: limits)) } throws: {
      ($0 as? CodecError)?.kind == .limitExceeded
    }
  }

  @Test func opcodesThatAreNotApplied() throws {
    var file = DNGBytes(width: 4, height: 4, samples: DNGBytes.noise(16))
    file.further = [.undefined(51022, OpcodeBytes([(1, 0, [0, 0, 0, 0])]).bytes)]
    #expect(try decoder.decode(file.bytes).diagnostics.map(\.reason) == ["the opcode WarpRectilinear is not applied"])
    #expect { try decoder.decode(file.bytes, options: DecodingOptions(tolerance: .strict)) } throws: {
      ($0 as? CodecError)?.kind == .unsupported
    }
    file.further = [.undefined(51022, OpcodeBytes([(1, 1, [0, 0, 0, 0])]).bytes)]
    #expect(try decoder.decode(file.bytes, options: DecodingOptions(tolerance: .strict)).diagnostics.count == 1)
  }

  @Test func tonedRenderingIsBrighter() throws {
    var file = DNGBytes(width: 4, height: 4, samples: [UInt16](repeating: 8_000, count: 16))
    file.pattern = nil
    file.further = [.signedRational(50730, [(1, 1)])]
    var options = DecodingOptions()
    options.rawRendering = .toned
    let light = 8_000.0 / 65_535 * 2
    expectNear(
      try pixels(file.bytes, options), [Double](repeating: encoded(1.6 * light / (1 + 1.1 * light)), count: 16),
      tolerance: 4)
  }

  @Test func whiteBelowBlackIsMalformed() {
    var file = DNGBytes(width: 4, height: 4, samples: DNGBytes.noise(16))
    file.further = [.short(50714, [500]), .short(50717, [400])]
    #expect { try decoder.decode(file.bytes) } throws: { ($0 as? CodecError)?.kind == .malformed }
  }

  @Test func contractIsKept() {
    var mosaic = DNGBytes(width: 6, height: 4, samples: DNGBytes.noise(24, bits: 8))
    mosaic.bits = 8
    #expect(DecoderContract(decoder, mosaic.bytes, nestedTypes: ["public.jpeg"]).violations().prefix(8) == [])
  }
}

/// A list of opcodes.
private struct OpcodeBytes {
  let bytes: [UInt8]

  init(_ opcodes: [(identifier: Int, flags: Int, data: [UInt8])]) {
    bytes =
      Self.words([opcodes.count])
      + opcodes.flatMap { Self.words([$0.identifier, 0x0103_0000, $0.flags, $0.data.count]) + $0.data }
  }

  static func words(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) } }
  }

  static func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - $0 * 8)) } }
  }
}
