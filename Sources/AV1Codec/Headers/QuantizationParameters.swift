// Quantizers of a frame (sections 5.9.12, 5.9.13, 5.9.17 and 5.9.18).

internal import ImageCoding
internal import PixelPlanes

/// The quantizer index of a frame and what is added to it.
struct QuantizationParameters: Sendable {
  /// `base_q_idx`.
  let baseIndex: Int
  /// `DeltaQYDc`, `DeltaQUDc` and `DeltaQVDc`.
  let dcDeltas: InlineArray<3, Int>
  /// 0, `DeltaQUAc` and `DeltaQVAc`.
  let acDeltas: InlineArray<3, Int>
  /// `qm_y`, `qm_u` and `qm_v`: 15 for no matrix; `nil` unless `using_qmatrix`.
  let matrixLevels: InlineArray<3, Int>?

  init(parsing reader: inout BitReader, _ color: ColorConfiguration) {
    baseIndex = reader.readInt(8)
    var (dc, ac) = (InlineArray<3, Int>(repeating: 0), InlineArray<3, Int>(repeating: 0))
    dc[0] = Self.readDelta(&reader)
    if !color.isMonochrome {
      let areDifferent = color.hasSeparateChromaDeltas && reader.readFlag()
      dc[1] = Self.readDelta(&reader)
      ac[1] = Self.readDelta(&reader)
      dc[2] = areDifferent ? Self.readDelta(&reader) : dc[1]
      ac[2] = areDifferent ? Self.readDelta(&reader) : ac[1]
    }
    (dcDeltas, acDeltas) = (dc, ac)
    guard reader.readFlag() else {
      matrixLevels = nil
      return
    }
    let (y, u) = (reader.readInt(4), reader.readInt(4))
    matrixLevels = [y, u, color.hasSeparateChromaDeltas ? reader.readInt(4) : u]
  }

  private static func readDelta(_ reader: inout BitReader) -> Int { reader.readFlag() ? reader.readSigned(7) : 0 }

  /// Whether all deltas are zero, so that a quantizer index of zero is lossless.
  var hasNoDeltas: Bool {
    dcDeltas[0] == 0 && dcDeltas[1] == 0 && dcDeltas[2] == 0 && acDeltas[1] == 0 && acDeltas[2] == 0
  }
}

/// The coding of changes to the quantizer index and to the levels of the loop filter by blocks.
struct BlockDeltas: Sendable {
  /// `delta_q_present`.
  let hasQuantizer: Bool
  /// `delta_q_res`.
  let quantizerShift: Int
  /// `delta_lf_present`.
  let hasLoopFilter: Bool
  /// `delta_lf_res`.
  let loopFilterShift: Int
  /// `delta_lf_multi`.
  let isLoopFilterSeparate: Bool

  init(parsing reader: inout BitReader, baseIndex: Int, allowsIntraBlockCopy: Bool) {
    hasQuantizer = baseIndex > 0 && reader.readFlag()
    quantizerShift = hasQuantizer ? reader.readInt(2) : 0
    hasLoopFilter = hasQuantizer && !allowsIntraBlockCopy && reader.readFlag()
    loopFilterShift = hasLoopFilter ? reader.readInt(2) : 0
    isLoopFilterSeparate = hasLoopFilter && reader.readFlag()
  }
}
