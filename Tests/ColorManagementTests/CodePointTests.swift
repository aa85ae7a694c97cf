// Code points, calibrations and a high dynamic range, compared with the formulas of the specifications.

import ColorManagement
import Foundation
import ImageCore
import TestSupport
import Testing

private func convert(_ pixels: [Double], _ space: ColorSpace, to target: ColorSpace = .sRGB) throws -> [Double] {
  let bytes = pixels.flatMap { value -> [UInt8] in
    let sample = UInt16((value * 65535).rounded())
    return [UInt8(truncatingIfNeeded: sample), UInt8(sample >> 8)]
  }
  var bitmap = try Bitmap(width: pixels.count / 3, height: 1, format: .rgb16, pixels: bytes)
  bitmap.colorSpace = space
  return colorSamples(try bitmap.converted(to: target)).flatMap { $0 }
}

private func codePoints(_ primaries: UInt8, _ transfer: UInt8) -> ColorSpace {
  .codePoints(
    CodingIndependentCodePoints(
      colorPrimaries: primaries, transferFunction: transfer, matrixCoefficients: 0, isFullRange: true))
}

private let ramp = (0...40).map { Double($0) / 40 }

@Suite struct CodePointTests {
  /// The transfer functions of H.273, table 3, inverted.
  @Test(arguments: [1, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 17] as [UInt8]) func transferFunctions(_ code: UInt8) throws {
    let light: (Double) -> Double =
      switch code {
      case 4: { pow($0, 2.2) }
      case 5: { pow($0, 2.8) }
      case 7: { $0 < 4 * 0.0228 ? $0 / 4 : pow(($0 + 0.1115) / 1.1115, 1 / 0.45) }
      case 8: { $0 }
      case 9: { $0 == 0 ? 0 : pow(10, ($0 - 1) * 2) }
      case 10: { $0 == 0 ? 0 : pow(10, ($0 - 1) * 2.5) }
      case 13: { SlowColors.decodeSRGB($0) }
      case 17: { 52.37 / 48 * pow($0, 2.6) }
      default: { $0 < 4.5 * 0.018053968510807 ? $0 / 4.5 : pow(($0 + 0.09929682680944) / 1.09929682680944, 1 / 0.45) }
      }
    let result = try convert(ramp.flatMap { [$0, $0, $0] }, codePoints(1, code))
    let expected = ramp.flatMap { sample -> [Double] in
      let rounded = (sample * 65535).rounded() / 65535
      return Array(repeating: SlowColors.encodeSRGB(min(light(rounded), 1)), count: 3)
    }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 3e-5 })
  }

  @Test func primaries() throws {
    // The known primaries of BT.2020 and Display P3 in extended sRGB, clamped.
    var bitmap = try Bitmap(width: 1, height: 1, format: PixelFormat(.rgb, sampleType: .float32))
    var row = bitmap.mutableRow(0)
    row[2] = 0x80
    row[3] = 0x3F
    bitmap.colorSpace = .displayP3
    let red = colorSamples(try bitmap.converted(to: .sRGB))[0]
    // Values outside 0…1 are kept: CSS Color 4 states color(display-p3 1 0 0) as sRGB 1.0930 -0.2267 -0.1501. The
    // transfer function of this module extends in a line below 0.
    #expect(abs(red[0] - 1.0930) < 1e-3 && red[1] < 0 && red[2] < 0)
    // White is white for all primaries.
    for code in [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22] as [UInt8] {
      let white = try convert([1, 1, 1], codePoints(code, 8))
      #expect(white.allSatisfy { $0 > 0.9999 })
    }
  }

  @Test func reservedCodesAreBroken() throws {
    var budget = ResourceBudget(.default)
    for space in [codePoints(0, 1), codePoints(3, 1), codePoints(1, 0), codePoints(1, 19), codePoints(99, 13)] {
      #expect(throws: CodecError.self) { try ColorTransform(from: space, format: .rgb8, to: .sRGB, budget: &budget) }
      let result = try ColorTransform.ignoringBrokenProfile(from: space, format: .rgb8, to: .sRGB, budget: &budget)
      #expect(result.transform.isIdentity && result.diagnostic != nil)
    }
  }

  @Test func calibrations() throws {
    let result = try convert(ramp.flatMap { [$0, $0, $0] }, .calibrated(gamma: 0.5, chromaticities: nil))
    let expected = ramp.flatMap { sample -> [Double] in
      let rounded = (sample * 65535).rounded() / 65535
      return Array(repeating: SlowColors.encodeSRGB(rounded * rounded), count: 3)
    }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 3e-5 })
    var budget = ResourceBudget(.default)
    let point = Chromaticities.Point(x: 0.3, y: 0.3)
    let broken: [ColorSpace] = [
      .calibrated(gamma: 0, chromaticities: nil), .calibrated(gamma: .nan, chromaticities: nil),
      .calibrated(gamma: nil, chromaticities: Chromaticities(white: point, red: point, green: point, blue: point)),
    ]
    for space in broken {
      #expect(throws: CodecError.self) { try ColorTransform(from: space, format: .rgb8, to: .sRGB, budget: &budget) }
      #expect(throws: CodecError.self) {
        try ColorTransform(from: .displayP3, format: .rgb8, to: space, budget: &budget)
      }
    }
  }

  @Test func thereAndBack() throws {
    var random = TestRandom(1)
    let bitmap = try Bitmap(width: 50, height: 1, format: .rgba16, pixels: random.bytes(400))
    for target in [ColorSpace.displayP3, codePoints(9, 14), .icc(try #require(ColorSpace.displayP3.makeICCProfile()))] {
      var wide = try bitmap.converted(to: target)
      #expect(wide.colorSpace == target)
      wide = try wide.converted(to: .sRGB)
      #expect(largestDifference(colorSamples(wide), colorSamples(bitmap)) < 1e-3)
    }
  }

  @Test func writtenProfilesAreRead() throws {
    for space in [ColorSpace.sRGB, .displayP3, codePoints(9, 1)] {
      let profile = try #require(space.makeICCProfile())
      var budget = ResourceBudget(.default)
      #expect(try ColorTransform(from: .icc(profile), format: .rgb8, to: space, budget: &budget).isIdentity)
    }
    #expect(ColorSpace.adobeRGB.makeICCProfile() != nil)
    #expect(ColorSpace.bt2020PQ.makeICCProfile() == nil)
  }
}

