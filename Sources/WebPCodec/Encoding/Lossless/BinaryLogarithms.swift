// Logarithms for entropies. The counts of an image's symbols are small for the most part, hence the table.

internal import ImageCoding

/// x · log₂ x of whole numbers.
struct BinaryLogarithms: Sendable {
  /// x · log₂ x of the numbers below the size of the table.
  let products: [Float]
  /// log₂ x of the same numbers.
  let logarithms: [Float]

  static let tableBits = 12
  static let shared = BinaryLogarithms()

  private init() {
    let inverse = 1 / ElementaryFunctions.logarithm(2)
    var products: [Float] = [0]
    var logarithms: [Float] = [0]
    for value in 1..<1 << Self.tableBits {
      let logarithm = ElementaryFunctions.logarithm(Double(value)) * inverse
      products.append(Float(Double(value) * logarithm))
      logarithms.append(Float(logarithm))
    }
    self.products = products
    self.logarithms = logarithms
  }
}

/// Returns x · log₂ x.
///
/// - Parameter products: ``BinaryLogarithms/products``.
@inline(__always)
func logarithmicProduct(_ value: UInt32, _ products: Span<Float>) -> Float {
  value < 1 << 12 ? products[Int(value)] : largeLogarithmicProduct(value, products)
}

@inline(never)
private func largeLogarithmicProduct(_ value: UInt32, _ products: Span<Float>) -> Float {
  // v = m · 2ˢ + r, and log₂ (m · 2ˢ + r) ≈ log₂ m + s + r / (v · ln 2).
  let shift = UInt32(truncatingIfNeeded: 20 - value.leadingZeroBitCount)
  let mantissa = value &>> shift
  let rest = value & ((1 &<< shift) &- 1)
  let logarithm = products[Int(mantissa)] / Float(mantissa) + Float(shift)
  return Float(value) * logarithm + Float(rest) * 1.442_695
}
