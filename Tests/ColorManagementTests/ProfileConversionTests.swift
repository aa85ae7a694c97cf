// Conversions by profiles of every type are those of the formulas, within a level.

import ColorManagement
import Foundation
import ImageCore
import TestSupport
import Testing

/// Pixels of a format: random ones, and the corners of the colour cube.
private func picture(_ format: PixelFormat, profile: [UInt8], seed: UInt64) throws -> Bitmap {
  var random = TestRandom(seed)
  let count = 400
  var bytes = random.bytes(count * format.bytesPerPixel)
  let channels = format.colorModel.sampleCount
  for corner in 0..<(1 << channels) {
    for channel in 0..<channels {
      let start = (corner * format.samplesPerPixel + channel) * format.bytesPerSample
      for byte in 0..<format.bytesPerSample { bytes[start + byte] = corner >> channel & 1 == 1 ? 255 : 0 }
    }
  }
  if format.sampleType.isFloatingPoint {
    let wide = try Bitmap(
      width: 20, height: 20, format: format.with(.uint16), pixels: random.bytes(count * format.samplesPerPixel * 2))
    var bitmap = try wide.converted(to: format)
    bitmap.colorSpace = .icc(profile)
    return bitmap
  }
  var bitmap = try Bitmap(width: 20, height: 20, format: format, pixels: bytes)
  bitmap.colorSpace = .icc(profile)
  return bitmap
}

/// Converts pictures of several formats and compares them with a formula from device samples to XYZ.
private func check(
  _ profile: ICCProfileBytes, formats: [PixelFormat], intent: RenderingIntent = .relativeColorimetric,
  levels: Double = 1, xyz: ([Double]) -> [Double], location: SourceLocation = #_sourceLocation
) throws {
  for (index, format) in formats.enumerated() {
    let bitmap = try picture(format, profile: profile.bytes, seed: UInt64(index + 1))
    let converted = try bitmap.converted(to: .sRGB, intent: intent)
    let expected = colorSamples(bitmap).map { SlowColors.sRGB(xyz: xyz($0)) }
    let actual = colorSamples(converted).map { pixel in
      (pixel.count == 1 ? Array(repeating: pixel[0], count: 3) : pixel).map { min(max($0, 0), 1) }
    }
    let difference = largestDifference(actual, expected) * 255
    #expect(difference <= levels, "\(format): \(difference) levels", sourceLocation: location)
    if format.sampleType != .uint8 {
      #expect(difference < 0.05, "\(format): \(difference) levels", sourceLocation: location)
    }
    #expect(converted.colorSpace == .sRGB)
  }
}

private let rgbFormats: [PixelFormat] = [
  .rgb8, .rgba8, .bgra8, .rgb16, .bgra16, .rgbaFloat32, PixelFormat(.bgr), PixelFormat(.bgr, sampleType: .float32),
]

/// Display P3 adapted to D50, as in Apple's profile.
private let colorants = [
  ("rXYZ", [0.51512, 0.24120, -0.00105]), ("gXYZ", [0.29198, 0.69225, 0.04189]),
  ("bXYZ", [0.15710, 0.06657, 0.78407]),
]

private func matrixProfile(version: UInt8 = 4, curves: [[UInt8]]) -> ICCProfileBytes {
  var profile = ICCProfileBytes(majorVersion: version)
  profile.tags = colorants.map { ($0.0, ICCProfileBytes.xyz($0.1[0], $0.1[1], $0.1[2])) }
  profile.tags += zip(["rTRC", "gTRC", "bTRC"], curves).map { ($0, $1) }
  profile.tags.append(("wtpt", ICCProfileBytes.xyz(0.9642, 1, 0.8249)))
  return profile
}

private func matrixXYZ(_ light: [Double]) -> [Double] {
  (0..<3).map { row in (0..<3).reduce(0) { $0 + colorants[$1].1[row] * light[$1] } }
}

