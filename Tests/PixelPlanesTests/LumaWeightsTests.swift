// Luma weights that follow from primaries, against the linear equations that define them and published figures.

import ImageCoding
import PixelPlanes
import Testing

@Suite struct LumaWeightsTests {
  private static let definedPrimaries: [UInt8] = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22]

  /// The luminances of red and blue: the primaries, each with its x, y and z times a factor, add up to white of
  /// luminance 1. Solved by Gaussian elimination.
  private func luminances(_ points: Chromaticities) -> (red: Double, blue: Double) {
    func column(_ point: Chromaticities.Point) -> [Double] { [point.x, point.y, 1 - point.x - point.y] }
    let columns = [points.red, points.green, points.blue].map(column)
    let white = column(points.white).map { $0 / points.white.y }
    var rows = (0..<3).map { row in columns.map { $0[row] } + [white[row]] }
    for pivot in 0..<3 {
      let best = (pivot..<3).max { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) } ?? pivot
      rows.swapAt(pivot, best)
      for row in 0..<3 where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for index in 0..<4 { rows[row][index] -= factor * rows[pivot][index] }
      }
    }
    return (rows[0][3] / rows[0][0] * points.red.y, rows[2][3] / rows[2][2] * points.blue.y)
  }

  @Test(arguments: definedPrimaries) func derivedWeightsAreLuminancesOfThePrimaries(codePoint: UInt8) throws {
    let weights = try #require(MatrixCoefficients.chromaticityDerived.lumaWeights(colorPrimaries: codePoint))
    let expected = luminances(try #require(Chromaticities(colorPrimaries: codePoint)))
    #expect(abs(Double(weights.red) - expected.red) < 1e-7 && abs(Double(weights.blue) - expected.blue) < 1e-7)
  }

  /// The figures of BT.709, FCC, SMPTE ST 240, BT.2020 and SMPTE EG 432-1 (P3 with the white point D65).
  @Test(arguments: [
    (1, 10_000, 2126, 722), (4, 100, 30, 11), (7, 1000, 212, 87), (9, 10_000, 2627, 593), (12, 10_000, 2290, 793),
  ])
  func derivedWeightsAreThePublishedFigures(_ codePoint: UInt8, scale: Float, red: Float, blue: Float) throws {
    let weights = try #require(MatrixCoefficients.chromaticityDerived.lumaWeights(colorPrimaries: codePoint))
    #expect((weights.red * scale).rounded() == red && (weights.blue * scale).rounded() == blue)
  }

  @Test func onlyDerivedWeightsDependOnPrimaries() {
    for codePoint in UInt8.min...UInt8.max {
      #expect(MatrixCoefficients.bt601.lumaWeights(colorPrimaries: codePoint) == MatrixCoefficients.bt601.lumaWeights)
      let isDefined = codePoint == 2 || Self.definedPrimaries.contains(codePoint)
      let derived = MatrixCoefficients.chromaticityDerived.lumaWeights(colorPrimaries: codePoint)
      #expect((derived != nil) == isDefined)
    }
    #expect(MatrixCoefficients(rawValue: 10).lumaWeights(colorPrimaries: 9) == nil)
  }

  @Test func picturesAreConvertedWithTheWeightsOfTheirPrimaries() throws {
    func pixels(_ matrix: UInt8, primaries: UInt8?) throws -> [UInt8] {
      var picture = try PlanarPicture(
        chromaFormat: .yuv444,
        coding: PlanarPicture.Coding(matrix: MatrixCoefficients(rawValue: matrix), range: .full),
        luma: SamplePlane(width: 3, height: 1, samples: [60, 128, 200]),
        cb: SamplePlane(width: 3, height: 1, samples: [90, 140, 128]),
        cr: SamplePlane(width: 3, height: 1, samples: [150, 100, 99]))
      if let primaries {
        picture.colorSpace = .codePoints(
          CodingIndependentCodePoints(
            colorPrimaries: primaries, transferFunction: 2, matrixCoefficients: matrix, isFullRange: true))
      }
      var budget = ResourceBudget(.default)
      return try picture.bitmap(budget: &budget).packedPixels
    }
    #expect(try pixels(12, primaries: 9) == pixels(9, primaries: nil))
    #expect(try pixels(12, primaries: 1) == pixels(1, primaries: nil))
    #expect(try pixels(12, primaries: nil) == pixels(1, primaries: nil))
    // Y = 200, Cr = −29: R = Y + 2 (1 − KR) Cr, and G = Y − 2 KR (1 − KR) / KG · Cr.
    #expect(try Array(pixels(12, primaries: 12)[6..<9]) == [155, 215, 200])
    let error = #expect(throws: CodecError.self) { try pixels(12, primaries: 3) }
    #expect(error?.kind == .unsupported && error?.reason.contains("primaries 3") == true)
  }
}
