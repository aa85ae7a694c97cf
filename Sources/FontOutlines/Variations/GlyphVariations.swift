// How the points of TrueType glyphs move through the design space (OpenType, `gvar`).

/// The deltas of all glyphs.
struct GlyphVariations: Sendable {
  func apply(to outline: inout OutlinePoints, glyph: GlyphID, coordinates: [Double]) {}
  func apply(toAnchors anchors: inout [OutlinePoints.Element], glyph: GlyphID, coordinates: [Double]) {}
}
