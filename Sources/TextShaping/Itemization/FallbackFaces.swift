// Fallback faces for characters that a face lacks. A grapheme cluster is drawn with one face if any has all of it.

/// A source of fallback faces, which are known by numbers.
package protocol FallbackFaces {
  /// Whether a face can represent a character.
  func has(_ scalar: Unicode.Scalar, _ face: Int32) -> Bool
  /// Returns a face with a character, preferably one that resembles another face.
  mutating func fallback(for scalar: Unicode.Scalar, like face: Int32) -> Int32?
}

extension FallbackFaces {
  /// Replaces the faces of grapheme clusters that the faces lack.
  package mutating func substitute(_ faces: inout [Int32], of scalars: [Unicode.Scalar]) {
    guard scalars.indices.contains(where: { !has(scalars[$0], faces[$0]) }) else { return }
    var string = String.UnicodeScalarView()
    string.append(contentsOf: scalars)
    var start = 0
    for character in String(string) {
      let end = start + character.unicodeScalars.count
      if let missing = (start..<end).first(where: { !has(scalars[$0], faces[$0]) }) {
        substitute(&faces, start..<end, scalars, missing)
      }
      start = end
    }
  }

  private mutating func substitute(
    _ faces: inout [Int32], _ range: Range<Int>, _ scalars: [Unicode.Scalar], _ missing: Int
  ) {
    if let face = fallback(for: scalars[missing], like: faces[missing]), range.allSatisfy({ has(scalars[$0], face) }) {
      for index in range { faces[index] = face }
      return
    }
    for index in range where !has(scalars[index], faces[index]) {
      faces[index] = fallback(for: scalars[index], like: faces[index]) ?? faces[index]
    }
  }
}
