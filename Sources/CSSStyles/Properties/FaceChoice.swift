// The choice of a face by the font properties of an element (CSS Fonts 4, sections 5 and 7).

package import Fonts
package import ImageCoding

/// Chooses faces from a provider.
package struct FaceChoice: Sendable {
  let provider: FontProvider

  package init(_ provider: FontProvider) {
    self.provider = provider
  }

  /// Returns the face whose metrics are those of an element's text: from its families, otherwise the default ones,
  /// otherwise any with letters; `nil` if there is none.
  ///
  /// - Throws: the errors of the budget.
  func face(
    _ font: TextStyle.Font, size: Double, budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace? {
    guard let face = try provider.primaryFace(for: query(font), budget: &budget) else { return nil }
    return try Self.instance(of: face, font, size: size, budget: &budget)
  }

  /// Returns the query for the font properties.
  package func query(_ font: TextStyle.Font) -> FontQuery {
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
  package static func instance(
    of face: FontFace, _ font: TextStyle.Font, size: Double, budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace {
    let varied = try varied(face, font, size: size, budget: &budget)
    return try FaceDemand(font, size: size).synthesise(varied, budget: &budget)
  }

  private static func varied(
    _ face: FontFace, _ font: TextStyle.Font, size: Double, budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace {
    guard face.isVariable else { return face }
    var variations: [(tag: FourCharacterCode, value: Double)] = [("wght", font.weight), ("wdth", font.stretch)]
    if font.hasOpticalSizing { variations.append(("opsz", size)) }
    if font.slant != .normal { variations += [("ital", 1), ("slnt", -14)] }
    variations += font.variations.map { ($0.tag, $0.value) }
    return try face.instance(variations: variations, budget: &budget)
  }
}
