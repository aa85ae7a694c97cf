// The choice of a face by the font properties of an element (CSS Fonts 4, sections 5 and 7).

internal import ImageCore
internal import TextShaping

/// Chooses faces from a provider.
struct FaceChoice: Sendable {
  let provider: FontProvider

  init(_ provider: FontProvider) {
    self.provider = provider
  }

  /// Returns the face whose metrics are those of an element's text: from its families, otherwise the default ones,
  /// otherwise any with letters; `nil` if there is none.
  func face(_ font: TextStyle.Font, size: Double) -> FontFace? {
    provider.primaryFace(for: query(font)).map { Self.instance(of: $0, font, size: size) }
  }

  /// Returns the query for the font properties.
  func query(_ font: TextStyle.Font) -> FontQuery {
    var families = font.families ?? []
    if families.isEmpty { families = [.standard] }
    // Serif is the last resort, as in resvg.
    families.append(.serif)
    let style: FontStyle =
      switch font.slant {
      case .normal: .normal
      case .italic: .italic
      case .oblique: .oblique
      }
    return FontQuery(families: families, weight: Int(font.weight.rounded()), style: style, stretch: font.stretch)
  }

  /// Returns a face with the properties of an element: the instance of a variable font (CSS Fonts 4, section 7), with
  /// what is synthesised.
  static func instance(of face: FontFace, _ font: TextStyle.Font, size: Double) -> FontFace {
    FaceDemand(font, size: size).synthesise(varied(face, font, size: size))
  }

  private static func varied(_ face: FontFace, _ font: TextStyle.Font, size: Double) -> FontFace {
    guard face.isVariable else { return face }
    var variations: [(tag: FourCharacterCode, value: Double)] = [("wght", font.weight), ("wdth", font.stretch)]
    if font.hasOpticalSizing { variations.append(("opsz", size)) }
    if font.slant != .normal { variations += [("ital", 1), ("slnt", -14)] }
    variations += font.variations.map { ($0.tag, $0.value) }
    return face.instance(variations: variations)
  }
}
