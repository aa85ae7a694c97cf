// The characters that are shaped: those of elements with a font, transformed by `text-transform`, and by the synthesis of
// small capitals and positions that a font lacks (CSS Fonts 4, section 6.6.1).

internal import CSSStyles
internal import ImageCoding
internal import TextShaping
internal import XMLDocuments

extension DrawnText {
  /// - Parameters:
  ///   - lists: the list of families of each element; −1 if its text is not drawn.
  ///   - budget: charged for the features that are looked for in fonts.
  init(
    _ content: TextContent, lists: [FaceSelection.ListNumber], _ fonts: TextFonts, _ document: StyledDocument,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    self.lists = lists
    faces = lists.map { $0 < 0 ? -1 : fonts.primary(of: $0) }
    var synthesis: [VariantSynthesis?] = []
    for (index, span) in content.spans.enumerated() {
      let synthesised =
        faces[index] < 0
        ? nil : try VariantSynthesis(span, fonts.faces[Int(faces[index])], document, budget: &budget)
      features.append(synthesised?.features ?? [])
      synthesis.append(synthesised?.isNeeded ?? false ? synthesised : nil)
    }
    let needsSizes = synthesis.contains { $0 != nil }
    var mappings: [TextSlice?: CaseMapping] = [:]
    for (index, scalar) in content.scalars.enumerated() {
      let number = content.spanOfScalar[index]
      guard faces[Int(number)] >= 0 else { continue }
      let span = content.spans[Int(number)]
      if scalar == "\n" || scalar == "\t" { hasControls = true }
      let transform = span.style.text.transform
      if transform.isIdentity, synthesis[Int(number)] == nil {
        append(scalar, number, index)
        if needsSizes { sizes.append(.normal) }
        continue
      }
      let mapping = mappings[span.language] ?? CaseMapping(language: span.language.map { document.language($0) })
      mappings[span.language] = mapping
      for form in transform.isIdentity ? [scalar] : transform.apply(to: content.scalars, at: index, mapping) {
        let (drawn, size) = synthesis[Int(number)]?.forms(of: form, mapping) ?? ([form], .normal)
        for scalar in drawn {
          append(scalar, number, index)
          if needsSizes { sizes.append(size) }
        }
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ span: Int32, _ source: Int) {
    scalars.append(scalar)
    spans.append(span)
    sources.append(Int32(source))
  }
}

extension StyledDocument {
  /// The maximum length of language tags (BCP 47); longer ones are truncated, since they are read for every run.
  private static let maximumLanguageByteCount: Int32 = 64

  func language(_ slice: TextSlice) -> String { xml.string(slice.prefix(Self.maximumLanguageByteCount)) }
}

/// The glyph variants of an element that its font has, and those that are synthesised.
private struct VariantSynthesis {
  private(set) var features: [FontFeature] = []
  private var capitals = (lower: false, upper: false)
  private var position = DrawnText.Size.normal

  var isNeeded: Bool { capitals.lower || capitals.upper || position != .normal }

  init(
    _ span: TextContent.Span, _ face: FontFace, _ document: StyledDocument, budget: inout ResourceBudget
  ) throws(CodecError) {
    let shaping = span.style.text.shaping
    let variants = shaping.variants
    guard variants.caps != .normal || variants.position != .normal else { return }
    let language = span.language.map { document.language($0) }
    func has(_ tag: FourCharacterCode) throws(CodecError) -> Bool {
      try face.substitutes(tag, script: .latin, language: language, budget: &budget)
    }
    func first(of alternatives: [[FourCharacterCode]]) throws(CodecError) -> [FourCharacterCode]? {
      search: for tags in alternatives {
        for tag in tags where try !has(tag) { continue search }
        return tags
      }
      return nil
    }
    if variants.caps != .normal {
      if let tags = try first(of: variants.caps.alternatives) {
        features += tags.map { FontFeature($0) }
      } else if shaping.synthesizesCapitals {
        capitals = variants.caps.synthesis
      }
    }
    if let tag = variants.position.feature {
      if try has(tag) {
        features.append(FontFeature(tag))
      } else if shaping.synthesizesPositions {
        position = variants.position == .lowered ? .subscripted : .superscripted
      }
    }
  }

  /// Returns the characters drawn for one, and their size.
  func forms(of scalar: Unicode.Scalar, _ mapping: CaseMapping) -> ([Unicode.Scalar], DrawnText.Size) {
    if capitals.lower {
      let upper = mapping.uppercase([scalar], at: 0)
      if upper != [scalar] { return (upper, .smallCapital) }
    }
    if capitals.upper, scalar.properties.isUppercase { return ([scalar], .smallCapital) }
    return ([scalar], position)
  }
}
