// The names of colour spaces in Core Graphics, by their code points in ITU-T H.273.

import ImageCodecs
import Testing

@Suite struct DisplayColorSpaceTests {
  @Test(
    arguments: [
      (1, 13, DisplayColorSpace.sRGB), (1, 1, .sRGB), (1, 8, .linearSRGB), (1, 16, .bt709PQ), (1, 18, .bt709HLG),
      (12, 13, .displayP3), (12, 1, .displayP3), (12, 8, .linearDisplayP3), (12, 16, .displayP3PQ),
      (12, 18, .displayP3HLG), (9, 1, .bt2020), (9, 14, .bt2020), (9, 8, .linearBT2020), (9, 16, .bt2100PQ),
      (9, 18, .bt2100HLG), (2, 16, .bt2100PQ), (5, 6, .sRGB),
    ] as [(UInt8, UInt8, DisplayColorSpace)])
  func codePoints(primaries: UInt8, transfer: UInt8, expected: DisplayColorSpace) {
    var space = ColorSpace()
    space.codePoints = CodingIndependentCodePoints(
      colorPrimaries: primaries, transferFunction: transfer, matrixCoefficients: 0, isFullRange: true)
    #expect(DisplayColorSpace(space) == expected)
  }

  @Test func otherDescriptions() {
    #expect(DisplayColorSpace(.unspecified) == .sRGB)
    #expect(DisplayColorSpace(.sRGB) == .sRGB)
    #expect(DisplayColorSpace(.displayP3) == .displayP3)
  }
}
