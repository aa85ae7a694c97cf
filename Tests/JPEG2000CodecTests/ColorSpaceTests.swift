// Enumerated colour spaces that are converted.

import ImageCoding
import JPEG2000Codec
import TestSupport
import Testing

@Suite struct ColorSpaceTests {
  private let decoder = JPEG2000Decoder()

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, UInt8((content.count + 8) >> 8), UInt8(truncatingIfNeeded: content.count + 8)] + Array(type.utf8) + content
  }

  /// The samples of the colour file in another colour space.
  private static func file(space: UInt8, _ parameters: [UInt32] = []) throws -> [UInt8] {
    let file = EncodedFiles.color
    let start = try #require(file.indices.dropLast(3).first { Array(file[$0..<$0 + 4]) == Array("jp2c".utf8) })
    let bytes = parameters.flatMap { value in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let header = box("jp2h", box("colr", [1, 0, 0, 0, 0, 0, space] + bytes))
    return [0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10] + header + box("jp2c", Array(file[(start + 4)...]))
  }

  @Test func inksBecomeTheirComplements() throws {
    let image = try decoder.decode(Self.file(space: 11))
    #expect(image.bitmap.format == .rgb8)
    #expect(image.bitmap.packedPixels == EncodedFiles.rgb.map { 255 - $0 })
  }

  /// The L*a*b* coordinates of an sRGB colour, relative to white of D50 (adapted by the Bradford transform) or D65.
  private static func lab(_ pixel: ArraySlice<UInt8>, isD65: Bool) -> [Double] {
    let light = pixel.map { SRGBTransfer.linear(Double($0) / 255) }
    let matrix =
      isD65
      ? [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
      : [[0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733]]
    let roots = matrix.map { row in
      // White is the sum of the primaries.
      let value = zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } / row.reduce(0, +)
      return value > 216.0 / 24389 ? ElementaryFunctions.power(value, 1.0 / 3) : (24389.0 / 27 * value + 16) / 116
    }
    return [116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2])]
  }

  /// Pixels that are not clamped have the coordinates of the samples.
  @Test func coordinatesAreThoseOfTheSamples() throws {
    for (illuminant, isD65) in [(0x0044_3530, false), (0x0044_3635, true)] as [(UInt32, Bool)] {
      // L* of 0…100, a* of −30…50, b* of −50…20.
      let file = try Self.file(space: 14, [100, 0, 80, 96, 70, 182, illuminant])
      let image = try decoder.decode(file)
      #expect(image.bitmap.colorSpace == .sRGB)
      let pixels = image.bitmap.packedPixels
      var count = 0
      for start in stride(from: 0, to: pixels.count, by: 3) {
        let pixel = pixels[start..<start + 3]
        guard pixel.allSatisfy({ (8...247).contains($0) }) else { continue }
        let samples = EncodedFiles.rgb[start..<start + 3].map(Double.init)
        let expected = [
          samples[0] / 255 * 100, (samples[1] - 96) * 80 / 255, (samples[2] - 182) * 70 / 255,
        ]
        let difference = zip(expected, Self.lab(pixel, isD65: isD65)).map { abs($0 - $1) }.max() ?? 100
        #expect(difference < 1)
        count += 1
      }
      #expect(count > 20)
    }
  }

  /// Without parameters, the ranges are those of facsimile: the same as if they were stated.
  @Test func parametersHaveDefaults() throws {
    let implicit = try decoder.decode(Self.file(space: 14)).bitmap
    let explicit = try decoder.decode(Self.file(space: 14, [100, 0, 170, 128, 200, 96, 0x0044_3530])).bitmap
    #expect(implicit == explicit)
  }

  /// The definition box may name one channel for several colours. No box specifies the colour space.
  @Test(arguments: [3, 4]) func oneComponentCanBeAllColors(_ count: Int) throws {
    let definitions = (1...UInt8(count)).flatMap { color -> [UInt8] in [0, 0, 0, 0, 0, color] }
    let header = Self.box("jp2h", Self.box("cdef", [0, UInt8(count)] + definitions))
    let start = [0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10]
    let image = try decoder.decode(start + header + Self.box("jp2c", EncodedFiles.plain))
    #expect(image.bitmap.format == .rgb8)
    #expect(image.bitmap.packedPixels == EncodedFiles.gray.flatMap { [$0, $0, $0] })
  }

  @Test func otherSpacesAreUnsupported() throws {
    for file in [
      try Self.file(space: 9), try Self.file(space: 13), try Self.file(space: 19),
      try Self.file(space: 14, [100, 0, 170, 128, 200, 96, 0x0000_5341]),
    ] {
      let error = #expect(throws: CodecError.self) { try decoder.decode(file) }
      #expect(error?.kind == .unsupported)
    }
  }
}
