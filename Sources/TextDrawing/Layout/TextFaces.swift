// The faces that a text is drawn with: those of the style's families, and fallback faces.

internal import ImageCore
internal import TextShaping

/// The faces of a text, known by numbers. Face 0 is that of the style.
struct TextFaces {
  private var selection: FaceSelection
  private let list: FaceSelection.ListNumber

  /// - Throws: ``CodecError/Kind/invalidArgument`` if the provider has no font.
  init(_ style: TextStyle, _ provider: FontProvider) throws(CodecError) {
    let query = FontQuery(
      families: style.families.map(Self.family) + [.standard, .sansSerif, .serif],
      weight: min(max(style.weight, 1), 1000), style: style.isItalic ? .italic : .normal)
    let size = style.size
    selection = FaceSelection(provider)
    let list = selection.add(query) { Self.instance(of: $0, query, size: size) }
    guard let list else { throw CodecError(.invalidArgument, "the font provider has no fonts") }
    self.list = list
  }

  var faces: [FontFace] { selection.faces }

  /// Returns the face of each character.
  mutating func faces(of scalars: [Unicode.Scalar]) -> [Int32] {
    selection.faces(of: scalars, lists: [Int32](repeating: list, count: scalars.count))
  }

  private static func family(_ name: String) -> FontQuery.Family {
    switch name.lowercased() {
    case "serif": .serif
    case "sans-serif": .sansSerif
    case "cursive": .cursive
    case "fantasy": .fantasy
    case "monospace": .monospace
    default: .named(name)
    }
  }

  /// Returns a face with the weight and slope of the style, which are synthesised if it lacks them.
  private static func instance(of face: FontFace, _ query: FontQuery, size: Double) -> FontFace {
    let face = face.isVariable ? face.instance(variations: query.variations(for: face)) : face
    var synthesis = FaceSynthesis.none
    if face.lacksWeight(Double(query.weight)) { synthesis.boldWidth = FaceSynthesis.boldWidth(ofSize: size) }
    synthesis.isOblique = query.style != .normal && face.lacksSlope
    return synthesis == .none ? face : face.synthesised(synthesis)
  }
}
