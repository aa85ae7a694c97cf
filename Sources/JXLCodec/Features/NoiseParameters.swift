// The strength of noise (ISO/IEC 18181-1, K.5.1).

internal import ImageCoding

/// `NoiseParameters`: the strength for eight levels of brightness.
struct NoiseParameters: Sendable {
  let strengths: [Float]

  init(parsing bits: inout BitReader) throws(CodecError) {
    var strengths: [Float] = []
    for _ in 0..<8 { strengths.append(Float(try bits.readInt(10)) / 1024) }
    self.strengths = strengths
  }

  /// Returns the strength for a brightness, interpolated between levels.
  @inline(__always)
  static func strength(_ brightness: Float, _ strengths: Span<Float>) -> Float {
    // NaN is 0.
    let position = brightness > 0 ? min(brightness * 6, 7) : 0
    let index = Int(position)
    let (low, high) = (strengths[index], strengths[min(index + 1, 7)])
    return min(max(low + (high - low) * (position - Float(index)), 0), 1)
  }
}
