// Files by a slow encoder that chooses among all codes at random.

import ImageCoding
import QOICodec
import TestSupport
import Testing

private func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) } }

/// Encodes pixels with codes chosen at random among those that apply.
private func encoded(_ pixels: [[UInt8]], width: Int, channels: Int, seed: UInt64) -> [UInt8] {
  var random = TestRandom(seed)
  var file = Array("qoif".utf8) + big(width) + big(pixels.count / width) + [UInt8(channels), 0]
  var table = [[UInt8]](repeating: [0, 0, 0, 0], count: 64)
  var last: [UInt8] = [0, 0, 0, 255]
  var index = 0
  while index < pixels.count {
    let pixel = pixels[index]
    var run = 0
    while run < 62, index + run < pixels.count, pixels[index + run] == last { run += 1 }
    let place = (Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11) % 64
    let d = (0..<3).map { Int(Int8(bitPattern: pixel[$0] &- last[$0])) }
    var choices: [[UInt8]] = [[0xFF] + pixel]
    if pixel[3] == last[3] {
      choices.append([0xFE] + pixel[..<3])
      if d.allSatisfy({ (-2...1).contains($0) }) {
        choices.append([UInt8(0x40 | (d[0] + 2) << 4 | (d[1] + 2) << 2 | (d[2] + 2))])
      }
      if (-32...31).contains(d[1]), (-8...7).contains(d[0] - d[1]), (-8...7).contains(d[2] - d[1]) {
        choices.append([UInt8(0x80 | (d[1] + 32)), UInt8((d[0] - d[1] + 8) << 4 | (d[2] - d[1] + 8))])
      }
    }
    if table[place] == pixel { choices.append([UInt8(place)]) }
    if run > 0, Bool.random(using: &random) {
      file.append(UInt8(0xC0 | (run - 1)))
      index += run
    } else {
      file += choices[Int.random(in: 0..<choices.count, using: &random)]
      index += 1
    }
    table[place] = pixel
    last = pixel
  }
  return file + [0, 0, 0, 0, 0, 0, 0, 1]
}

private func picture(_ count: Int, hasAlpha: Bool, seed: UInt64) -> [[UInt8]] {
  var random = TestRandom(seed)
  var pixel: [UInt8] = [100, 100, 100, 255]
  return (0..<count).map { _ in
    switch Int.random(in: 0..<5, using: &random) {
    case 0: break
    case 1: pixel = random.bytes(3) + [hasAlpha ? random.bytes(1)[0] : 255]
    case 2:
      for index in 0..<3 {
        pixel[index] = pixel[index] &+ UInt8(truncatingIfNeeded: Int.random(in: -2...1, using: &random))
      }
    default:
      let green = Int.random(in: -32...31, using: &random)
      for index in 0..<3 {
        let other = index == 1 ? 0 : Int.random(in: -8...7, using: &random)
        pixel[index] = pixel[index] &+ UInt8(truncatingIfNeeded: green + other)
      }
    }
    return pixel
  }
}

@Suite struct QOITests {
  @Test func allCodes() throws {
    for seed in 0..<20 {
      let hasAlpha = seed % 2 == 1
      let pixels = picture(17 * 9, hasAlpha: hasAlpha, seed: UInt64(seed))
      let file = encoded(pixels, width: 17, channels: hasAlpha ? 4 : 3, seed: UInt64(seed))
      let image = try QOIDecoder().decode(file, options: DecodingOptions(tolerance: .strict))
      #expect(image.bitmap.format == (hasAlpha ? .rgba8 : .rgb8) && image.bitmap.colorSpace == .sRGB)
      #expect(try image.bitmap.converted(to: .rgba8).packedPixels == pixels.flatMap { $0 })
    }
  }

  @Test func damageIsToleratedUnlessStrict() throws {
    let pixels = picture(12, hasAlpha: true, seed: 3)
    let file = encoded(pixels, width: 4, channels: 4, seed: 3)
    let strict = DecodingOptions(tolerance: .strict)
    let cut = Array(file.prefix(14 + 5 * 4))
    #expect(throws: CodecError.self) { try QOIDecoder().decode(cut, options: strict) }
    let image = try QOIDecoder().decode(cut)
    #expect(!image.isComplete && Array(image.bitmap.packedPixels.prefix(4)) == pixels[0])
    let unended = Array(file.dropLast(8))
    #expect(throws: CodecError.self) { try QOIDecoder().decode(unended, options: strict) }
    #expect(try QOIDecoder().decode(unended).bitmap.packedPixels == pixels.flatMap { $0 })
    var channels = file
    channels[12] = 9
    #expect(throws: CodecError.self) { try QOIDecoder().decode(channels, options: strict) }
    #expect(try QOIDecoder().decode(channels).bitmap.packedPixels == pixels.flatMap { $0 })
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() {
    for hasAlpha in [false, true] {
      let file = encoded(
        picture(35, hasAlpha: hasAlpha, seed: 8), width: 5, channels: hasAlpha ? 4 : 3, seed: 9)
      #expect(DecoderContract(QOIDecoder(), file).violations() == [])
    }
  }
}
