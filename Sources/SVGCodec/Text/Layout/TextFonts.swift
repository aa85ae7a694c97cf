// The fonts of a document: the faces of elements and their characters, and glyph outlines, each of which is looked up
// once.

internal import CSSStyles
internal import ImageCoding
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
    /// The demands on the face, some of which depend on the font size.
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

  let provider: FontProvider
  private(set) var metrics: [TextMetrics] = []
  private var selection: FaceSelection
  private var lists: [FaceKey: FaceSelection.ListNumber?] = [:]
  private var palettes: [PaletteSelection] = [.standard]
  private var outlines: [GlyphKey: Path?] = [:]
  private var glyphByteCount = 0
  /// The number of bytes charged to the budget for what is kept until the document is converted.
  var heldByteCount: Int { glyphByteCount + selection.heldByteCount }
  /// The bytes of an entry of a cache.
  private static let bytesPerEntry = 160
  private var colorGlyphs: [ColorGlyphKey: ColorGlyph?] = [:]

  init(_ provider: FontProvider) {
    self.provider = provider
    selection = FaceSelection(provider)
  }

  // MARK: Faces

  var faces: [FontFace] { selection.faces }

  /// Returns the families of an element's text: its own, otherwise the default one; `nil` if there is no font.
  ///
  /// - Parameter budget: charged for looking families up.
  func list(
    _ font: TextStyle.Font, size: Double, budget: inout ResourceBudget
  ) throws(CodecError) -> FaceSelection.ListNumber? {
    let key = FaceKey(
      font: font, size: font.hasOpticalSizing ? size : 0, demand: FaceDemand(font, size: size))
    if let known = lists[key] { return known }
    let list = try selection.add(FaceChoice(provider).query(font), budget: &budget) {
      (face, budget) throws(CodecError) in
      try FaceChoice.instance(of: face, font, size: size, budget: &budget)
    }
    lists[key] = .some(list)
    noteMetrics()
    return list
  }

  /// Returns the face whose metrics are those of text in a list of families.
  func primary(of list: FaceSelection.ListNumber) -> FaceIndex { selection.primary(of: list) }

  /// Returns the faces of characters.
  ///
  /// - Parameter budget: charged for the characters, and for looking families up.
  func faces(
    of scalars: [Unicode.Scalar], lists: [FaceSelection.ListNumber], budget: inout ResourceBudget
  ) throws(CodecError) -> [FaceIndex] {
    defer { noteMetrics() }
    return try selection.faces(of: scalars, lists: lists, budget: &budget)
  }

  private func noteMetrics() {
    for face in selection.faces.dropFirst(metrics.count) { metrics.append(TextMetrics(face)) }
  }

  // MARK: Glyphs

  /// Returns the outline of a glyph in font units; `nil` if it has none or its data is damaged.
  ///
  /// - Parameter budget: charged for the outline when it is first needed.
  func outline(
    of glyph: GlyphID, _ face: FaceIndex, budget: inout ResourceBudget
  ) throws(CodecError) -> Path? {
    let key = GlyphKey(face: face, glyph: glyph)
    if let known = outlines[key] { return known }
    let outline = try selection.faces[Int(face)].validOutline(of: glyph, budget: &budget)
    let byteCount = Self.bytesPerEntry + (outline?.byteCount ?? 0)
    try budget.allocate(byteCount)
    glyphByteCount += byteCount
    outlines[key] = .some(outline)
    return outline
  }

  /// Returns the outline of a glyph for which ``outline(of:_:budget:)`` has been called; otherwise `nil`.
  func knownOutline(of glyph: GlyphID, _ face: FaceIndex) -> Path? {
    outlines[GlyphKey(face: face, glyph: glyph)] ?? nil
  }

  /// Returns the index of a palette.
  func index(of palette: PaletteSelection) -> PaletteIndex {
    if let known = palettes.firstIndex(of: palette) { return PaletteIndex(known) }
    palettes.append(palette)
    return PaletteIndex(palettes.count - 1)
  }

  /// Returns the colour glyph that replaces a glyph's outline.
  ///
  /// - Parameter budget: charged for the glyph when it is first needed.
  func colorGlyph(
    of glyph: GlyphID, _ face: FaceIndex, foreground: Color, palette: PaletteIndex = 0,
    budget: inout ResourceBudget
  ) throws(CodecError) -> ColorGlyph? {
    let key = ColorGlyphKey(glyph: GlyphKey(face: face, glyph: glyph), foreground: foreground, palette: palette)
    if let known = colorGlyphs[key] { return known }
    let held = budget.heldByteCount
    try budget.allocate(Self.bytesPerEntry)
    let found = try selection.faces[Int(face)].colorGlyph(
      of: glyph, foreground: foreground, palette: palettes[Int(palette)], budget: &budget)
    glyphByteCount += budget.heldByteCount - held
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
