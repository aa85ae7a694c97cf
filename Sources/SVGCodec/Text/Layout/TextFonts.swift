// The fonts of a document: the faces of elements, fallback faces for characters, and glyph outlines, each of which is
// looked up once.

internal import ImageCore
internal import TextShaping
internal import VectorGraphics

/// The faces and glyphs that the text of a document uses.
final class TextFonts {
  /// An index into ``faces``.
  typealias FaceIndex = Int32
  /// An index into the palettes that ``index(of:)`` has been asked for; 0 is the first palette of a font.
  typealias PaletteIndex = Int32

  private struct FaceKey: Hashable {
    var font: TextStyle.Font
    /// The font size, if the face has an optical size axis.
    var size: Double
  }

  private struct FallbackKey: Hashable {
    var scalar: Unicode.Scalar
    var face: FaceIndex
  }

  /// A face as it is used for text with some demands.
  private struct DemandedFace: Hashable {
    var face: FontFace.ID
    var demand: FaceDemand
  }

  private struct GlyphKey: Hashable {
    var face: FaceIndex
    var glyph: GlyphID
  }

  private struct ColorGlyphKey: Hashable {
    var glyph: GlyphKey
    var foreground: Color
    var palette: PaletteIndex
  }

  /// The maximum number of characters for which all fonts are searched; after that, only fallback fonts already found
  /// are used.
  private static let maximumSearchCount = 1_000

  let provider: FontProvider
  private(set) var faces: [FontFace] = []
  private(set) var metrics: [TextMetrics] = []
  /// What the text of each face demands of fallback faces.
  private var demands: [FaceDemand] = []
  private var indices: [DemandedFace: FaceIndex] = [:]
  private var palettes: [PaletteSelection] = [.standard]
  private var chosen: [FaceKey: FaceIndex?] = [:]
  private var matched: [FontQuery: FontFace?] = [:]
  private var fallbacks: [FallbackKey: FaceIndex?] = [:]
  /// The fallback faces found for each face, in order of discovery.
  private var helpers: [FaceIndex: [FaceIndex]] = [:]
  private var searchCount = 0
  private var outlines: [GlyphKey: Path?] = [:]
  private var colorGlyphs: [ColorGlyphKey: ColorGlyph?] = [:]

  init(_ provider: FontProvider) {
    self.provider = provider
  }

  // MARK: Faces

  /// Returns the face of an element's text: from its families, otherwise the default ones, otherwise any with letters;
  /// `nil` if there is none.
  func face(_ font: TextStyle.Font, size: Double) -> FaceIndex? {
    let key = FaceKey(font: font, size: font.hasOpticalSizing ? size : 0)
    if let known = chosen[key] { return known }
    let index = choose(font, size: size)
    chosen[key] = .some(index)
    return index
  }

  private func choose(_ font: TextStyle.Font, size: Double) -> FaceIndex? {
    let choice = FaceChoice(provider)
    let query = choice.query(font)
    let face: FontFace?
    if let known = matched[query] {
      face = known
    } else {
      face = choice.face(matching: query)
      matched[query] = .some(face)
    }
    return face.map { index(of: choice.instance(of: $0, font, size: size), FaceDemand(font, size: size)) }
  }

  private func index(of face: FontFace, _ demand: FaceDemand) -> FaceIndex {
    let key = DemandedFace(face: face.id, demand: demand)
    if let known = indices[key] { return known }
    let index = FaceIndex(faces.count)
    faces.append(face)
    metrics.append(TextMetrics(face))
    demands.append(demand)
    indices[key] = index
    return index
  }

  /// Returns a fallback face that has a character; `nil` if there is none.
  func fallback(for scalar: Unicode.Scalar, like face: FaceIndex) -> FaceIndex? {
    let key = FallbackKey(scalar: scalar, face: face)
    if let known = fallbacks[key] { return known }
    let helper = helpers[face, default: []].first { faces[Int($0)].glyph(for: scalar) != nil }
    let index = helper ?? search(for: scalar, like: face)
    fallbacks[key] = .some(index)
    return index
  }

