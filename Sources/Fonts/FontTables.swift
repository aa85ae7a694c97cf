// The tables of one face, with headers parsed, shared by all instances of the face.

internal import ImageCore
internal import Threading

/// The parsed tables of one face.
package final class FontTables: Sendable {
  package let container: FontContainer
  package let unitsPerEm: Int
  let glyphCount: Int
  let names: FaceNames
  let traits: FaceTraits
  let metrics: FaceMetrics
  package let characters: CharacterMap
  let horizontal: GlyphMetrics
  let vertical: GlyphMetrics
  let glyphs: GlyphTable?
  let compactFont: CFFFont?
  let verticalOrigins: VerticalOrigins
  let designSpace: DesignSpace
  let glyphVariations: GlyphVariations?
  let horizontalVariations: AdvanceVariations?
  let verticalVariations: AdvanceVariations?
  let faceVariations: FaceVariations
  /// Whether there are glyphs with colours.
  let isColored: Bool
  /// The object that the user of the tables keeps with them; see ``companion(_:)``.
  private let companion = Mutex<(any AnyObject & Sendable)?>(nil)

  /// The work units for parsing the fixed headers of a face.
  private static let workPerFace = 5_000

  /// Parses the headers of a face.
  ///
  /// - Parameter budget: charged for the records that are read.
  /// - Throws: `CodecError.Kind.malformed` if `head`, `hhea` or `maxp` is missing or invalid; the errors of the
  ///   budget.
  init(_ container: FontContainer, budget: inout ResourceBudget) throws(CodecError) {
    try budget.chargeWork(Self.workPerFace)
    self.container = container
    let head = container["head"]
    let hhea = container["hhea"]
    guard head.count >= 52, hhea.count >= 36, container["maxp"].count >= 6 else {
      throw CodecError(.malformed, "the font lacks one of the tables head, hhea and maxp", format: .font)
    }
    unitsPerEm = head.uint16(at: 18)
    guard (16...16384).contains(unitsPerEm) else {
      throw CodecError(.malformed, "the units per em are not 16…16384", format: .font)
    }
    glyphCount = container["maxp"].uint16(at: 4)
    guard glyphCount > 0 else { throw CodecError(.malformed, "the font has no glyphs", format: .font) }
    let os2 = container["OS/2"]
    let post = container["post"]
    try budget.chargeWork(FaceNames.workOfReading(container["name"]))
    names = FaceNames(container["name"])
    traits = FaceTraits(os2: os2, head: head, post: post)
    metrics = FaceMetrics(hhea: hhea, os2: os2, post: post)
    try budget.chargeWork(CharacterMap.workOfReading(container["cmap"]))
    characters = CharacterMap(container["cmap"])
    horizontal = GlyphMetrics(header: hhea, table: container["hmtx"], glyphCount: glyphCount)
    vertical = GlyphMetrics(header: container["vhea"], table: container["vmtx"], glyphCount: glyphCount)
    glyphs =
      container["glyf"].isEmpty
      ? nil
      : GlyphTable(
        glyphs: container["glyf"], locations: container["loca"], usesLongLocations: head.int16(at: 50) != 0)
    verticalOrigins = VerticalOrigins(container["VORG"])
    designSpace = DesignSpace(axes: container["fvar"], mapping: container["avar"])
    glyphVariations = GlyphVariations(container["gvar"])
    horizontalVariations = AdvanceVariations(container["HVAR"])
    verticalVariations = AdvanceVariations(container["VVAR"])
    faceVariations = FaceVariations(container["MVAR"])
    isColored = container.hasColors
    if let variable = try CFFFont(container["CFF2"], isCFF2: true, unitsPerEm: unitsPerEm, budget: &budget) {
      compactFont = variable
    } else {
      compactFont = try CFFFont(container["CFF "], isCFF2: false, unitsPerEm: unitsPerEm, budget: &budget)
    }
  }

  /// Returns the object that the user of the tables keeps with them, such as a cache of what is derived from them,
  /// creating it on first use. There is one for the tables of a face.
  package func companion<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    companion.withLock { companion in
      if let known = companion as? Object { return known }
      let object = make()
      companion = object
      return object
    }
  }
}
