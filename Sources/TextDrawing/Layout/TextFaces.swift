// The faces that a text is drawn with: one of the style's families, and fallback faces.

internal import ImageCore
internal import TextShaping

/// The faces of a text, known by numbers. Face 0 is that of the style.
struct TextFaces: FallbackFaces {
  /// The maximum number of characters for which all fonts are searched.
  private static let maximumSearchCount = 1000

  private(set) var faces: [FontFace] = []
  private let provider: FontProvider
  private let query: FontQuery
  private let size: Double
  private var known: [Unicode.Scalar: Int32?] = [:]
  private var searchCount = 0

  /// - Throws: ``CodecError/Kind/invalidArgument`` if the provider has no font.
  init(_ style: TextStyle, _ provider: FontProvider) throws(CodecError) {
    self.provider = provider
    size = style.size
    query = FontQuery(
      families: style.families.map(Self.family) + [.named(provider.defaultFamily), .sansSerif, .serif],
      weight: min(max(style.weight, 1), 1000), style: style.isItalic ? .italic : .normal)
    guard let face = provider.face(matching: query) ?? provider.fallback(for: "a", like: nil) else {
      throw CodecError(.invalidArgument, "the font provider has no fonts")
    }
    faces.append(instance(of: face))
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
  private func instance(of face: FontFace) -> FontFace {
    let face = face.isVariable ? face.instance(variations: query.variations(for: face)) : face
    var synthesis = FaceSynthesis.none
    if face.lacksWeight(Double(query.weight)) { synthesis.boldWidth = FaceSynthesis.boldWidth(ofSize: size) }
    synthesis.isOblique = query.style != .normal && face.lacksSlope
    return synthesis == .none ? face : face.synthesised(synthesis)
  }

  func has(_ scalar: Unicode.Scalar, _ face: Int32) -> Bool {
    faces[Int(face)].glyph(for: scalar) != nil || scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.generalCategory == .control
  }

  mutating func fallback(for scalar: Unicode.Scalar, like face: Int32) -> Int32? {
    if let known = known[scalar] { return known }
    // Fallback faces found before come first.
    let earlier = faces.indices.dropFirst().first { faces[$0].glyph(for: scalar) != nil }
    let found = earlier.map(Int32.init) ?? search(scalar)
    known[scalar] = .some(found)
    return found
  }

  private mutating func search(_ scalar: Unicode.Scalar) -> Int32? {
    guard searchCount < Self.maximumSearchCount else { return nil }
    searchCount += 1
    guard let face = provider.fallback(for: scalar, like: faces[0], excluding: [faces[0].id]) else { return nil }
    faces.append(instance(of: face))
    return Int32(faces.count - 1)
  }
}
