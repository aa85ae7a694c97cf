// The index of a glyph in its font.

/// A glyph of a font. Glyph 0 (`.notdef`) represents missing characters.
@usableFromInline
package struct GlyphID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The index in the font's tables.
  @usableFromInline package let rawValue: UInt16

  /// Creates a glyph from its index.
  package init(_ rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The glyph for characters that the font lacks (`.notdef`).
  package static let missing = GlyphID(0)

  /// The index as an `Int`, for offset arithmetic.
  @inlinable package var index: Int { Int(rawValue) }

  @usableFromInline package static func < (a: GlyphID, b: GlyphID) -> Bool { a.rawValue < b.rawValue }

  /// The index in decimal.
  @usableFromInline package var description: String { "\(rawValue)" }
}
