// Normalised pixels, the PAM reader, and when two images count as the same.

import ConformanceKit
import ImageCore
import Testing

private func image(_ bytes: [UInt8], width: Int = 1, depth: Int = 8) throws -> NormalizedImage {
  let height = bytes.count / (width * 4 * depth / 8)
  return try #require(NormalizedImage(width: width, height: height, depth: depth, rgba: bytes))
}

struct NormalizedImageTests {
  @Test func transparentPixelsLoseTheirColours() throws {
    #expect(try image([1, 2, 3, 0, 4, 5, 6, 1]).bytes == [0, 0, 0, 0, 4, 5, 6, 1])
    let deep = try image([1, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6, 0, 1], depth: 16)
    #expect(deep.bytes == [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 1])
  }

  @Test func sizesMustFit() {
    #expect(NormalizedImage(width: 2, height: 1, depth: 8, rgba: [1, 2, 3, 4]) == nil)
    #expect(NormalizedImage(width: 1, height: 1, depth: 4, rgba: [1, 2, 3, 4]) == nil)
  }

  @Test func narrowingRoundsToNearest() throws {
    for value in 0...65535 {
      let samples = [UInt8(value >> 8), UInt8(value & 255), 0, 0, 0, 0, 255, 255]
      let narrowed = try image(samples, depth: 16).converted(toDepth: 8)
      guard narrowed.bytes[0] == UInt8((Double(value) / 257).rounded()) else {
        Issue.record("\(value) became \(narrowed.bytes[0])")
        return
      }
    }
  }

  @Test func wideningIsLossless() throws {
    let narrow = try image([1, 128, 254, 255])
    #expect(narrow.converted(toDepth: 16).bytes == [1, 1, 128, 128, 254, 254, 255, 255])
    #expect(narrow.converted(toDepth: 16).converted(toDepth: 8) == narrow)
  }

  @Test func bitmapsOfEveryLayout() throws {
    let gray = try Bitmap(width: 2, height: 1, format: .gray8, pixels: [7, 9])
    #expect(NormalizedImage(gray).bytes == [7, 7, 7, 255, 9, 9, 9, 255])
    let blueFirst = try Bitmap(width: 1, height: 1, format: .bgra8, pixels: [1, 2, 3, 4])
    #expect(NormalizedImage(blueFirst).bytes == [3, 2, 1, 4])
    let padded = try Bitmap(width: 1, height: 2, format: .rgb8, bytesPerRow: 4, pixels: [1, 2, 3, 99, 4, 5, 6, 99])
    #expect(NormalizedImage(padded).bytes == [1, 2, 3, 255, 4, 5, 6, 255])
    let value = UInt16(0x1234).bigEndian
    let native = UInt16(bigEndian: value)
    let (low, high) = (
      UInt8(truncatingIfNeeded: native.littleEndian), UInt8(truncatingIfNeeded: native.littleEndian >> 8)
    )
    let deep = try Bitmap(width: 1, height: 1, format: .gray16, pixels: [low, high])
    #expect(NormalizedImage(deep).bytes == [0x12, 0x34, 0x12, 0x34, 0x12, 0x34, 0xFF, 0xFF])
  }

  @Test func theHashIsOfTheSamples() throws {
    // printf '\x01\x02\x03\x04' | sha256sum
    #expect(try image([1, 2, 3, 4]).hash == "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a")
  }
}

struct PortableArbitraryMapTests {
  private func pam(_ channels: Int, _ maximum: Int, _ samples: [UInt8], width: Int = 1, height: Int = 1) -> [UInt8] {
    let header =
      "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH \(channels)\nMAXVAL \(maximum)\nTUPLTYPE ANY\n# note\nENDHDR\n"
    return Array(header.utf8) + samples
  }

