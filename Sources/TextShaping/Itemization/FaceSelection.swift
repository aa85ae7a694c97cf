// The choice of a face for each grapheme cluster (CSS Fonts 4, section 5.3): the first of the style's families that has
// all of it, otherwise any other font, otherwise faces for the parts of the cluster.

package import Fonts
package import ImageCore

/// The faces of texts, known by numbers, and the choice among them.
package struct FaceSelection {
  /// An index into ``faces``.
  package typealias FaceNumber = Int32
  /// A list of families that has been added.
  package typealias ListNumber = Int32
  /// Returns a face as it is used for a text. The budget is charged for it.
  package typealias Adaptation = (FontFace, inout ResourceBudget) throws(CodecError) -> FontFace

  /// The maximum number of clusters for which all fonts are searched; after that, only fallback faces already found are
  /// used.
  private static let maximumSearchCount = 1_000
  /// The maximum number of families that are looked up for all lists, apart from those of the primary faces.
  private static let maximumFamilyCount = 100_000
  /// The maximum number of characters of a cluster that are set in one face for being a cluster.
  private static let maximumClusterLength = 32

  /// The work units for a character, for looking a cluster up, for looking a character of a cluster up in a face, and
  /// for comparing the name of a font with that of a family.
  private static let workPerCharacter = 100
  private static let workPerCluster = 1_000
  private static let workPerLookUp = 60
  private static let workPerComparison = 30
  /// The bytes of a cluster that is remembered, besides its characters.
  private static let bytesPerCluster = 160

  private let provider: FontProvider
  package private(set) var faces: [FontFace] = []
  private var numbers: [FontFace.ID: FaceNumber] = [:]
  private var lists: [FaceList] = []
  private var searchCount = 0
  private var familyCount = 0
  /// The number of bytes charged to the budget for what is remembered.
  package private(set) var heldByteCount = 0

  package init(_ provider: FontProvider) {
    self.provider = provider
  }

  // MARK: Lists

  /// Adds a list of families; `nil` if the provider has no font.
  ///
  /// - Parameters:
  ///   - adapt: returns a face as it is used for the text, also a fallback face: the instance of a variable font, with
  ///     what is synthesised.
  ///   - budget: charged for the families that are looked up.
  /// - Throws: the errors of the budget.
  package mutating func add(
    _ query: FontQuery, budget: inout ResourceBudget, adapt: @escaping Adaptation
  ) throws(CodecError) -> ListNumber? {
    guard let face = try provider.primaryFace(for: query, budget: &budget) else { return nil }
    lists.append(FaceList(query, primary: number(of: try adapt(face, &budget)), adapt: adapt))
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
  private mutating func entry(
    _ index: Int, of list: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FaceList.Entry? {
    while index >= lists[list].entries.count {
      guard !lists[list].isComplete, familyCount < Self.maximumFamilyCount else { return nil }
      familyCount += 1
      let (found, isNamed) = try lists[list].nextFaces(of: provider, budget: &budget)
      for face in found {
        lists[list].append(number(of: try lists[list].adapt(face, &budget)), isNamed: isNamed)
      }
    }
    return lists[list].entries[index]
  }

  // MARK: Clusters

  /// Returns the face of each character of a text.
  ///
  /// - Parameters:
  ///   - lists: the list of families of each character. Within a cluster, each part has its own.
  ///   - budget: charged for the characters, and for the clusters and families that are looked up.
  /// - Throws: the errors of the budget.
  package mutating func faces(
    of scalars: [Unicode.Scalar], lists numbers: [ListNumber], budget: inout ResourceBudget
  ) throws(CodecError) -> [FaceNumber] {
    try budget.chargeWork(count: scalars.count, unitsEach: Self.workPerCharacter)
    var result = numbers.map { lists[Int($0)].primary }
    if scalars.indices.allSatisfy({ isPlain(scalars[$0], numbers[$0]) }) { return result }
    for cluster in GraphemeClusters(scalars) {
      var start = cluster.lowerBound
      while start < cluster.upperBound {
        let limit = min(cluster.upperBound, start + Self.maximumClusterLength)
        let end = (start..<limit).first { numbers[$0] != numbers[start] } ?? limit
        try choose(start..<end, scalars, Int(numbers[start]), &result, &budget)
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
    _ range: Range<Int>, _ scalars: [Unicode.Scalar], _ list: Int, _ result: inout [FaceNumber],
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if range.count == 1 {
      result[range.lowerBound] = try face(of: scalars[range.lowerBound], list, &budget)
      return
    }
    let face: FaceNumber?
    if let known = lists[list].clusters[scalars[range]] {
      face = known
    } else {
      // The key is a copy, lest it retain the text.
      let cluster = Array(scalars[range])[...]
      try remember(cluster.count, &budget)
      face = try self.face(ofAll: cluster, list, &budget)
      lists[list].clusters[cluster] = .some(face)
    }
    if let face {
      for index in range { result[index] = face }
    } else {
      try chooseParts(range, scalars, list, &result, &budget)
    }
  }

  /// Returns the face of a single character.
  private mutating func face(
    of scalar: Unicode.Scalar, _ list: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FaceNumber {
    if let known = lists[list].characters[scalar] { return known }
    try remember(1, &budget)
    let face = try face(ofAll: [scalar], list, &budget) ?? lists[list].primary
    lists[list].characters[scalar] = face
    return face
  }

  /// Returns the face of a whole cluster; `nil` if no font has all of it.
  private mutating func face(
    ofAll cluster: ArraySlice<Unicode.Scalar>, _ list: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FaceNumber? {
    try budget.chargeWork(Self.workPerCluster)
    let required = cluster.filter { !Self.needsNoGlyph($0) }
    guard let first = cluster.first, !required.isEmpty else { return lists[list].primary }
    let presentation = GlyphPresentation(cluster)
    let forms = CanonicalSpellings(required)
    var second: FaceNumber?
    var index = 0
    while let entry = try entry(index, of: list, &budget) {
      index += 1
      try budget.chargeWork(count: required.count, unitsEach: 2 * Self.workPerLookUp)
      guard forms.areSupported(by: faces[Int(entry.face)]) else { continue }
      if presentation.suits(faces[Int(entry.face)], isNamed: entry.isNamed, first: first) { return entry.face }
      second = second ?? entry.face
    }
    if let found = try fallback(for: required, presentation, list, &budget) { return found }
    if second != nil { return second }
    // Any font rather than none.
    switch presentation {
    case .variant:
      if let found = try fallback(for: required, .text, list, &budget) { return found }
      return try fallback(for: required, .emoji, list, &budget)
    case .text, .explicitText: return try fallback(for: required, .emoji, list, &budget)
    case .emoji, .explicitEmoji: return try fallback(for: required, .text, list, &budget)
    }
  }

  /// Chooses faces for a cluster that no font has: the family that has most of its start, and single characters.
  private mutating func chooseParts(
    _ range: Range<Int>, _ scalars: [Unicode.Scalar], _ list: Int, _ result: inout [FaceNumber],
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(Self.workPerCluster)
    let spellings = range.map { CanonicalSpelling(scalars[$0]) }
    func isSupported(_ index: Int, by face: FaceNumber) -> Bool {
      Self.needsNoGlyph(scalars[index]) || spellings[index - range.lowerBound].isSupported(by: faces[Int(face)])
    }
    var longest = (end: range.lowerBound, face: lists[list].primary)
    var index = 0
    while let entry = try entry(index, of: list, &budget) {
      index += 1
      try budget.chargeWork(count: range.count, unitsEach: 2 * Self.workPerLookUp)
      let end = range.first { !isSupported($0, by: entry.face) } ?? range.upperBound
      if end > longest.end { longest = (end, entry.face) }
    }
    var face = longest.face
    for index in range {
      if index >= longest.end, !isSupported(index, by: face) {
        face = try self.face(of: scalars[index], list, &budget)
      }
      result[index] = face
    }
  }

  /// Charges the memory of a cluster that is remembered.
  private mutating func remember(_ count: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let byteCount = Self.bytesPerCluster + count * MemoryLayout<Unicode.Scalar>.stride
    try budget.allocate(byteCount)
    heldByteCount += byteCount
  }

  // MARK: Fallback

  /// Returns a face that is not of the list's families; `nil` if no font that suits has all characters.
  private mutating func fallback(
    for scalars: [Unicode.Scalar], _ presentation: GlyphPresentation, _ list: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FaceNumber? {
    var selector: Unicode.Scalar?
    if case .variant(let used) = presentation { selector = used }
    try budget.chargeWork(
      count: lists[list].helpers.count, unitsEach: scalars.count * Self.workPerLookUp)
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
    let relatives = try self.relatives(of: list, &budget)
    let found = try provider.fallback(
      for: scalars, like: primary, relatives: relatives,
      isColored: selector == nil ? presentation.prefersColors : nil, selector: selector, budget: &budget)
    guard let face = found else { return nil }
    let helperNumber = number(of: try lists[list].adapt(face, &budget))
    lists[list].appendHelper(helperNumber)
    return helperNumber
  }

  /// Returns the faces of the families related to those of a list.
  private mutating func relatives(
    of list: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [FaceDescription] {
    if let known = lists[list].relatives { return known }
    let primary = faces[Int(lists[list].primary)]
    let query = lists[list].query
    try budget.chargeWork(count: query.families.count, unitsEach: 10)
    var families: [FontQuery.Family] = []
    for family in query.families where !family.isNamed && !families.contains(family) { families.append(family) }
    // A generic family has a name and several substitutes.
    let nameCount = primary.families.count + families.count * 8
    try budget.chargeWork(count: provider.fontCount, unitsEach: nameCount * Self.workPerComparison)
    let relatives = provider.relatives(of: primary, families)
    lists[list].relatives = relatives
    return relatives
  }
}