@Suite struct MatrixProfileTests {
  @Test func parametricCurves() throws {
    // The five types of ICC.1, table 68, with their formulas.
    let cases: [(Int, [Double], (Double) -> Double)] = [
      (0, [2.2], { pow($0, 2.2) }),
      (1, [2.4, 0.9, 0.1], { $0 >= -0.1 / 0.9 ? pow(0.9 * $0 + 0.1, 2.4) : 0 }),
      (1, [2.4, 1.25, -0.25], { $0 >= 0.2 ? pow(1.25 * $0 - 0.25, 2.4) : 0 }),
      (2, [1.8, 1.2, -0.24, 0.0625], { $0 >= 0.2 ? pow(1.2 * $0 - 0.24, 1.8) + 0.0625 : 0.0625 }),
      (
        3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045],
        { $0 >= 0.04045 ? pow(($0 + 0.055) / 1.055, 2.4) : $0 / 12.92 }
      ),
      (
        4, [2.0, 0.9, 0.05, 0.3, 0.25, 0.0125, 0.03125],
        { $0 >= 0.25 ? pow(0.9 * $0 + 0.05, 2) + 0.0125 : 0.3 * $0 + 0.03125 }
      ),
    ]
    for (type, parameters, function) in cases {
      let curve = ICCProfileBytes.parametric(type, parameters)
      try check(matrixProfile(curves: [curve, curve, curve]), formats: rgbFormats) { matrixXYZ($0.map(function)) }
    }
  }

  @Test func sampledCurves() throws {
    let gamma = ICCProfileBytes.curve([0x0240])
    try check(matrixProfile(version: 2, curves: [gamma, gamma, gamma]), formats: rgbFormats) {
      matrixXYZ($0.map { pow($0, 2.25) })
    }
    let identity = ICCProfileBytes.curve([])
    try check(matrixProfile(curves: [identity, identity, identity]), formats: rgbFormats) { matrixXYZ($0) }
    // Three different tables.
    let tables = [17, 256, 1024].map { count in
      (0..<count).map { Int((pow(Double($0) / Double(count - 1), 2.2) * 65535).rounded()) }
    }
    try check(matrixProfile(version: 2, curves: tables.map(ICCProfileBytes.curve)), formats: rgbFormats) { samples in
      matrixXYZ(zip(samples, tables).map { SlowColors.interpolate($1.map { Double($0) / 65535 }, $0) })
    }
  }

  @Test func gray() throws {
    let formats: [PixelFormat] = [.gray8, .grayAlpha8, .gray16, .grayAlpha16, PixelFormat(.gray, sampleType: .float32)]
    var profile = ICCProfileBytes(colorSpace: "GRAY", tags: [("kTRC", ICCProfileBytes.parametric(0, [1.8]))])
    try check(profile, formats: formats) { sample in [0.9642, 1, 0.8249].map { $0 * pow(sample[0], 1.8) } }
    profile = ICCProfileBytes(
      majorVersion: 2, profileClass: "prtr", colorSpace: "GRAY", connectionSpace: "Lab ",
      tags: [("kTRC", ICCProfileBytes.curve([0, 20000, 65535]))])
    try check(profile, formats: formats) {
      SlowColors.xyz(lab: [SlowColors.interpolate([0, 2_000_000.0 / 65535, 100], $0[0]), 0, 0])
    }
    // Files that were reduced to gray keep their profile for RGB. These colorants add up to D50.
    let linear = ICCProfileBytes.parametric(0, [1.8])
    try check(matrixProfile(curves: [linear, linear, linear]), formats: formats) { sample in
      [0.9642, 1, 0.8249].map { $0 * pow(sample[0], 1.8) }
    }
  }

  @Test func absoluteWhite() throws {
    // A medium of which the white is darker and more yellow than D50.
    let curve = ICCProfileBytes.parametric(0, [1.0])
    var profile = matrixProfile(curves: [curve, curve, curve])
    profile.tags.removeLast()
    profile.tags.append(("wtpt", ICCProfileBytes.xyz(0.8, 0.85, 0.6)))
    try check(profile, formats: rgbFormats, intent: .absoluteColorimetric) { samples in
      zip(matrixXYZ(samples), [0.8 / 0.9642, 0.85, 0.6 / 0.8249]).map { $0 * $1 }
    }
    // The element is not used for displays of version 2.
    profile.majorVersion = 2
    try check(profile, formats: [.rgb8], intent: .absoluteColorimetric) { matrixXYZ($0) }
  }

  @Test func blackPointCompensation() throws {
    // Black has a luminance of 0.0625; compensation maps it to 0 and keeps white.
    let curve = ICCProfileBytes.parametric(4, [1, 0.9375, 0, 0, 0, 0.0625, 0])
    let profile = matrixProfile(curves: [curve, curve, curve]).bytes
    var bitmap = try Bitmap(width: 2, height: 1, format: .rgb8, pixels: [0, 0, 0, 255, 255, 255])
    bitmap.colorSpace = .icc(profile)
    let plain = try bitmap.converted(to: .sRGB, intent: .relativeColorimetric).packedPixels
    let black = UInt8((SlowColors.encodeSRGB(0.0625) * 255).rounded())
    #expect(plain.allSatisfy { $0 == 255 || abs(Int($0) - Int(black)) <= 1 })
    let compensated = try bitmap.converted(
      to: .sRGB, intent: .relativeColorimetric, blackPointCompensation: true
    ).packedPixels
    #expect(compensated == [0, 0, 0, 255, 255, 255])
    #expect(try bitmap.converted(to: .sRGB).packedPixels == compensated)
  }
}