  private func search(for scalar: Unicode.Scalar, like face: FaceIndex) -> FaceIndex? {
    guard searchCount < Self.maximumSearchCount else { return nil }
    searchCount += 1
    let found = provider.fallback(for: scalar, like: faces[Int(face)], excluding: [faces[Int(face)].id])
    let demand = demands[Int(face)]
    guard let index = found.map({ self.index(of: demand.synthesise($0), demand) }) else { return nil }
    helpers[face, default: []].append(index)
    return index
  }

  // MARK: Glyphs

  /// Returns the outline of a glyph in font units; `nil` if it has none or its data is damaged.
  func outline(of glyph: GlyphID, _ face: FaceIndex) -> Path? {
    let key = GlyphKey(face: face, glyph: glyph)
    if let known = outlines[key] { return known }
    let outline = try? faces[Int(face)].outline(of: glyph)
    outlines[key] = .some(outline)
    return outline
  }

  /// Returns the index of a palette.
  func index(of palette: PaletteSelection) -> PaletteIndex {
    if let known = palettes.firstIndex(of: palette) { return PaletteIndex(known) }
    palettes.append(palette)
    return PaletteIndex(palettes.count - 1)
  }

  /// Returns the colour glyph that replaces a glyph's outline.
  func colorGlyph(
    of glyph: GlyphID, _ face: FaceIndex, foreground: Color, palette: PaletteIndex = 0
  ) -> ColorGlyph? {
    let key = ColorGlyphKey(glyph: GlyphKey(face: face, glyph: glyph), foreground: foreground, palette: palette)
    if let known = colorGlyphs[key] { return known }
    let found = faces[Int(face)].colorGlyph(of: glyph, foreground: foreground, palette: palettes[Int(palette)])
    colorGlyphs[key] = .some(found)
    return found
  }
}

/// The metrics of a face as fractions of the font size, with substitutes for those that a font lacks.
struct TextMetrics: Sendable {
  var ascent: Double
  /// The extent below the baseline; negative.
  var descent: Double
  var lineGap: Double
  var xHeight: Double
  /// The centres of the decoration lines, upwards from the baseline, and their thickness.
  var underline: Double
  var lineThrough: Double
  var lineThickness: Double
  /// The downward offset of subscripts and the upward offset of superscripts, and their sizes.
  var subscriptOffset: Double
  var superscriptOffset: Double
  var subscriptSize: Double
  var superscriptSize: Double

  init(_ face: FontFace) {
    let unit = 1 / max(face.unitsPerEm, 1)
    ascent = face.ascender * unit
    descent = face.descender * unit
    lineGap = max(0, face.lineGap * unit)
    // The substitutes for missing metrics are those of resvg.
    let xHeight = face.xHeight.flatMap { $0 > 0 ? $0 * unit : nil } ?? (ascent - descent) * 0.45
    self.xHeight = xHeight
    underline = face.underline.map { $0.position * unit } ?? -1.0 / 9
    lineThickness = face.underline.flatMap { $0.thickness > 0 ? $0.thickness * unit : nil } ?? 1.0 / 12
    lineThrough = face.strikeout.map { $0.position * unit } ?? xHeight / 2
    subscriptOffset = face.subscriptMetrics.map { $0.yOffset * unit } ?? 0.2
    superscriptOffset = face.superscriptMetrics.map { $0.yOffset * unit } ?? 0.4
    subscriptSize = face.subscriptMetrics.map { $0.ySize * unit } ?? 0.6
    superscriptSize = face.superscriptMetrics.map { $0.ySize * unit } ?? 0.6
  }

  var height: Double { ascent - descent }

  /// Returns the distance by which text moves down to align the given baseline with the alphabetic one. The baseline
  /// positions are those that browsers assume regardless of the font.
  func shift(to baseline: TextStyle.Baseline) -> Double {
    switch baseline {
    case .auto, .alphabetic: 0
    case .beforeEdge: ascent
    case .middle: xHeight / 2
    case .central: (ascent + descent) / 2
    case .afterEdge, .ideographic: descent
    case .hanging: ascent * 0.8
    case .mathematical: ascent / 2
    }
  }
}
