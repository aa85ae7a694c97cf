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
    }
  }

  /// Returns the best match in the first family that is available; `nil` if none is.
  package func face(matching query: FontQuery) -> FontFace? {
    let faces = store.faces
    for family in query.families {
      let name = name(of: family)
      // A generic family is never one of the document.
      if case .named = family, !documentFaces.isEmpty {
        let own = documentFaces.matching(name, query)
        // The metrics are those of the face with the space.
        if let face = own.first(where: { $0.adjustment?.covers(" ") ?? true }) ?? own.first { return face }
      }
      let candidates = faces.filter { $0.isNamed(name) }
      if let best = FaceMatching(candidates).best(for: query), let face = store.face(best) { return face }
    }
    return nil
  }

  /// Returns the face with a full name or PostScript name; `nil` if there is none.
  package func face(fullName name: String) -> FontFace? {
    let name = name.lowercased()
    return store.faces.first { $0.uniqueNames.contains(name) }.flatMap { store.face($0) }
  }

  /// Returns a fallback font that has a glyph for a character: one of the document's faces of the same family, otherwise
  /// the first of the fonts. Faces with the style, weight
  /// and width of `face` are preferred, then those that share any of the three, then any other.
  package func fallback(for scalar: Unicode.Scalar, like face: FontFace?, excluding: [FontFace.ID] = []) -> FontFace? {
    if let face, !documentFaces.isEmpty {
      let companions = documentFaces.companions(of: face)
      if let companion = companions.first(where: { $0.glyph(for: scalar) != nil && !excluding.contains($0.id) }) {
        return companion
      }
    }
    let candidates = store.faces
    func likeness(_ description: FaceDescription) -> Int {
      guard let face else { return 2 }
      let shared = [
        description.style == face.style, description.weight == face.weight, description.stretch == face.stretch,
      ]
      return shared.allSatisfy { $0 } ? 2 : shared.contains(true) ? 1 : 0
    }
    for wanted in [2, 1, 0] {
      for description in candidates where likeness(description) == wanted {
        guard store.hasGlyph(description, for: scalar), let candidate = store.face(description),
          !excluding.contains(candidate.id)
        else { continue }
        return candidate
      }
    }
    return nil
  }
}