@Suite struct TableProfileTests {
  /// A grid that is neither linear nor monotone, in the 16-bit encoding.
  private static func grid(_ points: [Int], seed: UInt64) -> [Int] {
    var random = TestRandom(seed)
    return (0..<points.reduce(3, *)).map { _ in Int.random(in: 0...65535, using: &random) }
  }

  private static func curve(_ power: Double, _ count: Int) -> [Int] {
    (0..<count).map { Int((pow(Double($0) / Double(count - 1), power) * 65535).rounded()) }
  }

  private static func fractions(_ samples: [Int]) -> [Double] { samples.map { Double($0) / 65535 } }

  @Test func lut16InLab() throws {
    let grid = Self.grid([5, 5, 5], seed: 3)
    let (input, output) = (Self.curve(1.3, 64), Self.curve(0.9, 32))
    let profile = ICCProfileBytes(
      majorVersion: 2, profileClass: "scnr", connectionSpace: "Lab ",
      tags: [
        (
          "A2B0",
          ICCProfileBytes.lut16(
            inputs: [input, input, input], points: 5, grid: grid, outputs: [output, output, output])
        )
      ])
    try check(profile, formats: rgbFormats, levels: 1) { samples in
      let inputs = samples.map { SlowColors.interpolate(Self.fractions(input), $0) }
      let colors = SlowColors.interpolate(points: [5, 5, 5], inputs) { x, y, z in
        (0..<3).map { Double(grid[((x * 5 + y) * 5 + z) * 3 + $0]) / 65535 }
      }
      let encoded = colors.map { SlowColors.interpolate(Self.fractions(output), $0) * 65535 }
      // ICC.1, table 42: 0xFF00 is L* = 100, 0x8000 is a* = 0.
      return SlowColors.xyz(lab: [encoded[0] / 652.8, encoded[1] / 256 - 128, encoded[2] / 256 - 128])
    }
  }

  @Test func lut8InXYZ() throws {
    var random = TestRandom(5)
    let grid = random.bytes(3 * 3 * 3 * 3)
    let identity = (0...255).map { UInt8($0) }
    let falling = Array(identity.reversed())
    let profile = ICCProfileBytes(
      majorVersion: 2,
      tags: [
        (
          "A2B0",
          ICCProfileBytes.lut8(
            inputs: [identity, falling, identity], points: 3, grid: grid, outputs: [identity, identity, falling])
        )
      ])
    try check(profile, formats: rgbFormats) { samples in
      let inputs = [samples[0], 1 - samples[1], samples[2]]
      let colors = SlowColors.interpolate(points: [3, 3, 3], inputs) { x, y, z in
        (0..<3).map { Double(grid[((x * 3 + y) * 3 + z) * 3 + $0]) / 255 }
      }
      return [colors[0], colors[1], 1 - colors[2]].map { $0 * (1 + 32767.0 / 32768) }
    }
  }

