// The scanning of attribute values, most of which are path data: long, and literal but for line ends.

/// The replacements that are needed to turn the text of an attribute into its value (XML 1.0, section 3.3.3).
package enum AttributeNormalization: Comparable, Sendable {
  case none
  /// Tabs and line feeds become spaces.
  case spaces
  /// Carriage returns become spaces, and those before line feeds are dropped.
  case lineEnds
  /// References are replaced.
  case expansion
}

/// The findings in a block of text.
package struct AttributeBlock {
  /// Whether the quote that ends a value, or a character not permitted in a value, is in the block.
  package let hasEnd: Bool
  /// The normalisation that suffices for the block.
  package let normalization: AttributeNormalization

  /// - Parameter block: 32 bytes.
  @inline(__always)
  package init(_ block: Span<UInt8>, quote: UInt8) {
    // All bytes are examined, without branches, so that the loop is vectorised.
    var (ends, expansions, spaces): (UInt8, UInt8, UInt8) = (0, 0, 0)
    for index in 0..<32 {
      let byte = block[index]
      ends |= (byte == quote ? 1 : 0) | (byte == UInt8(ascii: "<") ? 1 : 0)
      expansions |= (byte == UInt8(ascii: "&") ? 1 : 0) | (byte == 13 ? 1 : 0)
      spaces |= (byte == 9 ? 1 : 0) | (byte == 10 ? 1 : 0)
    }
    hasEnd = ends != 0
    normalization =
      expansions == 0 ? (spaces != 0 ? .spaces : .none) : Self.hasReference(block) ? .expansion : .lineEnds
  }

  @inline(never)
  private static func hasReference(_ block: Span<UInt8>) -> Bool {
    var references: UInt8 = 0
    for index in 0..<32 { references |= block[index] == UInt8(ascii: "&") ? 1 : 0 }
    return references != 0
  }
}
