// IEEE 754 binary16 by its bit pattern, because the type Float16 does not exist on every platform.

extension Float {
  /// Converts a half-precision number exactly.
  package init(halfPrecisionBits bits: UInt16) {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10) & 31
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      // Zero and subnormal numbers: multiples of 2⁻²⁴.
      let magnitude = Float(fraction) * 0x1p-24
      self = Float(bitPattern: magnitude.bitPattern | sign)
    case 31: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: self = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }

  /// The nearest half-precision number, ties to even. Numbers that are too large become infinite.
  package var halfPrecisionBits: UInt16 {
    let bits = bitPattern
    let sign = UInt16(truncatingIfNeeded: bits >> 16) & 0x8000
    let magnitude = bits & 0x7FFF_FFFF
    if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
    // 65520 is halfway between the largest finite number and the next power of two.
    if magnitude >= 0x477F_F000 { return sign | 0x7C00 }
    if magnitude < 0x3880_0000 {
      // Subnormal: adding 0.5 aligns the unit in the last place with 2⁻²⁴, and rounds.
      let aligned = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(truncatingIfNeeded: aligned.bitPattern &- Float(0.5).bitPattern)
    }
    // Rounds at bit 13, and changes the exponent bias from 127 to 15.
    let isOdd = magnitude >> 13 & 1
    let rounded = magnitude &+ 0xFFF &+ isOdd &- 0x3800_0000
    return sign | UInt16(truncatingIfNeeded: rounded >> 13)
  }
}
