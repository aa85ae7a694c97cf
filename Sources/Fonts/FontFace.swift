// One face of a font at one position in its design space, as used for text layout and drawing.

package import ImageCore

/// A font face, cheap to copy. All metrics are in font units, y upwards.
package struct FontFace: Sendable {
  package let tables: FontTables
  /// The normalised coordinates of the instance: for each axis -1…1, with 0 at the default; empty for a static font or
  /// the default instance.
  package let coordinates: [Double]
  /// The variations of the face's metrics at these coordinates; `nil` if there are none.
  let metricsDeltas: MetricsDeltas?
  /// The changes of the document that defines the face.
  let adjustment: FaceAdjustment?
  /// The synthesised changes to the face.
  package let synthesis: FaceSynthesis

  /// Parses a face from the bytes of a font file: OpenType, TrueType, a font collection, WOFF or WOFF 2.
  ///
  /// - Parameter index: the index of the face in a collection; 0 for other files.
  /// - Throws: `CodecError` if the bytes are not a font, lack required tables, or exceed the default limits.
  package init(parsing bytes: [UInt8], index: Int = 0) throws(CodecError) {
    var budget = ResourceBudget(DecodingLimits.default, format: .font)
    try self.init(parsing: bytes, index: index, budget: &budget)
  }

  /// Parses a face from the bytes of a font file.
  ///
  /// - Parameter budget: charged for decompressed tables, which remain charged, and for parsing.
  /// - Throws: `CodecError` if the bytes are not a font, lack required tables, or exceed the budget.
  package init(parsing bytes: [UInt8], index: Int = 0, budget: inout ResourceBudget) throws(CodecError) {
    try self.init(FontContainer(parsing: bytes, index: index, budget: &budget), budget: &budget)
  }

  init(_ container: FontContainer, budget: inout ResourceBudget) throws(CodecError) {
    tables = try FontTables(container, budget: &budget)
    coordinates = []
    metricsDeltas = nil
    adjustment = nil
    synthesis = .none
  }

  init(
    _ tables: FontTables, coordinates: [Double], metricsDeltas: MetricsDeltas?, adjustment: FaceAdjustment?,
    synthesis: FaceSynthesis = .none
  ) {
    self.tables = tables
    self.coordinates = coordinates
    self.metricsDeltas = metricsDeltas
    self.adjustment = adjustment
    self.synthesis = synthesis
  }

  /// Returns the face with the changes of a document.
  func adjusted(_ adjustment: FaceAdjustment) -> FontFace {
    FontFace(
      tables, coordinates: coordinates, metricsDeltas: metricsDeltas, adjustment: adjustment, synthesis: synthesis)
  }

  /// The number of faces in a font file; 1 if it is not a collection.
  package static func faceCount(_ bytes: [UInt8]) -> Int {
    FontContainer.faceCount(bytes)
  }
}

extension FontFace: Identifiable {
  /// Identifies a face and its instance. It retains the face, so an identity is never reused.
  package struct ID: Hashable, Sendable {
    private let tables: FontTables
    private let coordinates: [Double]
    private let adjustment: FaceAdjustment?
    private let synthesis: FaceSynthesis

    fileprivate init(_ face: FontFace) {
      tables = face.tables
      coordinates = face.coordinates
      adjustment = face.adjustment
      synthesis = face.synthesis
    }

    package static func == (a: ID, b: ID) -> Bool {
      a.tables === b.tables && a.coordinates == b.coordinates && a.adjustment === b.adjustment
        && a.synthesis == b.synthesis
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(tables))
      hasher.combine(coordinates)
      hasher.combine(synthesis)
    }
  }

  /// The identity of the face and its instance.
  package var id: ID { ID(self) }
}

extension FontFace {
  /// The family names, English ones first.
  package var families: [String] { tables.names.families }
  /// The PostScript name; empty if there is none.
  package var postScriptName: String { tables.names.postScriptName }
  /// The slope of the face: upright, italic or oblique.
  package var style: FontStyle { tables.traits.style }
  /// Whether the face is italic or oblique.
  package var isItalic: Bool { tables.traits.style != .normal }
  /// The weight, 1…1000; 400 is regular.
  package var weight: Int { tables.traits.weight }
  /// The width as a percentage of the normal width.
  package var stretch: Double { tables.traits.stretch }
  /// Whether the font declares all glyphs to have the same advance.
  package var isMonospaced: Bool { tables.traits.isMonospaced }
  /// The number of glyphs.
  package var glyphCount: Int { tables.glyphCount }

  /// Returns the glyph for a character; `nil` if the font has none or is not used for the character.
  ///
  /// - Parameter variationSelector: the selector after the character. If the font does not support the sequence, the
  ///   result is the character's default glyph.
  package func glyph(for scalar: Unicode.Scalar, variationSelector: Unicode.Scalar? = nil) -> GlyphID? {
    if let adjustment, !adjustment.covers(scalar) { return nil }
    if let variationSelector,
      let glyph = tables.characters.glyph(for: scalar.value, variationSelector: variationSelector.value)
    {
      return glyph
    }
    return tables.characters.glyph(for: scalar.value)
  }

  /// Whether the font supports a character with a variation selector.
  package func hasGlyph(for scalar: Unicode.Scalar, variationSelector: Unicode.Scalar) -> Bool {
    if let adjustment, !adjustment.covers(scalar) { return false }
    return tables.characters.glyph(for: scalar.value, variationSelector: variationSelector.value) != nil
  }

  /// Whether the font has glyphs with colours.
  package var isColored: Bool { tables.isColored }
}