  @Test func readsEveryTuple() {
    #expect(PortableArbitraryMap.read(pam(1, 255, [7]))?.bytes == [7, 7, 7, 255])
    #expect(PortableArbitraryMap.read(pam(2, 255, [7, 8]))?.bytes == [7, 7, 7, 8])
    #expect(PortableArbitraryMap.read(pam(3, 255, [1, 2, 3]))?.bytes == [1, 2, 3, 255])
    #expect(PortableArbitraryMap.read(pam(4, 255, [1, 2, 3, 4]))?.bytes == [1, 2, 3, 4])
    #expect(PortableArbitraryMap.read(pam(1, 65535, [1, 2]))?.bytes == [1, 2, 1, 2, 1, 2, 255, 255])
    #expect(PortableArbitraryMap.read(pam(4, 255, Array(1...16), width: 2, height: 2))?.bytes == Array(1...16))
  }

  @Test func refusesOtherThings() {
    #expect(PortableArbitraryMap.read([]) == nil)
    #expect(PortableArbitraryMap.read(Array("P6\n1 1\n255\nabc".utf8)) == nil)
    #expect(PortableArbitraryMap.read(pam(4, 255, [1, 2, 3])) == nil)
    #expect(PortableArbitraryMap.read(pam(4, 255, [1, 2, 3, 4, 5])) == nil)
    #expect(PortableArbitraryMap.read(pam(1, 15, [1])) == nil)
    #expect(PortableArbitraryMap.read(pam(9, 255, [1])) == nil)
  }
}

struct PixelDifferenceTests {
  @Test func exactMeansEqual() throws {
    let difference = try #require(PixelDifference(image([1, 2, 3, 4]), image([1, 2, 3, 4])))
    #expect(difference.satisfies(.exact) == true)
    let other = try #require(PixelDifference(image([1, 2, 3, 4]), image([1, 2, 3, 5])))
    #expect(other.satisfies(.exact) == false)
    #expect(other.summary == "100.0 % of the pixels differ, by 1 at most, first at (0, 0): 1,2,3,4, reference 1,2,3,5")
  }

  @Test func oneStepIsOneStep() throws {
    let one = try #require(PixelDifference(image([1, 2, 3, 4]), image([2, 1, 4, 5])))
    #expect(one.satisfies(.maximumDifference(1)) == true)
    let two = try #require(PixelDifference(image([1, 2, 3, 4]), image([1, 4, 3, 4])))
    #expect(two.satisfies(.maximumDifference(1)) == false)
    let vanished = try #require(PixelDifference(image([9, 9, 9, 1]), image([0, 0, 0, 0])))
    #expect(vanished.satisfies(.maximumDifference(1)) == true)
  }

  @Test func toleranceBoundsTheMeanAndTheStrays() throws {
    let flat = [UInt8](repeating: 100, count: 4000)
    var oneStray = flat
    oneStray[0] = 200
    var twoStrays = oneStray
    twoStrays[40] = 200
    let shifted = [UInt8](repeating: 103, count: 4000)
    #expect(try PixelDifference(image(flat), image(oneStray))?.satisfies(.tolerance) == true)
    #expect(try PixelDifference(image(flat), image(twoStrays))?.satisfies(.tolerance) == false)
    #expect(try PixelDifference(image(flat), image(shifted))?.satisfies(.tolerance) == false)
  }

  @Test func sizesAndDepthsMustAgree() throws {
    #expect(try PixelDifference(image([1, 2, 3, 4]), image([1, 2, 3, 4, 1, 2, 3, 4])) == nil)
    #expect(try PixelDifference(image([1, 2, 3, 4]), image([1, 1, 2, 2, 3, 3, 4, 4], depth: 16)) == nil)
  }

  @Test func shapesAreNotComparedBySamples() throws {
    let same = try #require(PixelDifference(image([1, 2, 3, 4]), image([1, 2, 3, 4])))
    #expect(same.satisfies(.perceptual) == nil)
  }

  @Test func premultiplicationExplainsWhatItRoundsAway() throws {
    // 200 · 3 / 255 is stored as 2, which comes back as 170.
    #expect(try image([170, 170, 170, 3]).isWithinPremultiplication(of: image([200, 200, 200, 3])))
    #expect(try !image([170, 170, 170, 3]).isWithinPremultiplication(of: image([200, 200, 200, 4])))
    #expect(try !image([170, 0, 170, 255]).isWithinPremultiplication(of: image([170, 3, 170, 255])))
  }
}
