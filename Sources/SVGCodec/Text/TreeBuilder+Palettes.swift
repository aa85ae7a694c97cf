// The palettes of colour fonts that text is drawn with (CSS Fonts 4, section 9).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension TreeBuilder {
  /// The work units for comparing a name with that of a palette, and for looking a face up in a family of a palette.
  private static let workPerPaletteRule = 50
  private static let workPerPaletteFamily = 3_000
  /// The work units for mixing a colour of two palettes.
  private static let workPerMixedColor = 1_000
  /// The bytes of a mixed colour.
  private static let bytesPerMixedColor = 128

  /// Returns the palette of a face's colour glyphs.
  mutating func palette(
    of style: TextStyle, _ face: TextFonts.FaceIndex
  ) throws(CodecError) -> TextFonts.PaletteIndex {
    let palette = style.font.adjustments.palette
    if case .normal = palette { return 0 }
    try draft.account.budget.chargeWork(palette.readingCost)
    let key = TextResources.PaletteKey(palette: palette, face: face)
    if let known = textResources.palettes[key] { return known }
    let index = textResources.fonts.index(of: try selection(palette, face))
    textResources.palettes[key] = index
    return index
  }

  private mutating func selection(
    _ palette: FontPalette, _ face: TextFonts.FaceIndex
  ) throws(CodecError) -> PaletteSelection {
    switch palette {
    case .normal: return .standard
    case .light: return PaletteSelection(base: .light)
    case .dark: return PaletteSelection(base: .dark)
    case .named(let name): return try paletteRule(named: name, face)?.selection ?? .standard
    case .mixture(let mix, let first, let second):
      // The depth of mixtures is limited where they are parsed.
      let font = textResources.fonts.faces[Int(face)]
      let colors = (font.colors(of: try selection(first, face)), font.colors(of: try selection(second, face)))
      try draft.account.budget.chargeWork(count: colors.0.count, unitsEach: Self.workPerMixedColor)
      try draft.account.hold(colors.0.count * Self.bytesPerMixedColor)
      var result = PaletteSelection.standard
      for (entry, (a, b)) in zip(colors.0, colors.1).enumerated() { result.overrides[entry] = mix.result(a, b) }
      return result
    }
  }

  /// Returns the last rule of a name for the family of a face: it replaces earlier ones.
  private mutating func paletteRule(
    named name: String, _ face: TextFonts.FaceIndex
  ) throws(CodecError) -> FontPaletteRule? {
    let fonts = textResources.fonts
    let font = fonts.faces[Int(face)]
    let rules = draft.document.sheet.palettes
    try draft.account.budget.chargeWork(count: rules.count, unitsEach: Self.workPerPaletteRule + name.utf8.count)
    for rule in rules.reversed() where rule.name == name {
      try draft.account.budget.chargeWork(count: rule.families.count, unitsEach: Self.workPerPaletteFamily)
      if rule.families.contains(where: { fonts.provider.isFace(font, ofFamily: $0) }) { return rule }
    }
    return nil
  }
}
