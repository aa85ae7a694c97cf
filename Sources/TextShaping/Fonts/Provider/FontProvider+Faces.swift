// Font matching by family and traits, and fallback for characters that the matched face lacks.

internal import ImageCore

extension FontProvider {
  /// Whether there are no fonts at all. Reads the folders.
  package var isEmpty: Bool { documentFaces.isEmpty && store.faces.isEmpty }

  /// The name of the family that a query's family refers to.
  package func name(of family: FontQuery.Family) -> String {
    switch family {
    case .named(let name): name
    case .serif: serifFamily
    case .sansSerif: sansSerifFamily
    case .cursive: cursiveFamily
    case .fantasy: fantasyFamily
    case .monospace: monospaceFamily
    case .standard: defaultFamily
    }
  }

  /// Returns the faces of a family that match a query best, or those of the family that takes its place if it is not
  /// installed; none if there is neither. Faces of a document that differ only in the characters for which they are used
  /// form one family, the last one first.
  func faces(of family: FontQuery.Family, matching query: FontQuery) -> [FontFace] {
    let name = name(of: family)
    // A generic family is never one of the document, except for that of text without a family.
    if family.isNamed || family == .standard, !documentFaces.isEmpty {
      let own = documentFaces.matching(name, query)
      if !own.isEmpty { return own }
    }
    guard let best = FaceMatching(installedFaces(of: family)).best(for: query) else { return [] }
    return store.face(best).map { [$0] } ?? []
  }

  /// The faces of a family, or of the first one installed of those that take its place.
  private func installedFaces(of family: FontQuery.Family) -> [FaceDescription] {
    let name = name(of: family).lowercased()
    let exact = store.faces(ofFamily: name)
    if !exact.isEmpty { return exact }
    let substitutes = FamilySubstitutes.families(withWidthsOf: name) + FamilySubstitutes.families(for: family)
    for substitute in substitutes {
      let faces = store.faces(ofFamily: substitute)
      if !faces.isEmpty { return faces }
    }
    // The name of a font setting leads to a generic family, which does not lead further.
    if family.isNamed, let generic = FamilySubstitutes.genericFamily(named: name) { return installedFaces(of: generic) }
    return []
  }

  /// Returns the first available font: the best match in the first family that is available and used for spaces (CSS
  /// Fonts 4, section 2.2); `nil` if there is none.
  package func face(matching query: FontQuery) -> FontFace? {
    for family in query.families {
      let faces = faces(of: family, matching: query)
      if let face = faces.first(where: { $0.adjustment?.covers(" ") ?? true }) { return face }
    }
    return nil
  }

  /// Returns the face whose metrics are those of text: the first available font, or any with letters, since text in an
  /// unrelated font is preferable to no text; `nil` if there are no fonts.
  package func primaryFace(for query: FontQuery) -> FontFace? {
    if let face = face(matching: query) ?? fallback(for: "a", like: nil) { return face }
    for family in query.families {
      if let face = faces(of: family, matching: query).first { return face }
    }
    return nil
  }

  /// Returns the face with a full name or PostScript name; `nil` if there is none.
  package func face(fullName name: String) -> FontFace? {
    let name = name.lowercased()
    return store.faces.first { $0.uniqueNames.contains(name) }.flatMap { store.face($0) }
  }

  /// Returns the first of the fonts that has a glyph for a character. Faces with the style, weight and width of `face`
  /// are preferred, then those that share any of the three, then any other.
  package func fallback(for scalar: Unicode.Scalar, like face: FontFace?, excluding: [FontFace.ID] = []) -> FontFace? {
    fallback(for: [scalar], like: face, excluding: excluding)
  }

  /// Returns the first of the fonts that has glyphs for all characters, with the same preferences.
  ///
  /// - Parameters:
  ///   - isColored: whether the font has glyphs with colours; `nil` if that does not matter.
  ///   - selector: a variation selector that the font supports after the first character.
  func fallback(
    for scalars: [Unicode.Scalar], like face: FontFace?, isColored: Bool? = nil, selector: Unicode.Scalar? = nil,
    excluding: [FontFace.ID] = []
  ) -> FontFace? {
    let candidates = store.faces.filter { isColored == nil || $0.isColored == isColored }
    func likeness(_ description: FaceDescription) -> Int {
      guard let face else { return 2 }
      let shared = [
        description.style == face.style, description.weight == face.weight, description.stretch == face.stretch,
      ]
      return shared.allSatisfy { $0 } ? 2 : shared.contains(true) ? 1 : 0
    }
    for wanted in [2, 1, 0] {
      for description in candidates where likeness(description) == wanted {
        guard store.hasGlyphs(description, for: scalars, selector: selector), let candidate = store.face(description),
          !excluding.contains(candidate.id)
        else { continue }
        return candidate
      }
    }
    return nil
  }
}
