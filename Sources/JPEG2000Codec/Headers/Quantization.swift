// QCD and QCC: quantisation (ITU-T T.800, A.6.4 and A.6.5).

internal import ImageCoding

/// The quantisation of the sub-bands of a component.
struct Quantization: Sendable {
  /// The exponent and the mantissa of a step size.
  struct Step: Sendable {
    let exponent: Int
    let mantissa: Int
  }

  /// The number of guard bits, 0…7.
  let guardBitCount: Int
  /// Whether the step of the lowest band determines all others.
  private let isDerived: Bool
  private let steps: [Step]

  init(parsing reader: inout ByteReader) throws(CodecError) {
    let style = try reader.readUInt8()
    guardBitCount = Int(style >> 5)
    isDerived = style & 31 == 1
    var steps: [Step] = []
    switch style & 31 {
    case 0:
      while reader.remaining >= 1, steps.count < Self.maximumBandCount {
        steps.append(Step(exponent: Int(try reader.readUInt8() >> 3), mantissa: 0))
      }
    case 1, 2:
      while reader.remaining >= 2, steps.count < (isDerived ? 1 : Self.maximumBandCount) {
        let value = Int(try reader.readUInt16BigEndian())
        steps.append(Step(exponent: value >> 11, mantissa: value & 0x7FF))
      }
    default: throw reader.error(.malformed, "the quantisation style is \(style & 31)")
    }
    guard !steps.isEmpty else { throw reader.error(.malformed, "there is no quantisation step") }
    self.steps = steps
  }

  private static let maximumBandCount = 3 * 32 + 1

  /// Returns the step of a band; `nil` if it is missing.
  ///
  /// - Parameters:
  ///   - resolution: the resolution that the band belongs to.
  ///   - band: 0 for the band of resolution 0, 0…2 for HL, LH and HH of others.
  func step(resolution: Int, band: Int) -> Step? {
    guard isDerived else {
      let index = resolution == 0 ? 0 : 3 * (resolution - 1) + 1 + band
      return index < steps.count ? steps[index] : nil
    }
    // The exponent decreases by one with each level above the lowest.
    let exponent = steps[0].exponent - max(0, resolution - 1)
    return Step(exponent: max(0, exponent), mantissa: steps[0].mantissa)
  }
}
