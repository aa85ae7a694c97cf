// The faces that a text is drawn with: those of the style's families, and fallback faces.

internal import Fonts
internal import ImageCore
internal import TextShaping

/// The faces of a text, known by numbers. Face 0 is that of the style.
struct TextFaces {
  private var selection: FaceSelection
  private let list: FaceSelection.ListNumber

  /// - Parameter budget: charged for looking families up.
  /// - Throws: `CodecError.Kind.invalidArgument` if the provider has no font; the errors of the budget.
  init(_ style: TextStyle, _ provider: FontProvider, budget: inout ResourceBudget) throws(CodecError) {
    let query = FontQuery(
      families: style.families.map(Self.family) + [.standard, .sansSerif, .serif],
      weight: min(max(style.weight, 1), 1000), style: style.isItalic ? .italic : .normal)
    let size = style.size
    selection = FaceSelection(provider)
    let list = try selection.add(query, budget: &budget) { (face, budget) throws(CodecError) in
      try Self.instance(of: face, query, size: size, budget: &budget)
    }
    guard let list else { throw CodecError(.invalidArgument, "the font provider has no fonts") }
    self.list = list
  }

  var faces: [FontFace] { selection.faces }

  /// Returns the face of each character.
  mutating func faces(of scalars: [Unicode.Scalar], budget: inout ResourceBudget) throws(CodecError) -> [Int32] {
    try selection.faces(
      of: scalars, lists: [Int32](repeating: list, count: scalars.count), budget: &budget)
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
  private static func instance(
    of face: FontFace, _ query: FontQuery, size: Double, budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace {
    let face =
      face.isVariable ? try face.instance(variations: query.variations(for: face), budget: &budget) : face
    var synthesis = FaceSynthesis.none
    if face.lacksWeight(Double(query.weight)) { synthesis.boldWidth = FaceSynthesis.boldWidth(ofSize: size) }
    synthesis.isOblique = query.style != .normal && face.lacksSlope
    return synthesis == .none ? face : face.synthesised(synthesis)
  }
}
