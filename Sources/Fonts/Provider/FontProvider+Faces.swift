// Font matching by family and traits, and fallback for characters that the matched face lacks.

package import ImageCore

extension FontProvider {
  /// Whether there are no fonts at all. Reads the folders.
  package var isEmpty: Bool { documentFaces.isEmpty && store.faces.isEmpty }
  /// The number of faces, without those of a document. Reads the folders.
  package var fontCount: Int { store.faces.count }

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

  /// The work units of looking a family up, for a byte of its name, for comparing it with the name of a face of the
  /// document, and for comparing the traits of a face.
  private static let workPerFamily = 500
  private static let workPerNameByte = 4
  private static let workPerDocumentFace = 60
  private static let workPerCandidate = 250
  /// The work units of comparing the traits of a font in a search, and of looking a character up in it.
  private static let workPerSearchedFont = 150
  private static let workPerSearchedCharacter = 60

  /// Returns the faces of a family that match a query best, or those of the family that takes its place if it is not
  /// installed; none if there is neither. Faces of a document that differ only in the characters for which they are used
  /// form one family, the last one first.
  ///
  /// - Parameter budget: charged for the name and the faces that are compared.
  /// - Throws: the errors of the budget.
  package func faces(
    of family: FontQuery.Family, matching query: FontQuery, budget: inout ResourceBudget
  ) throws(CodecError) -> [FontFace] {
    let name = name(of: family)
    let byteCount = name.utf8.count
    try budget.chargeWork(Self.workPerFamily + byteCount * Self.workPerNameByte)
    // A generic family is never one of the document, except for that of text without a family.
    if family.isNamed || family == .standard, !documentFaces.isEmpty {
      // Names of equal length are compared byte by byte.
      try budget.chargeWork(count: documentFaces.count, unitsEach: Self.workPerDocumentFace + byteCount / 16)
      let own = documentFaces.matching(name, query)
      if !own.isEmpty { return own }
    }
    let installed = installedFaces(of: family)
    try budget.chargeWork(count: installed.count, unitsEach: Self.workPerCandidate)
    guard let best = FaceMatching(installed).best(for: query) else { return [] }
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
  ///
  /// - Throws: the errors of the budget.
  package func face(
    matching query: FontQuery, budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace? {
    for family in query.families {
      let faces = try faces(of: family, matching: query, budget: &budget)
      if let face = faces.first(where: { $0.adjustment?.covers(" ") ?? true }) { return face }
    }
    return nil
  }

  /// Returns the face whose metrics are those of text: the first available font, or any with letters, since text in an
  /// unrelated font is preferable to no text; `nil` if there are no fonts.
  ///
  /// - Throws: the errors of the budget.
  package func primaryFace(
    for query: FontQuery, budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace? {
    if let face = try face(matching: query, budget: &budget) { return face }
    if let face = try fallback(for: "a", like: nil, budget: &budget) { return face }
    for family in query.families {
      if let face = try faces(of: family, matching: query, budget: &budget).first { return face }
    }
    return nil
  }

  /// Returns the face with a full name or PostScript name; `nil` if there is none.
  ///
  /// - Throws: the errors of the budget.
  package func face(fullName name: String, budget: inout ResourceBudget) throws(CodecError) -> FontFace? {
    try budget.chargeWork(Self.workPerFamily + name.utf8.count * Self.workPerNameByte)
    return store.face(fullName: name.lowercased()).flatMap { store.face($0) }
  }

  // MARK: Fallback

  /// Returns the font that is preferred of those that have a glyph for a character, as
  /// ``fallback(for:like:relatives:isColored:selector:excluding:budget:)``.
  package func fallback(
    for scalar: Unicode.Scalar, like face: FontFace?, excluding: [FontFace.ID] = [], budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace? {
    try fallback(
      for: [scalar], like: face, relatives: relatives(of: face, []), excluding: excluding, budget: &budget)
  }

  /// Returns the faces of families whose names begin with the name of a face's family or of a generic family, such as
  /// `Noto Sans Thai` of `Noto Sans`: those of the face first, those with shorter names first.
  package func relatives(of face: FontFace?, _ families: [FontQuery.Family]) -> [FaceDescription] {
    var names = face?.families ?? []
    for family in families where !family.isNamed {
      names.append(name(of: family))
      names += FamilySubstitutes.families(for: family)
    }
    return store.faces(ofFamiliesExtending: names.map { $0.lowercased() })
  }

  /// Returns the font that is preferred of those that have glyphs for all characters: one of the relatives, otherwise the
  /// one with the shortest family name. Among either, faces with the style, weight and width of `face` are preferred,
  /// then those that share any of the three, then any other.
  ///
  /// - Parameters:
  ///   - relatives: the faces that ``relatives(of:_:)`` returns.
  ///   - isColored: whether the font has glyphs with colours; `nil` if that does not matter.
  ///   - selector: a variation selector that the font supports after the first character.
  ///   - budget: charged for the fonts that are searched.
  /// - Throws: the errors of the budget.
  package func fallback(
    for scalars: [Unicode.Scalar], like face: FontFace?, relatives: [FaceDescription], isColored: Bool? = nil,
    selector: Unicode.Scalar? = nil, excluding: [FontFace.ID] = [], budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace? {
    func likeness(_ description: FaceDescription) -> Int {
      guard let face else { return 2 }
      let shared = [
        description.style == face.style, description.weight == face.weight, description.stretch == face.stretch,
      ]
      return shared.allSatisfy { $0 } ? 2 : shared.contains(true) ? 1 : 0
    }
    for candidates in [relatives, store.facesByNameLength] {
      for wanted in [2, 1, 0] {
        for description in candidates {
          try budget.chargeWork(Self.workPerSearchedFont / 3)
          guard isColored == nil || description.isColored == isColored, likeness(description) == wanted else {
            continue
          }
          try budget.chargeWork(Self.workPerSearchedFont + scalars.count * Self.workPerSearchedCharacter)
          guard store.hasGlyphs(description, for: scalars, selector: selector),
            let candidate = store.face(description), !excluding.contains(candidate.id)
          else { continue }
          return candidate
        }
      }
    }
    return nil
  }
}
