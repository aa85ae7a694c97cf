// Choosing faces: by family and traits, and for a character that the chosen face lacks.

internal import ImageCore

extension FontProvider {
  /// Whether there is no font at all. Reads the folders.
  package var isEmpty: Bool { store.faces.isEmpty }

  /// The name that a family stands for.
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

  /// The face nearest to what is asked for, of the first family that there is; `nil` where there is none of them.
  package func face(matching query: FontQuery) -> FontFace? {
    let faces = store.faces
    for family in query.families {
      let name = name(of: family)
      let candidates = faces.filter { $0.isNamed(name) }
      if let best = FaceMatching(candidates).best(for: query), let face = store.face(best) { return face }
    }
    return nil
  }

  /// A face with a glyph for a character, in the order of the fonts: first one that leans and weighs and runs as
  /// `face` does, then one that differs less and less alike.
  package func fallback(for scalar: Unicode.Scalar, like face: FontFace?, excluding: [FontFace.ID] = []) -> FontFace? {
    let candidates = store.faces
    func isAlike(_ description: FaceDescription) -> Bool {
      guard let face else { return true }
      return description.style == face.style || description.weight == face.weight
        || description.stretch == face.stretch
    }
    for wantsAlike in [true, false] {
      for description in candidates where isAlike(description) == wantsAlike {
        guard store.hasGlyph(description, for: scalar), let candidate = store.face(description),
          !excluding.contains(candidate.id)
        else { continue }
        return candidate
      }
    }
    return nil
  }
}
