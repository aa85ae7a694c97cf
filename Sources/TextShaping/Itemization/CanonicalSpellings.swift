// The canonically equivalent spellings of characters with which a font can represent them: shaping composes and
// decomposes them as the font requires.

internal import Fonts

/// A character and its decompositions.
struct CanonicalSpelling {
  private let scalar: Unicode.Scalar
  /// The bases and marks of each step of the decomposition; 0 for no mark.
  private var steps: [(base: Unicode.Scalar, mark: Unicode.Scalar)] = []

  init(_ scalar: Unicode.Scalar) {
    self.scalar = scalar
    var rest = scalar
    while let (base, mark) = CanonicalForms.decomposition(of: rest.value), let next = Unicode.Scalar(base),
      let mark = Unicode.Scalar(mark)
    {
      steps.append((next, mark))
      rest = next
    }
  }

  /// Returns whether a face has the character or the characters of a decomposition.
  func isSupported(by face: FontFace) -> Bool {
    if face.glyph(for: scalar) != nil { return true }
    for (base, mark) in steps {
      if mark != "\0", face.glyph(for: mark) == nil { return false }
      if face.glyph(for: base) != nil { return true }
    }
    return false
  }
}

/// The spellings of a cluster.
struct CanonicalSpellings {
  private let characters: [CanonicalSpelling]
  /// The single character that the cluster is equivalent to.
  private let composed: Unicode.Scalar?

  init(_ cluster: [Unicode.Scalar]) {
    characters = cluster.map { CanonicalSpelling($0) }
    var result = cluster.first?.value
    for scalar in cluster.dropFirst() { result = result.flatMap { CanonicalForms.composition($0, scalar.value) } }
    composed = result.flatMap(Unicode.Scalar.init)
  }

  /// Returns whether a face has all characters, or the one that they are equivalent to.
  func areSupported(by face: FontFace) -> Bool {
    if characters.allSatisfy({ $0.isSupported(by: face) }) { return true }
    return composed.map { face.glyph(for: $0) != nil } ?? false
  }
}
