// The type of the samples of a channel (ISO/IEC 18181-1, A.6).

internal import ImageCoding

/// `BitDepth`: the numeric type of samples.
struct BitDepth: Hashable, Sendable {
  /// The number of bits of a sample, including sign and exponent of floating-point ones.
  var bitCount = 8
  /// The number of bits of the exponent; 0 for integers.
  var exponentBitCount = 0

  /// Whether samples are floating-point numbers.
  var isFloatingPoint: Bool { exponentBitCount > 0 }
  /// The number of bits of the fraction of floating-point numbers.
  var fractionBitCount: Int { bitCount - exponentBitCount - 1 }

  init() {}

  init(parsing bits: inout BitReader) throws(CodecError) {
    guard try bits.readFlag() else {
      bitCount = try bits.readInt(.value(8), .value(10), .value(12), .bits(6, offset: 1))
      guard bitCount <= 31 else { throw bits.error(.malformed, "integer samples have \(bitCount) bits") }
      return
    }
    bitCount = try bits.readInt(.value(32), .value(16), .value(24), .bits(6, offset: 1))
    exponentBitCount = 1 + (try bits.readInt(4))
    guard (2...8).contains(exponentBitCount), (2...23).contains(fractionBitCount) else {
      throw bits.error(
        .malformed, "floating-point samples have \(bitCount) bits with an exponent of \(exponentBitCount)")
    }
  }
}
