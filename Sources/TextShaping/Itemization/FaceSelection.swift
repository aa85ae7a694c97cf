// The choice of a face for each grapheme cluster (CSS Fonts 4, section 5.3): the first of the style's families that has
// all of it, otherwise any other font, otherwise faces for the parts of the cluster.

/// The faces of texts, known by numbers, and the choice among them.
package struct FaceSelection {
  /// An index into ``faces``.
  package typealias FaceNumber = Int32
  /// A list of families that has been added.
  package typealias ListNumber = Int32

  /// The maximum number of clusters for which all fonts are searched; after that, only fallback faces already found are
  /// used.
  private static let maximumSearchCount = 1_000
  /// The maximum number of families that are looked up for all lists, apart from those of the primary faces.
  private static let maximumFamilyCount = 100_000
  /// The maximum number of characters of a cluster that are set in one face for being a cluster.
  private static let maximumClusterLength = 32

  private let provider: FontProvider
  package private(set) var faces: [FontFace] = []
  private var numbers: [FontFace.ID: FaceNumber] = [:]
  private var lists: [FaceList] = []
  private var searchCount = 0
  private var familyCount = 0

  package init(_ provider: FontProvider) {
    self.provider = provider
  }

  // MARK: Lists

  /// Adds a list of families; `nil` if the provider has no font.
  ///
  /// - Parameter adapt: returns a face as it is used for the text, also a fallback face: the instance of a variable font,
  ///   with what is synthesised.
  package mutating func add(_ query: FontQuery, adapt: @escaping (FontFace) -> FontFace) -> ListNumber? {
    guard let face = provider.primaryFace(for: query) else { return nil }
    lists.append(FaceList(query, primary: number(of: adapt(face)), adapt: adapt))
    return ListNumber(lists.count - 1)
  }

  /// Returns the face whose metrics are those of text in a list of families: the first available font (CSS Fonts 4,
  /// section 2.2).
  package func primary(of list: ListNumber) -> FaceNumber { lists[Int(list)].primary }

  private mutating func number(of face: FontFace) -> FaceNumber {
    if let known = numbers[face.id] { return known }
    let number = FaceNumber(faces.count)
    faces.append(face)
    numbers[face.id] = number
    return number
  }

  /// Returns a face of a list; `nil` if it has fewer.
  private mutating func entry(_ index: Int, of list: Int) -> FaceList.Entry? {
    while index >= lists[list].entries.count {
      guard !lists[list].isComplete, familyCount < Self.maximumFamilyCount else { return nil }
      familyCount += 1
      let (found, isNamed) = lists[list].nextFaces(of: provider)
      for face in found { lists[list].append(number(of: lists[list].adapt(face)), isNamed: isNamed) }
    }
    return lists[list].entries[index]
  }

  // MARK: Clusters

  /// Returns the face of each character of a text.
  ///
  /// - Parameter lists: the list of families of each character. Within a cluster, each part has its own.
  package mutating func faces(of scalars: [Unicode.Scalar], lists numbers: [ListNumber]) -> [FaceNumber] {
    var result = numbers.map { lists[Int($0)].primary }
    if scalars.indices.allSatisfy({ isPlain(scalars[$0], numbers[$0]) }) { return result }
    for cluster in GraphemeClusters(scalars) {
      var start = cluster.lowerBound
      while start < cluster.upperBound {
        let limit = min(cluster.upperBound, start + Self.maximumClusterLength)
        let end = (start..<limit).first { numbers[$0] != numbers[start] } ?? limit
        choose(start..<end, scalars, Int(numbers[start]), &result)
        start = end
      }
    }
    return result
  }

  /// Returns whether a character is set in the first family whatever is around it.
  private func isPlain(_ scalar: Unicode.Scalar, _ list: ListNumber) -> Bool {
    // Neither marks nor emoji precede this character.
    guard scalar.value < 0x300, lists[Int(list)].entries.first?.face == lists[Int(list)].primary else { return false }
    return Self.needsNoGlyph(scalar) || faces[Int(lists[Int(list)].primary)].glyph(for: scalar) != nil
  }

  /// Whether a character is not drawn.
  private static func needsNoGlyph(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value < 0x20 || scalar.value > 0x7E else { return false }
    return scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .control
  }

  /// Chooses the faces of a cluster.
  private mutating func choose(
    _ range: Range<Int>, _ scalars: [Unicode.Scalar], _ list: Int, _ result: inout [FaceNumber]
  ) {
    if range.count == 1 {
      result[range.lowerBound] = face(of: scalars[range.lowerBound], list)
      return
    }
    let face: FaceNumber?
    if let known = lists[list].clusters[scalars[range]] {
      face = known
    } else {
      // The key is a copy, lest it retain the text.
      let cluster = Array(scalars[range])[...]
      face = self.face(ofAll: cluster, list)
      lists[list].clusters[cluster] = .some(face)
    }
    if let face {
      for index in range { result[index] = face }
    } else {
      chooseParts(range, scalars, list, &result)
    }
  }

  /// Returns the face of a character by itself.
  private mutating func face(of scalar: Unicode.Scalar, _ list: Int) -> FaceNumber {
    if let known = lists[list].characters[scalar] { return known }
    let face = face(ofAll: [scalar], list) ?? lists[list].primary
    lists[list].characters[scalar] = face
    return face
  }

  /// Returns the face of a whole cluster; `nil` if no font has all of it.
  private mutating func face(ofAll cluster: ArraySlice<Unicode.Scalar>, _ list: Int) -> FaceNumber? {
    let required = cluster.filter { !Self.needsNoGlyph($0) }
    guard let first = cluster.first, !required.isEmpty else { return lists[list].primary }
    let presentation = GlyphPresentation(cluster)
    let forms = CanonicalSpellings(required)
    var second: FaceNumber?
    var index = 0
    while let entry = entry(index, of: list) {
      index += 1
      guard forms.areSupported(by: faces[Int(entry.face)]) else { continue }
      if presentation.suits(faces[Int(entry.face)], isNamed: entry.isNamed, first: first) { return entry.face }
      second = second ?? entry.face
    }
    if let found = fallback(for: required, presentation, list) { return found }
    if second != nil { return second }
    // Any font rather than none.
    return switch presentation {
    case .variant: fallback(for: required, .text, list) ?? fallback(for: required, .emoji, list)
    case .text, .explicitText: fallback(for: required, .emoji, list)
    case .emoji, .explicitEmoji: fallback(for: required, .text, list)
    }
  }

  /// Chooses faces for a cluster that no font has: the family that has most of its start, and single characters.
  private mutating func chooseParts(
    _ range: Range<Int>, _ scalars: [Unicode.Scalar], _ list: Int, _ result: inout [FaceNumber]
  ) {
    let spellings = range.map { CanonicalSpelling(scalars[$0]) }
    func isSupported(_ index: Int, by face: FaceNumber) -> Bool {
      Self.needsNoGlyph(scalars[index]) || spellings[index - range.lowerBound].isSupported(by: faces[Int(face)])
    }
    var longest = (end: range.lowerBound, face: lists[list].primary)
    var index = 0
    while let entry = entry(index, of: list) {
      index += 1
      let end = range.first { !isSupported($0, by: entry.face) } ?? range.upperBound
      if end > longest.end { longest = (end, entry.face) }
    }
    var face = longest.face
    for index in range {
      if index >= longest.end, !isSupported(index, by: face) { face = self.face(of: scalars[index], list) }
      result[index] = face
    }
  }

  // MARK: Fallback

  /// Returns a face that is not of the list's families; `nil` if no font that suits has all characters.
  private mutating func fallback(
    for scalars: [Unicode.Scalar], _ presentation: GlyphPresentation, _ list: Int
  ) -> FaceNumber? {
    var selector: Unicode.Scalar?
    if case .variant(let used) = presentation { selector = used }
    // Text looks more uniform if few fonts are mixed.
    let helper = lists[list].helpers.first { number in
      let face = faces[Int(number)]
      guard scalars.allSatisfy({ face.glyph(for: $0) != nil }) else { return false }
      if let selector { return face.hasGlyph(for: scalars[0], variationSelector: selector) }
      return face.isColored == presentation.prefersColors
    }
    if let helper { return helper }
    guard searchCount < Self.maximumSearchCount else { return nil }
    searchCount += 1
    let primary = faces[Int(lists[list].primary)]
    guard
      let face = provider.fallback(
        for: scalars, like: primary, isColored: selector == nil ? presentation.prefersColors : nil, selector: selector)
    else { return nil }
    let found = number(of: lists[list].adapt(face))
    lists[list].appendHelper(found)
    return found
  }
}
