// Glyphs in colours of their own: paint operations as shapes, pictures through the caller's decoder, documents as documents.

internal import FontOutlines
internal import ImageCore
internal import VectorGraphics

extension TreeBuilder {
  /// Appends a glyph.
  ///
  /// - Parameter transform: from font units, y upwards, to the text's user space.
  mutating func append(
    _ glyph: ColorGlyph, _ place: ClusterGlyph, _ transform: AffineTransform, _ frame: Frame
  ) throws(DecodeError) {
  }
}
