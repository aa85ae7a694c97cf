// What shaping takes and gives.

internal import ImageCore

/// A glyph in its place.
package struct ShapedGlyph: Hashable, Sendable {
  /// The glyph.
  package var glyph: GlyphID
  /// The index of the first character that the glyph stands for, in the text that was shaped. Glyphs of one cluster
  /// share it.
  package var cluster: Int
  /// How far the pen moves after the glyph, in font units.
  package var xAdvance: Double
  /// Upwards: negative in vertical text.
  package var yAdvance: Double
  /// Where the glyph is drawn, from the pen.
  package var xOffset: Double
  /// Upwards.
  package var yOffset: Double
}

/// Where text runs to.
package enum TextDirection: Hashable, Sendable {
  case leftToRight
  case rightToLeft
  case topToBottom

  /// Whether lines of text are horizontal.
  package var isHorizontal: Bool { self != .topToBottom }
}

/// A feature that the caller turns on or off.
package struct FontFeature: Hashable, Sendable {
  /// The feature's name, such as `smcp`.
  package var tag: Tag
  /// 0 for off, 1 for on; which alternate to take for features that have several.
  package var value: Int

  /// Creates a setting.
  package init(_ tag: Tag, _ value: Int = 1) {
    self.tag = tag
    self.value = value
  }
}
