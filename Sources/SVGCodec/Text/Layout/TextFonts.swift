// The fonts of a document: which face an element's text is set in, which one helps out for a character, and the outlines of
// glyphs, each found once.

internal import FontOutlines
internal import ImageCore
internal import VectorGraphics

/// Faces and glyphs that the text of a document uses.
final class TextFonts {
  /// A face by its place in ``faces``.
  typealias FaceIndex = Int32

  private struct FaceKey: Hashable {
    var font: TextStyle.Font
    /// The font size, where the face has an axis of optical sizes.
    var size: Double
  }

  private struct FallbackKey: Hashable {
    var scalar: Unicode.Scalar
    var face: FaceIndex
  }

  private struct GlyphKey: Hashable {
    var face: FaceIndex
    var glyph: GlyphID
  }

  private struct ColorGlyphKey: Hashable {
    var glyph: GlyphKey
    var foreground: Color
  }

  /// The most characters that all fonts are looked through for; beyond, only fonts that helped out before do.
  private static let maximumSearchCount = 1_000

  let provider: FontProvider
  private(set) var faces: [FontFace] = []
  private(set) var metrics: [TextMetrics] = []
  private var indices: [FontFace.ID: FaceIndex] = [:]
  private var chosen: [FaceKey: FaceIndex?] = [:]
  private var matched: [FontQuery: FontFace?] = [:]
  private var fallbacks: [FallbackKey: FaceIndex?] = [:]
  /// For each face those that helped it out, in the order in which they were found.
  private var helpers: [FaceIndex: [FaceIndex]] = [:]
  private var searchCount = 0
  private var outlines: [GlyphKey: Path?] = [:]
  private var colorGlyphs: [ColorGlyphKey: ColorGlyph?] = [:]

  init(_ provider: FontProvider) {
    self.provider = provider
  }

  // MARK: Faces

  /// The face of an element's text: of its families, of the default ones, else any that has letters; `nil` when there is
  /// none.
  func face(_ font: TextStyle.Font, size: Double, _ document: StyledDocument) -> FaceIndex? {
    let key = FaceKey(font: font, size: font.hasOpticalSizing ? size : 0)
    if let known = chosen[key] { return known }
    let index = choose(font, size: size, document)
    chosen[key] = .some(index)
    return index
  }

  private func choose(_ font: TextStyle.Font, size: Double, _ document: StyledDocument) -> FaceIndex? {
    let text = document.xml.text.span
    var families = font.families.map { FontSettings.families(text.extracting($0.range)) } ?? []
    if families.isEmpty { families = [.named(provider.defaultFamily)] }
    // As resvg has it, serif is the last resort.
    families.append(.serif)
    let style: FontStyle =
      switch font.slant {
      case .normal: .normal
      case .italic: .italic
      case .oblique: .oblique
      }
    let query = FontQuery(
      families: families, weight: Int(font.weight.rounded()), style: style, stretch: font.stretch)
    let face: FontFace?
    if let known = matched[query] {
      face = known
    } else {
      // Text in a font that nobody asked for says more than none.
      face = provider.face(matching: query) ?? provider.fallback(for: "a", like: nil)
      matched[query] = .some(face)
    }
    return face.map { index(of: instance(of: $0, font, size: size, document)) }
  }

  /// The instance of a variable font that has the properties of an element (CSS Fonts 4, section 7).
  private func instance(
    of face: FontFace, _ font: TextStyle.Font, size: Double, _ document: StyledDocument
  ) -> FontFace {
    guard face.isVariable else { return face }
    var variations: [(tag: FourCharacterCode, value: Double)] = [("wght", font.weight), ("wdth", font.stretch)]
    if font.hasOpticalSizing { variations.append(("opsz", size)) }
    if font.slant != .normal { variations += [("ital", 1), ("slnt", -14)] }
    if let slice = font.variations {
      variations += FontSettings.variations(document.xml.text.span.extracting(slice.range))
    }
    return face.instance(variations: variations)
  }

  private func index(of face: FontFace) -> FaceIndex {
    if let known = indices[face.id] { return known }
    let index = FaceIndex(faces.count)
    faces.append(face)
    metrics.append(TextMetrics(face))
    indices[face.id] = index
    return index
  }

  /// Another face that has a character; `nil` when none has.
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
    guard let index = found.map({ self.index(of: $0) }) else { return nil }
    helpers[face, default: []].append(index)
    return index
  }

  // MARK: Glyphs

  /// The outline of a glyph in font units; `nil` for one without, or whose data is damaged.
  func outline(of glyph: GlyphID, _ face: FaceIndex) -> Path? {
    let key = GlyphKey(face: face, glyph: glyph)
    if let known = outlines[key] { return known }
    let outline = try? faces[Int(face)].outline(of: glyph)
    outlines[key] = .some(outline)
    return outline
  }

  /// What the font has in place of a glyph's outline.
  func colorGlyph(of glyph: GlyphID, _ face: FaceIndex, foreground: Color) -> ColorGlyph? {
    let key = ColorGlyphKey(glyph: GlyphKey(face: face, glyph: glyph), foreground: foreground)
    if let known = colorGlyphs[key] { return known }
    let found = faces[Int(face)].colorGlyph(of: glyph, foreground: foreground)
    colorGlyphs[key] = .some(found)
    return found
  }
}

/// Measures of a face as fractions of the font size, with what stands in for those that a font does not have.
struct TextMetrics: Sendable {
  var ascent: Double
  /// Negative.
  var descent: Double
  var xHeight: Double
  /// The middles of the lines, upwards from the baseline, and how thick they are.
  var underline: Double
  var lineThrough: Double
  var lineThickness: Double
  /// How far subscripts go down and superscripts up.
  var subscriptOffset: Double
  var superscriptOffset: Double

  init(_ face: FontFace) {
    let unit = 1 / max(face.unitsPerEm, 1)
    ascent = face.ascender * unit
    descent = face.descender * unit
    // What stands in for missing measures is resvg's.
    let xHeight = face.xHeight.flatMap { $0 > 0 ? $0 * unit : nil } ?? (ascent - descent) * 0.45
    self.xHeight = xHeight
    underline = face.underline.map { $0.position * unit } ?? -1.0 / 9
    lineThickness = face.underline.flatMap { $0.thickness > 0 ? $0.thickness * unit : nil } ?? 1.0 / 12
    lineThrough = face.strikeout.map { $0.position * unit } ?? xHeight / 2
    subscriptOffset = face.subscriptMetrics.map { $0.yOffset * unit } ?? 0.2
    superscriptOffset = face.superscriptMetrics.map { $0.yOffset * unit } ?? 0.4
  }

  var height: Double { ascent - descent }

  /// How far down text moves so that a baseline of it comes to where the alphabetic one was. The places are those that
  /// browsers assume without asking the font.
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
