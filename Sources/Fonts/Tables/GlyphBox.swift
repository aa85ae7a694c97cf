// The bounding box of a glyph's outline, in whole font units.

package import ImageCore
internal import VectorGraphics

/// A bounding box, y upwards.
package struct GlyphBox: Hashable, Sendable {
  package var left = 0
  package var bottom = 0
  package var right = 0
  package var top = 0

  package var width: Int { right - left }
  package var height: Int { top - bottom }
}

extension FontFace {
  /// Returns the bounding box of a glyph, rounded outwards; empty if it has no contours.
  ///
  /// - Parameter budget: charged for the outline if the box is not stored.
  package func box(of glyph: GlyphID, budget: inout ResourceBudget) throws(CodecError) -> GlyphBox {
    // The header of a TrueType glyph contains the box of the default instance.
    if coordinates.isEmpty, let bytes = try? tables.glyphs?.bytes(of: glyph), bytes.count >= 10 {
      let left = tables.horizontal.isEmpty ? bytes.int16(at: 2) : tables.horizontal.bearing(of: glyph)
      return GlyphBox(
        left: left, bottom: bytes.int16(at: 4), right: left + bytes.int16(at: 6) - bytes.int16(at: 2),
        top: bytes.int16(at: 8))
    }
    guard let outline = try validOutline(of: glyph, budget: &budget), let bounds = outline.bounds,
      let left = Int32(exactly: bounds.minX.rounded(.down)), let bottom = Int32(exactly: bounds.minY.rounded(.down)),
      let right = Int32(exactly: bounds.maxX.rounded(.up)), let top = Int32(exactly: bounds.maxY.rounded(.up))
    else { return GlyphBox() }
    return GlyphBox(left: Int(left), bottom: Int(bottom), right: Int(right), top: Int(top))
  }
}
