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

struct SampleErrorsTests {
  @Test func limitsAreParsed() {
    #expect(
      ComparisonRule(manifest: "tol rms<=1e-05 peak<=0.004") == .limits(ErrorLimits(rootMeanSquare: 1e-5, peak: 0.004)))
    #expect(ComparisonRule(manifest: "tol") == .tolerance)
    #expect(ComparisonRule(manifest: "tol(<=2 of 255; see ICC.tsv)") == .tolerance)
  }

  @Test func partsAreNamedByFiles() {
    #expect(SampleErrors.Part(fileName: "a/b.ref.png") == .whole)
    #expect(SampleErrors.Part(fileName: "a/b.jxl.rows3.png") == .rows(step: 3))
    #expect(SampleErrors.Part(fileName: "a/b.jxl.tiles32.png") == .tiles(side: 32))
  }

  /// 16-bit samples of opaque grey, one for each pixel.
  private func grays(_ samples: [UInt16], width: Int) throws -> NormalizedImage {
    let bytes = samples.flatMap { sample in
      [sample, sample, sample, 65535].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
    return try image(bytes, width: width, depth: 16)
  }

  @Test func aSlightlyWrongPictureFails() throws {
    let reference = try grays([UInt16](repeating: 30000, count: 400), width: 20)
    let limits = ErrorLimits(rootMeanSquare: 0.0001, peak: 0.004)
    // One sample at the limit of the peak, and just above it.
    for (error, isWithin) in [(262, true), (265, false)] {
      var samples = [UInt16](repeating: 30000, count: 400)
      samples[99] += UInt16(error)
      let errors = try #require(SampleErrors(try grays(samples, width: 20), reference, .whole))
      #expect(errors.satisfy(ErrorLimits(rootMeanSquare: 1, peak: 0.004)) == isWithin)
    }
    // All samples at the limit of the root mean square, and just above it.
    for (error, isWithin) in [(7, true), (9, false)] {
      let ours = try grays([UInt16](repeating: 30000 + UInt16(error), count: 400), width: 20)
      #expect(try #require(SampleErrors(ours, reference, .whole)).satisfy(limits) == isWithin)
    }
  }

  @Test func rowsAndTilesAreThoseOfTheReference() throws {
    let samples = (0..<70).map { UInt16($0 * 900) }
    let ours = try grays(samples, width: 10)
    // Rows 1 and 4 of seven.
    let rows = try grays(Array(samples[10..<20] + samples[40..<50]), width: 10)
    let limits = ErrorLimits(rootMeanSquare: 0, peak: 0)
    #expect(try #require(SampleErrors(ours, rows, .rows(step: 3))).satisfy(limits))
    #expect(SampleErrors(ours, rows, .rows(step: 2)) == nil)
    #expect(SampleErrors(ours, rows, .whole) == nil)
    // Tiles of 4 × 4 samples; those at the edges have two columns and three rows.
    var means: [UInt16] = []
    for (y, height) in [(0, 4), (4, 3)] {
      for (x, width) in [(0, 4), (4, 4), (8, 2)] {
        var sum = 0
        for row in y..<y + height { for column in x..<x + width { sum += Int(samples[row * 10 + column]) } }
        means.append(UInt16((Double(sum) / Double(width * height)).rounded()))
      }
    }
    #expect(try #require(SampleErrors(ours, grays(means, width: 3), .tiles(side: 4))).satisfy(limits))
    means[4] += 3
    #expect(try !#require(SampleErrors(ours, grays(means, width: 3), .tiles(side: 4))).satisfy(limits))
  }
}
