// The variants of LZW that image formats use: GIF89a appendix F, TIFF 6.0 section 13.

/// How a format writes LZW codes.
package struct LZWCoding: Hashable, Sendable {
  /// Which end of a byte the first code starts at.
  package enum BitOrder: Hashable, Sendable {
    /// At the low end: GIF.
    case leastSignificantFirst
    /// At the high end: TIFF.
    case mostSignificantFirst
  }

  /// The widest code, in bits.
  package static let maximumCodeWidth = 12
  /// Codes that a full table holds.
  package static let maximumCodeCount = 1 << maximumCodeWidth

  /// Bits of a literal, 1…11: codes below `1 << literalWidth` stand for single bytes. Of more than eight bits the low
  /// ones are the byte.
  package let literalWidth: Int
  /// Which end of a byte the first code starts at.
  package let bitOrder: BitOrder
  /// Whether codes become wider one code before the narrow ones are used up, as TIFF has it.
  package let hasEarlyChange: Bool

  /// Describes a coding.
  package init(literalWidth: Int, bitOrder: BitOrder, hasEarlyChange: Bool = false) {
    precondition((1...11).contains(literalWidth), "literals have 1…11 bits")
    self.literalWidth = literalWidth
    self.bitOrder = bitOrder
    self.hasEarlyChange = hasEarlyChange
  }

  /// The code that empties the table.
  package var clearCode: Int { 1 << literalWidth }
  /// The code behind the last one: end of information.
  package var endCode: Int { clearCode + 1 }
  /// The first code that stands for a string.
  package var firstStringCode: Int { clearCode + 2 }
  /// Bits of a code while the table is empty.
  package var initialCodeWidth: Int { literalWidth + 1 }
}
