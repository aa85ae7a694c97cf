// The context models of intra-coded slices and their initial values (section 9.3.2.2, tables 9-5 to 9-37).

/// The first model of each syntax element.
enum ContextIndex {
  static let saoMerge = 0
  static let saoType = 1
  static let splitCodingUnit = 2
  static let transquantBypass = 5
  static let partMode = 6
  static let lumaModePredicted = 7
  static let chromaMode = 8
  static let splitTransform = 9
  static let codedLuma = 12
  static let codedChroma = 14
  static let qpDelta = 19
  static let chromaOffsetFlag = 21
  static let chromaOffsetIndex = 22
  static let transformSkip = 23
  static let lastColumn = 25
  static let lastRow = 43
  static let codedSubblock = 61
  static let significant = 65
  static let greaterThan1 = 109
  static let greaterThan2 = 133
  static let residualScale = 139
  static let residualScaleSign = 147
  static let count = 149

  /// `initValue` of all models of intra-coded slices, in this order.
  static let initialValues: [UInt8] = [
    153, 200, 139, 141, 157, 154, 184, 184, 63, 153, 138, 138, 111, 141, 94, 138, 182, 154, 154, 154, 154, 154, 154,
    139, 139,
    // last_sig_coeff_x_prefix, then last_sig_coeff_y_prefix.
    110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63,
    110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63,
    91, 171, 134, 141,
    // sig_coeff_flag: 27 of luma, 15 of chroma, one of each for blocks without a transform.
    111, 111, 125, 110, 110, 94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125, 107, 125,
    141, 179, 153, 125, 140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139, 111, 136, 139, 111, 141, 111,
    140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166, 182, 140, 227, 122,
    197,
    138, 153, 136, 167, 152, 152,
    154, 154, 154, 154, 154, 154, 154, 154, 154, 154,
  ]
}

/// The states of all models, and the statistics of Rice parameters that are kept along with them.
package struct ContextModels {
  /// Twice the probability state plus the more probable symbol.
  package var states = InlineArray<256, UInt8>(repeating: 0)
  /// `StatCoeff`.
  var riceStatistics = InlineArray<4, UInt8>(repeating: 0)

  /// - Parameter qp: `SliceQpY`.
  package init(qp: Int) {
    let qp = min(max(qp, 0), 51)
    for index in 0..<ContextIndex.count {
      let value = Int(ContextIndex.initialValues[index])
      let slope = (value >> 4) * 5 - 45
      let offset = ((value & 15) << 3) - 16
      let state = min(max(((slope * qp) >> 4) + offset, 1), 126)
      states[index] = UInt8(state >= 64 ? (state - 64) * 2 + 1 : (63 - state) * 2)
    }
  }
}