@Suite struct HighDynamicRangeTests {
  /// SMPTE ST 2084, in cd/m².
  private static func luminance(_ sample: Double) -> Double {
    let power = pow(sample, 32.0 / 2523)
    return 10000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 16384.0 / 2610)
  }

  private static func sample(_ luminance: Double) -> Double {
    let power = pow(luminance / 10000, 2610.0 / 16384)
    return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 2523.0 / 32)
  }

  /// BT.2408, annex 5, from a peak to the reference white of 203 cd/m².
  private static func compressed(_ luminance: Double, peak: Double) -> Double {
    let white = sample(peak)
    let maximum = sample(203) / white
    let knee = 1.5 * maximum - 0.5
    let e1 = min(sample(luminance) / white, 1)
    guard e1 > knee else { return luminance }
    let t = (e1 - knee) / (1 - knee)
    let e2 =
      (2 * pow(t, 3) - 3 * pow(t, 2) + 1) * knee + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - knee)
      + (-2 * pow(t, 3) + 3 * pow(t, 2)) * maximum
    return Self.luminance(e2 * white)
  }

  @Test(arguments: [1000.0, 4000]) func perceptualQuantizer(peak: Double) throws {
    #expect(abs(Self.sample(203) - 0.5807) < 1e-4)
    var space = ColorSpace.bt2020PQ
    if peak != 1000 { space.contentLightLevel = ContentLightLevel(maximum: peak, maximumFrameAverage: 0) }
    let result = try convert(ramp.flatMap { [$0, $0, $0] }, space)
    let expected = ramp.flatMap { sample -> [Double] in
      let light = Self.compressed(Self.luminance((sample * 65535).rounded() / 65535), peak: peak) / 203
      return Array(repeating: SlowColors.encodeSRGB(min(light, 1)), count: 3)
    }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 1e-3 })
    // The peak becomes white, and what is darker does not.
    #expect(try convert([Self.sample(peak), Self.sample(peak), Self.sample(peak)], space).allSatisfy { $0 > 0.998 })
    #expect(try convert([0.58, 0.58, 0.58], space).allSatisfy { $0 < 0.95 })
  }

  @Test func hybridLogGamma() throws {
    let (a, b) = (0.17883277, 0.28466892)
    let c = 0.5 - a * log(4 * a)
    let result = try convert(ramp.flatMap { [$0, $0, $0] }, .bt2020HLG)
    let expected = ramp.flatMap { sample -> [Double] in
      let x = (sample * 65535).rounded() / 65535
      let scene = x <= 0.5 ? x * x / 3 : (exp((x - c) / a) + b) / 12
      let light = Self.compressed(1000 * pow(scene, 1.2), peak: 1000) / 203
      return Array(repeating: SlowColors.encodeSRGB(min(light, 1)), count: 3)
    }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 1e-3 })
  }

  /// Colours of all hues and saturations, in steps of a quarter.
  private static let cube: [Double] = {
    var samples: [Double] = []
    for index in 0..<125 {
      for level in [index % 5, index / 5 % 5, index / 25] { samples.append(Double(level) / 4) }
    }
    return samples
  }()

  /// BT.2020 in linear light, into which tone-mapped colours are converted without a change of primaries.
  private static let linearBT2020 = codePoints(9, 8)

  /// The samples of each colour.
  private static func colors(_ samples: [Double]) -> [[Double]] {
    stride(from: 0, to: samples.count, by: 3).map { Array(samples[$0..<$0 + 3]) }
  }

  private static func rounded(_ sample: Double) -> Double { (sample * 65535).rounded() / 65535 }

  /// Report ITU-R BT.2446, section 4, with its constants: the display light of one colour, of which 1 is the peak, to
  /// that of an ordinary display.
  private static func methodA(_ light: [Double], peak: Double) -> [Double] {
    let coded = light.map { pow(min(max($0, 0), 1), 1 / 2.4) }
    let luma = 0.2627 * coded[0] + 0.6780 * coded[1] + 0.0593 * coded[2]
    guard luma > 0 else { return [0, 0, 0] }
    let hdr = 1 + 32 * pow(peak / 10000, 1 / 2.4)
    let sdr = 1 + 32 * pow(100.0 / 10000, 1 / 2.4)
    let perceptual = log(1 + (hdr - 1) * luma) / log(hdr)
    var knee = 0.5000 * perceptual + 0.5000
    if perceptual <= 0.7399 {
      knee = 1.0770 * perceptual
    } else if perceptual < 0.9909 {
      knee = -1.1510 * perceptual * perceptual + 2.7811 * perceptual - 0.6302
    }
    let sdrLuma = (pow(sdr, knee) - 1) / (sdr - 1)
    let factor = sdrLuma / (1.1 * luma)
    let cb = factor * (coded[2] - luma) / 1.8814
    let cr = factor * (coded[0] - luma) / 1.4746
    let y = sdrLuma - max(0.1 * cr, 0)
    let red = y + 1.4746 * cr
    let blue = y + 1.8814 * cb
    let green = (y - 0.2627 * red - 0.0593 * blue) / 0.6780
    return [red, green, blue].map { pow(min(max($0, 0), 1), 2.4) }
  }

  private static func convertByMethodA(_ samples: [Double], _ space: ColorSpace) throws -> [Double] {
    let bytes = samples.flatMap { value -> [UInt8] in
      let sample = UInt16((value * 65535).rounded())
      return [UInt8(truncatingIfNeeded: sample), UInt8(sample >> 8)]
    }
    var bitmap = try Bitmap(width: samples.count / 3, height: 1, format: .rgb16, pixels: bytes)
    bitmap.colorSpace = space
    let result = try bitmap.converted(to: linearBT2020, toneMapping: .bt2446A)
    return colorSamples(result).flatMap { $0 }
  }

  @Test(arguments: [1000.0, 4000]) func methodAOfPerceptualQuantizer(peak: Double) throws {
    var space = ColorSpace.bt2020PQ
    if peak != 1000 { space.contentLightLevel = ContentLightLevel(maximum: peak, maximumFrameAverage: 0) }
    let samples = Self.cube + ramp.flatMap { [$0, $0, $0] }
    let result = try Self.convertByMethodA(samples, space)
    let expected = Self.colors(samples).flatMap { color -> [Double] in
      let light = color.map { Self.luminance(Self.rounded($0)) / peak }
      return Self.methodA(light, peak: peak)
    }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 5e-4 })
    // The peak is white, and nothing else about it is.
    let white = try Self.convertByMethodA([1, 1, 1], space)
    #expect(white.allSatisfy { $0 > 0.999 })
  }

  @Test func methodAOfHybridLogGamma() throws {
    let samples = Self.cube + ramp.flatMap { [$0, $0, $0] }
    let result = try Self.convertByMethodA(samples, .bt2020HLG)
    let expected = Self.colors(samples).flatMap { color -> [Double] in
      let light = Self.displayLight(color.map(Self.rounded))
      return Self.methodA(light, peak: 1000)
    }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 5e-4 })
  }

  /// BT.2100, table 5: HLG samples to display light, of which 1 is the peak of 1000 cd/m².
  private static func displayLight(_ samples: [Double]) -> [Double] {
    let (a, b) = (0.17883277, 0.28466892)
    let c = 0.5 - a * log(4 * a)
    let scene = samples.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - c) / a) + b) / 12 }
    let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
    return scene.map { luminance > 0 ? $0 * pow(luminance, 0.2) : 0 }
  }

  @Test func systemGammaOfColors() throws {
    var space = ColorSpace.bt2020HLG
    space.masteringDisplay = nil
    let result = try convert(Self.cube, space, to: Self.linearBT2020)
    let expected = Self.colors(Self.cube).flatMap { color -> [Double] in
      let light = Self.displayLight(color.map(Self.rounded)).map { $0 * 1000 }
      let largest = light.max() ?? 0
      let factor = largest > 0 ? Self.compressed(largest, peak: 1000) / largest : 0
      return light.map { min($0 * factor / 203, 1) }
    }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 5e-4 })
  }

  @Test func grayAndBytesAgreeByMethodA() throws {
    for space in [ColorSpace.bt2020PQ, .bt2020HLG] {
      var gray = try Bitmap(width: 256, height: 1, format: .gray8, pixels: (0...255).map { UInt8($0) })
      gray.colorSpace = space
      var rgb = try gray.converted(to: .rgb8)
      rgb.colorSpace = space
      let fromGray = try gray.converted(to: .sRGB, toneMapping: .bt2446A).converted(to: .rgb8)
      let fromRGB = try rgb.converted(to: .sRGB, toneMapping: .bt2446A)
      #expect(largestDifference(colorSamples(fromGray), colorSamples(fromRGB)) < 0.005)
      let floats = try rgb.converted(to: .rgbaFloat32).converted(to: .sRGB, toneMapping: .bt2446A)
      #expect(largestDifference(colorSamples(floats), colorSamples(fromRGB)) < 0.005)
      #expect(try rgb.converted(to: .sRGB) != fromRGB)
    }
  }

  @Test func otherFormatsAgree() throws {
    var random = TestRandom(4)
    var bitmap = try Bitmap(width: 100, height: 1, format: .rgba8, pixels: random.bytes(400))
    for space in [ColorSpace.bt2020PQ, .bt2020HLG] {
      bitmap.colorSpace = space
      let bytes = colorSamples(try bitmap.converted(to: .sRGB))
      let floats = colorSamples(try bitmap.converted(to: .rgbaFloat32).converted(to: .sRGB)).map {
        $0.map { min(max($0, 0), 1) }
      }
      #expect(largestDifference(bytes, floats) < 0.003)
    }
  }

  @Test func noTarget() {
    var budget = ResourceBudget(.default)
    #expect(throws: CodecError.self) {
      try ColorTransform(from: .sRGB, format: .rgb8, to: .bt2020PQ, budget: &budget)
    }
  }
}
