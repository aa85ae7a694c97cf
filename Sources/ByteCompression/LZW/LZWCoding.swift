// The variants of LZW that image formats use: GIF89a appendix F, TIFF 6.0 section 13.

/// The parameters of an LZW variant.
package struct LZWCoding: Hashable, Sendable {
  /// The end of a byte at which codes start.
  package enum BitOrder: Hashable, Sendable {
    /// At the least significant bit: GIF.
    case leastSignificantFirst
    /// At the most significant bit: TIFF.
    case mostSignificantFirst
  }

  /// The maximum width of a code, in bits.
  package static let maximumCodeWidth = 12
  /// The number of codes in a full table.
  package static let maximumCodeCount = 1 << maximumCodeWidth

  /// The number of bits in a literal, 1…11: codes below `1 << literalWidth` represent single bytes. With more than
  /// eight bits, the low eight are the byte.
  package let literalWidth: Int
  /// The end of a byte at which codes start.
  package let bitOrder: BitOrder
  /// Whether the code width increases one code early, as in TIFF.
  package let hasEarlyChange: Bool

  /// Creates a variant from its parameters.
  package init(literalWidth: Int, bitOrder: BitOrder, hasEarlyChange: Bool = false) {
    precondition((1...11).contains(literalWidth), "the literal width is not 1…11 bits")
    self.literalWidth = literalWidth
    self.bitOrder = bitOrder
    self.hasEarlyChange = hasEarlyChange
  }

  /// The code that empties the table.
  package var clearCode: Int { 1 << literalWidth }
  /// The end-of-information code, which follows the clear code.
  package var endCode: Int { clearCode + 1 }
  /// The first code that represents a string.
  package var firstStringCode: Int { clearCode + 2 }
  /// The code width while the table is empty.
  package var initialCodeWidth: Int { literalWidth + 1 }
}
