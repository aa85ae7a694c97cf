// One face of a font at one place of its design space: what text layout asks and draws.

package import ImageCore

/// A face, cheap to copy. Everything is in font units with y upwards.
package struct FontFace: Sendable {
  let tables: FontTables
  /// Where in the design space the instance lies: for each axis -1…1, 0 at the default; empty for a static font and for
  /// the default instance.
  let coordinates: [Double]

  /// Reads a face from the bytes of a font file: OpenType, TrueType, a collection of them, or WOFF.
  ///
  /// - Parameter index: which face of a collection; 0 for other files.
  /// - Throws: ``DecodeError`` when the bytes are no font, lack the tables that every font has, or are WOFF 2
  ///   (``DecodeError/Kind/unsupported``).
  package init(parsing bytes: [UInt8], index: Int = 0) throws(DecodeError) {
    tables = try FontTables(parsing: bytes, index: index)
    coordinates = []
  }

  init(_ tables: FontTables, coordinates: [Double]) {
    self.tables = tables
    self.coordinates = coordinates
  }

  /// The number of faces in the bytes of a font file; 1 for what is no collection.
  package static func faceCount(_ bytes: [UInt8]) -> Int {
    FontContainer.faceCount(bytes)
  }
}

extension FontFace: Identifiable {
  /// Tells faces and their instances apart. Holds on to the face, so that an identity is never given out twice.
  package struct ID: Hashable, Sendable {
    private let tables: FontTables
    private let coordinates: [Double]

    fileprivate init(_ face: FontFace) {
      tables = face.tables
      coordinates = face.coordinates
    }

    package static func == (a: ID, b: ID) -> Bool {
      a.tables === b.tables && a.coordinates == b.coordinates
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(tables))
      hasher.combine(coordinates)
    }
  }

  /// The identity of the face and its instance.
  package var id: ID { ID(self) }
}

extension FontFace {
  /// The names of the family, English ones first.
  package var families: [String] { tables.names.families }
  /// The PostScript name; empty where there is none.
  package var postScriptName: String { tables.names.postScriptName }
  /// How the face leans.
  package var style: FontStyle { tables.traits.style }
  /// Whether the face leans.
  package var isItalic: Bool { tables.traits.style != .normal }
  /// 1…1000; 400 is regular.
  package var weight: Int { tables.traits.weight }
  /// The width in percent of the normal one.
  package var stretch: Double { tables.traits.stretch }
  /// Whether all glyphs are said to have one advance.
  package var isMonospaced: Bool { tables.traits.isMonospaced }
  /// The number of glyphs.
  package var glyphCount: Int { tables.glyphCount }

  /// The glyph of a character; `nil` where the font has none.
  ///
  /// - Parameter variationSelector: the selector behind the character. A sequence that the font does not know gives
  ///   the character's own glyph.
  package func glyph(for scalar: Unicode.Scalar, variationSelector: Unicode.Scalar? = nil) -> GlyphID? {
    if let variationSelector,
      let glyph = tables.characters.glyph(for: scalar.value, variationSelector: variationSelector.value)
    {
      return glyph
    }
    return tables.characters.glyph(for: scalar.value)
  }
}
