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

  /// A face with a glyph for a character, in the order of the fonts: first one that leans, weighs and runs as `face`
  /// does, then one that shares any of the three with it, then any.
  package func fallback(for scalar: Unicode.Scalar, like face: FontFace?, excluding: [FontFace.ID] = []) -> FontFace? {
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
