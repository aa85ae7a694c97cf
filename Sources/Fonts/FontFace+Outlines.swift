// The outlines of a face's glyphs.

package import ImageCore
package import VectorGraphics

extension FontFace {
  /// Returns the outline of a glyph in font units, y upwards, with what is synthesised; `nil` for a glyph without
  /// contours, such as a space.
  ///
  /// - Parameter budget: charged for each component, operator, point and delta.
  /// - Throws: `CodecError.Kind.malformed` if the font's data is invalid, `CodecError.Kind.limitExceeded` if the
  ///   glyph has too many parts; the errors of the budget.
  package func outline(of glyph: GlyphID, budget: inout ResourceBudget) throws(CodecError) -> Path? {
    do throws(GlyphFailure) {
      guard let plain = try plainOutline(of: glyph, &budget) else { return nil }
      return try synthesised(plain, &budget)
    } catch {
      throw error.error
    }
  }

  /// Returns the outline of a glyph as ``outline(of:budget:)``; `nil` also for a glyph whose data is invalid or that has
  /// too many parts.
  ///
  /// - Throws: the errors of the budget.
  package func validOutline(of glyph: GlyphID, budget: inout ResourceBudget) throws(CodecError) -> Path? {
    guard let plain = try validPlainOutline(of: glyph, budget: &budget) else { return nil }
    do throws(GlyphFailure) { return try synthesised(plain, &budget) } catch { throw error.error }
  }

  /// Returns the outline of a glyph as it is in the font; `nil` if it has none or is damaged.
  ///
  /// - Throws: the errors of the budget.
  func validPlainOutline(of glyph: GlyphID, budget: inout ResourceBudget) throws(CodecError) -> Path? {
    do throws(GlyphFailure) {
      return try plainOutline(of: glyph, &budget)
    } catch {
      switch error {
      case .glyph: return nil
      case .budget(let error): throw error
      }
    }
  }

  private func plainOutline(of glyph: GlyphID, _ budget: inout ResourceBudget) throws(GlyphFailure) -> Path? {
    guard glyph.index < tables.glyphCount else { return nil }
    if let glyphs = tables.glyphs {
      let variations = coordinates.isEmpty ? nil : tables.glyphVariations.map { ($0, coordinates) }
      var outlines = TrueTypeOutlines(table: glyphs, metrics: tables.horizontal, variations: variations)
      return try outlines.outline(of: glyph, budget: &budget)
    }
    if let font = tables.compactFont {
      return try font.outline(of: glyph, coordinates: coordinates, budget: &budget)
    }
    return nil
  }
}
