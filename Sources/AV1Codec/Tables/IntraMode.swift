// The modes of intra prediction (section 6.10.7).

/// A mode of intra prediction. The numbers are those of the specification (`DC_PRED` to `UV_CFL_PRED`).
enum IntraMode: UInt8 {
  case dc
  case vertical
  case horizontal
  case d45
  case d135
  case d113
  case d157
  case d203
  case d67
  case smooth
  case smoothVertical
  case smoothHorizontal
  case paeth
  /// Chroma only.
  case chromaFromLuma

  /// `is_directional_mode`.
  @inline(__always)
  var isDirectional: Bool { rawValue >= 1 && rawValue <= 8 }
  /// Whether it is one of the three smooth modes.
  @inline(__always)
  var isSmooth: Bool { rawValue >= 9 && rawValue <= 11 }
  /// `Mode_To_Angle`: degrees from the positive horizontal axis.
  @inline(__always)
  var angle: Int { Int(modeAngles[Int(rawValue & 15)]) }
  /// `Intra_Mode_Context`.
  @inline(__always)
  var context: Int { Int(modeContexts[Int(rawValue & 15)]) }
  /// `Mode_To_Txfm`.
  @inline(__always)
  var transformType: TransformType { TransformType(rawValue: modeTransforms[Int(rawValue & 15)]) }
}

private let modeAngles: InlineArray<16, UInt8> = [0, 90, 180, 45, 135, 113, 157, 203, 67, 0, 0, 0, 0, 0, 0, 0]
private let modeContexts: InlineArray<16, UInt8> = [0, 1, 2, 3, 4, 4, 4, 4, 3, 0, 1, 2, 0, 0, 0, 0]
private let modeTransforms: InlineArray<16, UInt8> = [0, 1, 2, 0, 3, 1, 2, 2, 1, 3, 1, 2, 3, 0, 0, 0]
