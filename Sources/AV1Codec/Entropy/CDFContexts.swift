// The cumulative distribution functions of a tile (section 8.3).

internal import ImageCoding

/// The distributions of all syntax elements, which adapt to the symbols of a tile.
///
/// A distribution of N symbols takes N/4 groups, rounded up. Its first N − 1 values are 32768 minus those of the
/// specification; zeros follow, and the last value of its last group counts the symbols decoded.
///
/// A reference, since copies of 16 kB take too much of the stacks of threads. Only the subscript uses the groups, so
/// that the compiler can prove that accesses do not overlap: they cost no more than those of a value.
package final class CDFContexts {
  /// Their number is ``CDFIndex/count``, rounded up to a power of two so that a mask keeps indices in range.
  private var groups = InlineArray<2048, UInt64>(repeating: 0)

  static let indexMask = 2047
  /// The memory of the distributions.
  static let byteCount = (indexMask + 1) * MemoryLayout<UInt64>.size

  /// A group of four values, the first one in the low bits.
  @inline(__always)
  package subscript(group: Int) -> UInt64 {
    get { groups[group & Self.indexMask] }
    set { groups[group & Self.indexMask] = newValue }
  }

  /// The default distributions.
  ///
  /// - Parameter baseIndex: `base_q_idx`, which selects those of coefficients.
  package init(baseIndex: Int) {
    let defaults = DecodedDefaultCDFs.shared
    let set = baseIndex <= 20 ? 0 : baseIndex <= 60 ? 1 : baseIndex <= 120 ? 2 : 3
    for index in 0..<min(CDFIndex.coefficients, defaults.plain.count) { self[index] = defaults.plain[index] }
    let coefficients = defaults.coefficients[set]
    for index in 0..<min(CDFIndex.count - CDFIndex.coefficients, coefficients.count) {
      self[CDFIndex.coefficients + index] = coefficients[index]
    }
  }
}

extension CDFContexts {
  /// The probability of a symbol, in 32768ths.
  func probability(of symbol: Int, _ group: Int) -> Int {
    let before = symbol == 0 ? 32768 : Int(value(symbol - 1, group))
    return before - Int(value(symbol, group))
  }

  /// 32768 minus the cumulative probability of a symbol and those before it.
  private func value(_ symbol: Int, _ group: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: self[group + symbol / 4] >> UInt64((symbol & 3) * 16))
  }
}

/// The default distributions as groups of four values.
struct DecodedDefaultCDFs: Sendable {
  static let shared = DecodedDefaultCDFs()

  let plain: [UInt64]
  let coefficients: [[UInt64]]

  private init() {
    plain = Self.decode(DefaultCDFs.encodedPlain)
    coefficients = DefaultCDFs.encodedCoefficients.map { Self.decode($0) }
  }

  private static func decode(_ text: String) -> [UInt64] {
    let encoded = Array(text.utf8)
    let bytes = Base64.decode(encoded.span) ?? []
    return (0..<bytes.count / 8).map { group in
      (0..<8).reduce(0) { $0 | UInt64(bytes[group * 8 + $1]) << UInt64($1 * 8) }
    }
  }
}
