// The example quantisation tables of ITU-T T.81, section K.1, scaled by quality as in libjpeg.

extension QuantizationTable {
  /// Creates table K.1 (0, luma) or K.2 (1, chroma) for a quality of 1…100.
  ///
  /// - Parameter isBaseline: whether the steps are limited to 255.
  init(standard index: Int, quality: Int, isBaseline: Bool) {
    let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
    let base = index == 0 ? Self.luma : Self.chroma
    self.init(
      naturalSteps: base.map { step in
        UInt16(min(max((step * scale + 50) / 100, 1), isBaseline ? 255 : 32_767))
      })
  }

  /// Row by row, as printed in section K.1.
  private static let luma = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
    87,
    80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72,
    92,
    95, 98, 112, 100, 103, 99,
  ]

  private static let chroma = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
    99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99,
    99, 99, 99, 99,
  ]
}

extension JPEGEncoder.Options {
  /// The tables of luma and chroma at a quality.
  func tables(quality: Int) -> [QuantizationTable] {
    (0..<2).map { QuantizationTable(standard: $0, quality: quality, isBaseline: limitsStepsToBaseline) }
  }
}
