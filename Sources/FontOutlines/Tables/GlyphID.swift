// The number of a glyph in its font.

/// A glyph of a font. Glyph 0 is the one for characters that are missing (`.notdef`).
package struct GlyphID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The index in the font's tables.
  package let rawValue: UInt16

  /// Wraps an index.
  package init(_ rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The glyph for characters that the font lacks.
  package static let missing = GlyphID(0)

  /// The index as an integer of tables' arithmetic.
  var index: Int { Int(rawValue) }

  package static func < (a: GlyphID, b: GlyphID) -> Bool { a.rawValue < b.rawValue }

  /// The index.
  package var description: String { "\(rawValue)" }
}
