// The transfer functions of the decoded image, for rows of samples.

internal import ImageCoding

/// A transfer function that encodes rows of linear light, eight samples at a time if it is a power function.
///
/// The vectors deviate from the functions by less than 10⁻⁶. Functions of other shapes are calculated sample by sample.
package struct TransferCurve: Sendable {
  /// A power function with a line at its start: a · xᵖ + b from a threshold on, and a multiple of x below.
  private struct Power: Sendable {
    var exponent: Float
    var factor: Float = 1
    var offset: Float = 0
    var threshold: Float = 0
    var slope: Float = 0
  }

  private let encoder: TransferEncoder
  private let power: Power?
  private let isLinear: Bool
  /// Whether the function is that of sRGB, which has a faster approximation.
  let isSRGB: Bool

  package init(_ encoder: TransferEncoder) {
    self.encoder = encoder
    isLinear = encoder.transfer == .codePoint(8)
    isSRGB = encoder.transfer == .codePoint(13)
    switch encoder.transfer {
    // Exponents outside this range lose precision.
    case .gamma(let exponent): power = 0.2...1 ~= exponent ? Power(exponent: Float(exponent)) : nil
    case .codePoint(1): power = Power(exponent: 0.45, factor: 1.099, offset: -0.099, threshold: 0.018, slope: 4.5)
    case .codePoint(13):
      power = Power(exponent: 1 / 2.4, factor: 1.055, offset: -0.055, threshold: 0.0031308, slope: 12.92)
    case .codePoint(17): power = Power(exponent: 1 / 2.6)
    case .codePoint: power = nil
    }
  }

  /// The work of a sample, in the units of the budget.
  var unitsPerSample: Int { isLinear ? 0 : power == nil ? 100 : 1 }

  /// Encodes the first samples of a row of linear light.
  package func encode(_ row: inout MutableSpan<Float>, count: Int) {
    if isLinear { return }
    guard let power else {
      for x in 0..<count { row[x] = encoder.encode(row[x]) }
      return
    }
    var x = 0
    while x &+ 8 <= count {
      let light = loadVector(row, at: x)
      storeVector(isSRGB ? Self.encodeSRGB(light, power) : Self.encode(light, power), into: &row, at: x)
      x &+= 8
    }
    guard x < count else { return }
    var rest = FloatVector()
    for lane in 0..<count &- x { rest[lane] = row[x &+ lane] }
    rest = isSRGB ? Self.encodeSRGB(rest, power) : Self.encode(rest, power)
    for lane in 0..<count &- x { row[x &+ lane] = rest[lane] }
  }

  /// Encodes light by the function of sRGB. Light beyond 1, which is rare, has no approximation but the general one.
  @inline(__always)
  private static func encodeSRGB(_ light: FloatVector, _ power: Power) -> FloatVector {
    let lightBits = bits(of: light)
    let magnitude = floats(ofBits: lightBits & 0x7FFF_FFFF)
    let isBright = magnitude .> 1
    let encoded = SRGBCurve.encode(magnitude.replacing(with: 1, where: isBright))
    guard any(isBright) else { return floats(ofBits: bits(of: encoded) | (lightBits & 0x8000_0000)) }
    let bright = encode(light, power)
    return floats(ofBits: bits(of: encoded) | (lightBits & 0x8000_0000)).replacing(with: bright, where: isBright)
  }

  @inline(__always)
  private static func encode(_ light: FloatVector, _ power: Power) -> FloatVector {
    let lightBits = bits(of: light)
    let magnitude = floats(ofBits: lightBits & 0x7FFF_FFFF)
    let curve = PowerFunction.value(magnitude, exponent: power.exponent) * power.factor + power.offset
    let encoded = curve.replacing(with: magnitude * power.slope, where: magnitude .< power.threshold)
    return floats(ofBits: bits(of: encoded) | (lightBits & 0x8000_0000))
  }
}
