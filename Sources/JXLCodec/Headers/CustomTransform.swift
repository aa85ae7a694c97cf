// The parameters of the colour transform and of upsampling (ISO/IEC 18181-1, A.10).

internal import ImageCoding

/// `CustomTransformData`. Weights that are `nil` are the defaults.
struct CustomTransform: Hashable, Sendable {
  private(set) var opsin = OpsinInverse()
  /// The weights of upsampling by 2, 4 and 8.
  private(set) var upsampling2: [Float]?
  private(set) var upsampling4: [Float]?
  private(set) var upsampling8: [Float]?

  init() {}

  init(parsing bits: inout BitReader, isXYB: Bool) throws(CodecError) {
    if try bits.readFlag() { return }
    if isXYB { opsin = try OpsinInverse(parsing: &bits) }
    let mask = try bits.readBits(3)
    if mask & 1 != 0 { upsampling2 = try Self.readWeights(&bits, count: 15) }
    if mask & 2 != 0 { upsampling4 = try Self.readWeights(&bits, count: 55) }
    if mask & 4 != 0 { upsampling8 = try Self.readWeights(&bits, count: 210) }
  }

  fileprivate static func readWeights(_ bits: inout BitReader, count: Int) throws(CodecError) -> [Float] {
    var weights: [Float] = []
    for _ in 0..<count { weights.append(try bits.readF16()) }
    return weights
  }
}

/// `OpsinInverseMatrix`: from XYB to linear RGB.
struct OpsinInverse: Hashable, Sendable {
  /// Three rows of three coefficients.
  private(set) var matrix: [Float] = [
    11.031566901960783, -9.866943921568629, -0.16462299647058826, -3.254147380392157, 4.418770392156863,
    -0.16462299647058826, -3.6588512862745097, 2.7129230470588235, 1.9459282392156863,
  ]
  private(set) var biases: [Float] = [-0.0037930732552754493, -0.0037930732552754493, -0.0037930732552754493]
  /// The values of coefficients of magnitude 1, for X, Y and B.
  private(set) var quantizationBiases: [Float] = [
    1 - 0.05465007330715401, 1 - 0.07005449891748593, 1 - 0.049935103337343655,
  ]
  /// The numerator of the bias of larger coefficients.
  private(set) var quantizationBiasNumerator: Float = 0.145

  init() {}

  init(parsing bits: inout BitReader) throws(CodecError) {
    if try bits.readFlag() { return }
    matrix = try CustomTransform.readWeights(&bits, count: 9)
    biases = try CustomTransform.readWeights(&bits, count: 3)
    quantizationBiases = try CustomTransform.readWeights(&bits, count: 3)
    quantizationBiasNumerator = try bits.readF16()
  }
}