  @Test(arguments: [1, 2]) func mABInLab(precision: Int) throws {
    let points = [3, 5, 4]
    let wide = Self.grid(points, seed: 9)
    let samples = precision == 2 ? wide : wide.map { $0 >> 8 }
    let maximum = precision == 2 ? 65535.0 : 255
    let a = [1.0, 1.2, 0.8].map { ICCProfileBytes.parametric(0, [($0 * 65536).rounded() / 65536]) }
    let m = Self.curve(1.1, 33)
    let profile = ICCProfileBytes(
      profileClass: "scnr", connectionSpace: "Lab ",
      tags: [
        (
          "A2B0",
          ICCProfileBytes.lutAToB(
            inputCount: 3, a: a, grid: (points.map { UInt8($0) }, precision, samples),
            m: Array(repeating: ICCProfileBytes.curve(m), count: 3),
            matrix: [0.75, 0, 0, 0, 0.5, 0.25, 0, 0.25, 0.5, 0.125, 0.125, 0.0625],
            b: Array(repeating: ICCProfileBytes.curve([]), count: 3))
        )
      ])
    try check(profile, formats: rgbFormats) { inputs in
      let shaped = zip(inputs, [1.0, 1.2, 0.8]).map { pow($0, ($1 * 65536).rounded() / 65536) }
      let colors = SlowColors.interpolate(points: points, shaped) { x, y, z in
        (0..<3).map { Double(samples[((x * 5 + y) * 4 + z) * 3 + $0]) / maximum }
      }
      let mid = colors.map { SlowColors.interpolate(Self.fractions(m), $0) }
      let encoded = [
        0.75 * mid[0] + 0.125, 0.5 * mid[1] + 0.25 * mid[2] + 0.125, 0.25 * mid[1] + 0.5 * mid[2] + 0.0625,
      ]
      return SlowColors.xyz(lab: [encoded[0] * 100, encoded[1] * 255 - 128, encoded[2] * 255 - 128])
    }
  }

  @Test func inkInLab() throws {
    let points = 4
    let grid = Self.grid([points, points, points, points], seed: 11)
    let identity = [0, 65535]
    let profile = ICCProfileBytes(
      majorVersion: 2, profileClass: "prtr", colorSpace: "CMYK", connectionSpace: "Lab ",
      tags: [
        (
          "A2B0",
          ICCProfileBytes.lut16(
            inputs: Array(repeating: identity, count: 4), points: points, grid: grid,
            outputs: Array(repeating: identity, count: 3))
        )
      ])
    let formats: [PixelFormat] = [
      .cmyk8, PixelFormat(.cmyk, sampleType: .uint16), PixelFormat(.cmyk, alpha: .straight),
      PixelFormat(.cmyk, sampleType: .float32),
    ]
    try check(profile, formats: formats) { ink in
      // Linear in the first ink, tetrahedral in the others.
      let scaled = min(ink[0], 1) * Double(points - 1)
      let low = min(Int(scaled), points - 2)
      let layers = [low, low + 1].map { w in
        SlowColors.interpolate(points: [points, points, points], Array(ink[1...3])) { x, y, z in
          (0..<3).map { Double(grid[(((w * points + x) * points + y) * points + z) * 3 + $0]) }
        }
      }
      let encoded = zip(layers[0], layers[1]).map { $0 + ($1 - $0) * (scaled - Double(low)) }
      return SlowColors.xyz(lab: [encoded[0] / 652.8, encoded[1] / 256 - 128, encoded[2] / 256 - 128])
    }
  }

  @Test func intentsSelectTables() throws {
    // Each table is constant.
    func constant(_ lightness: Int) -> [UInt8] {
      ICCProfileBytes.lut16(
        inputs: Array(repeating: [0, 65535], count: 3), points: 2,
        grid: (0..<8).flatMap { _ in [lightness, 0x8000, 0x8000] }, outputs: Array(repeating: [0, 65535], count: 3))
    }
    let profile = ICCProfileBytes(
      majorVersion: 2, profileClass: "scnr", connectionSpace: "Lab ",
      tags: [("A2B0", constant(0xFF00)), ("A2B1", constant(0x8000)), ("A2B2", constant(0xC000))])
    var bitmap = try Bitmap(width: 1, height: 1, format: .rgb8, pixels: [9, 9, 9])
    bitmap.colorSpace = .icc(profile.bytes)
    let expected: [(RenderingIntent, Double)] = [
      (.perceptual, 100), (.relativeColorimetric, 0x8000 / 652.8), (.absoluteColorimetric, 0x8000 / 652.8),
    ]
    for (intent, lightness) in expected {
      let sample = SlowColors.sRGB(xyz: SlowColors.xyz(lab: [lightness, 0, 0]))[0]
      let result = try bitmap.converted(to: .sRGB, intent: intent).packedPixels
      #expect(result.allSatisfy { abs(Double($0) - sample * 255) <= 1 })
    }
  }
}
