// Dequantization factors (RFC 6386, sections 9.6 and 14.1).

/// The factors by which the coefficients of a segment's macroblocks are multiplied.
struct QuantizationFactors {
  /// The factors of luma blocks: DC and AC.
  var lumaDC: Int32 = 0
  var lumaAC: Int32 = 0
  /// The factors of the Y2 block.
  var secondaryDC: Int32 = 0
  var secondaryAC: Int32 = 0
  /// The factors of chroma blocks.
  var chromaDC: Int32 = 0
  var chromaAC: Int32 = 0

  /// - Parameters:
  ///   - index: the quantizer index of the segment.
  ///   - deltas: the offsets added to the index for each kind of coefficient.
  init(index: Int, deltas: QuantizerDeltas) {
    func factor(_ table: [UInt16], _ delta: Int, limit: Int = 127) -> Int32 {
      Int32(table[min(max(index + delta, 0), limit)])
    }
    lumaDC = factor(Self.dc, deltas.lumaDC)
    lumaAC = factor(Self.ac, 0)
    secondaryDC = factor(Self.dc, deltas.secondaryDC) * 2
    secondaryAC = max(8, factor(Self.ac, deltas.secondaryAC) * 155 / 100)
    // The factor is limited to 132, which the table has at index 117.
    chromaDC = factor(Self.dc, deltas.chromaDC, limit: 117)
    chromaAC = factor(Self.ac, deltas.chromaAC)
  }

  private static let dc: [UInt16] = [
    4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 17,
    18, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 25, 25, 26, 27, 28,
    29, 30, 31, 32, 33, 34, 35, 36, 37, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58,
    59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74,
    75, 76, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89,
    91, 93, 95, 96, 98, 100, 101, 102, 104, 106, 108, 110, 112, 114, 116, 118,
    122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 143, 145, 148, 151, 154, 157,
  ]

  private static let ac: [UInt16] = [
    4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
    36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
    52, 53, 54, 55, 56, 57, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76,
    78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108,
    110, 112, 114, 116, 119, 122, 125, 128, 131, 134, 137, 140, 143, 146, 149, 152,
    155, 158, 161, 164, 167, 170, 173, 177, 181, 185, 189, 193, 197, 201, 205, 209,
    213, 217, 221, 225, 229, 234, 239, 245, 249, 254, 259, 264, 269, 274, 279, 284,
  ]
}

/// The offsets of the quantizer indices of the other kinds of coefficients from the index of luma AC.
struct QuantizerDeltas {
  var lumaDC = 0
  var secondaryDC = 0
  var secondaryAC = 0
  var chromaDC = 0
  var chromaAC = 0
}
