// The strength of noise (ISO/IEC 18181-1, K.5.1).

internal import ImageCoding

/// `NoiseParameters`: the strength for eight levels of brightness.
struct NoiseParameters: Sendable {
  private let strengths: [Float]

  init(parsing bits: inout BitReader) throws(CodecError) {
    var strengths: [Float] = []
    for _ in 0..<8 { strengths.append(Float(try bits.readInt(10)) / 1024) }
    self.strengths = strengths
  }

  /// Returns the strength for a brightness, interpolated between levels.
  @inline(__always)
  func strength(_ brightness: Float) -> Float {
    let position = min(max(0, brightness) * 6, 7)
    let index = Int(position)
    let (low, high) = (strengths[index], strengths[min(index + 1, 7)])
    return min(max(low + (high - low) * (position - Float(index)), 0), 1)
  }
}
