// The formulas of composition, for frames and for patches (ISO/IEC 18181-1, F.4 and K.3.2).

/// The combination of a sample above and one below.
enum BlendingArithmetic {
  /// The opacity of one row of samples above another.
  struct Opacity {
    /// The opacities of both rows, clamped if the format says so.
    var above: Float
    var below: Float
    /// Whether colours are multiplied by their opacity.
    var isAssociated: Bool

    /// The opacity of the result.
    @inline(__always)
    var result: Float { 1 - (1 - above) * (1 - below) }

    /// The colour of the sample above in front of the one below.
    @inline(__always)
    func blend(_ aboveColor: Float, _ belowColor: Float) -> Float {
      if isAssociated { return aboveColor + belowColor * (1 - above) }
      let opacity = result
      guard opacity > 0 else { return 0 }
      return (aboveColor * above + belowColor * below * (1 - above)) / opacity
    }
  }

  @inline(__always)
  static func clamped(_ value: Float, _ clamps: Bool) -> Float { clamps ? min(max(value, 0), 1) : value }
}
