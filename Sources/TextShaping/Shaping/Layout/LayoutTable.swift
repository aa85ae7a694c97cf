// The common structure of `GSUB` and `GPOS`: the lookups of the features of a script and language (OpenType, layout
// common table formats).

internal import Fonts
internal import ImageCore

/// A lookup's header.
struct Lookup: Sendable {
  /// The lookup type; for an extension, the type it wraps.
  let type: Int
  /// The lookup flags, with the mark filtering set in the upper 16 bits.
  let flags: Int
  /// The offsets of its subtables.
  let subtables: [Int]
  /// The glyphs with which any subtable can start.
  let digest: GlyphDigest

  enum Flag {
    static let rightToLeft = 0x0001
    static let ignored = 0x000E
    static let ignoresMarks = 0x0008
    static let usesMarkSet = 0x0010
    static let markClass = 0xFF00
  }
}

/// `GSUB` or `GPOS`.
struct LayoutTable: Sendable {
  /// The limit on the cost of parsing the headers of all lookups, in glyphs that they list.
  private static let maximumCost = 1 << 22
  /// The work units for a unit of that cost, and for comparing the tag of a record.
  private static let workPerCost = 8
  private static let workPerRecord = 5
  /// The work units for a condition on the position in the design space, and for a feature that is replaced.
  private static let workPerCondition = 20
  private static let workPerReplacement = 80

  let table: TableBytes
  let lookups: [Lookup]
  private let scripts: Int
  private let features: Int

  /// - Parameter budget: charged for each lookup.
  init(_ table: TableBytes, isPositioning: Bool, budget: inout ResourceBudget) throws(CodecError) {
    self.table = table.uint16(at: 0) == 1 ? table : .empty
    scripts = self.table.uint16(at: 4)
    features = self.table.uint16(at: 6)
    let list = self.table.uint16(at: 8)
    var lookups: [Lookup] = []
    var remaining = LayoutTable.maximumCost
    for index in 0..<(list == 0 ? 0 : self.table.uint16(at: list)) {
      if remaining <= 0 { break }
      let before = remaining
      let offset = list + self.table.uint16(at: list + 2 + index * 2)
      let lookup = LayoutTable.lookup(self.table, at: offset, extensionType: isPositioning ? 9 : 7, &remaining)
      remaining -= 4
      try budget.chargeWork(count: before - remaining, unitsEach: LayoutTable.workPerCost)
      lookups.append(lookup)
    }
    self.lookups = lookups
  }

  var isEmpty: Bool { lookups.isEmpty }

  private static func lookup(
    _ table: TableBytes, at offset: Int, extensionType: Int, _ remaining: inout Int
  ) -> Lookup {
    var type = table.uint16(at: offset)
    var flags = table.uint16(at: offset + 2)
    let count = table.uint16(at: offset + 4)
    if flags & Lookup.Flag.usesMarkSet != 0 { flags |= table.uint16(at: offset + 6 + count * 2) << 16 }
    var subtables: [Int] = []
    var digest = GlyphDigest()
    let isExtension = type == extensionType
    for index in 0..<count {
      if remaining <= 0 { break }
      // A subtable itself costs more than a glyph.
      remaining -= 32
      var subtable = offset + table.uint16(at: offset + 6 + index * 2)
      if isExtension {
        guard table.uint16(at: subtable) == 1 else { continue }
        // All subtables of a lookup have the type of the first one.
        if subtables.isEmpty { type = table.uint16(at: subtable + 2) }
        guard type != extensionType, table.uint16(at: subtable + 2) == type else { continue }
        subtable += table.uint32(at: subtable + 4)
      }
      subtables.append(subtable)
      let coverage = subtable + coverageOffset(table, at: subtable, type, extensionType)
      remaining -= table.uint16(at: coverage + 2)
      digest.insert(coverageAt: coverage, of: table)
    }
    return Lookup(type: type, flags: flags, subtables: subtables, digest: digest)
  }

  /// Returns the offset within a subtable of the coverage of its first glyph.
  private static func coverageOffset(_ table: TableBytes, at subtable: Int, _ type: Int, _ extensionType: Int) -> Int {
    let contextType = extensionType == 9 ? 7 : 5
    guard table.uint16(at: subtable) == 3 else { return table.uint16(at: subtable + 2) }
    if type == contextType { return table.uint16(at: subtable + 6) }
    // Chained contexts store the backtrack coverages before the input coverages.
    if type == contextType + 1 { return table.uint16(at: subtable + 6 + table.uint16(at: subtable + 2) * 2) }
    return table.uint16(at: subtable + 2)
  }
}

extension LayoutTable {
  /// The features of a script and language.
  struct LanguageSystem: Sendable {
    /// The script tag that was found, of those requested.
    var script: Tag
    /// The feature that always applies.
    var requiredFeature: Int?
    /// The features, with their indices.
    var features: [(tag: Tag, index: Int)]
  }

  /// Returns the first requested script that the table has, otherwise its default script; `nil` if it has neither.
  ///
  /// - Parameter budget: charged for the records.
  func languageSystem(
    scripts tags: [Tag], languages: [Tag], budget: inout ResourceBudget
  ) throws(CodecError) -> LanguageSystem? {
    guard scripts != 0 else { return nil }
    // In some old fonts `latn` serves as the default.
    for tag in tags + ["DFLT", "dflt", "latn"] {
      guard let script = try record(tag, at: scripts, &budget) else { continue }
      var system = table.uint16(at: script) == 0 ? 0 : script + table.uint16(at: script)
      for language in languages {
        if let found = try record(language, at: script + 2, base: script, &budget) {
          system = found
          break
        }
      }
      return try languageSystem(at: system, script: tag, &budget)
    }
    return nil
  }

  private func languageSystem(
    at offset: Int, script: Tag, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LanguageSystem {
    guard offset != 0 else { return LanguageSystem(script: script, requiredFeature: nil, features: []) }
    let required = table.uint16(at: offset + 2)
    let count = min(table.uint16(at: offset + 4), table.count / 2)
    try budget.chargeWork(count: count, unitsEach: 3 * LayoutTable.workPerRecord)
    return LanguageSystem(
      script: script, requiredFeature: required == 0xFFFF ? nil : required,
      features: (0..<count).map { number in
        let index = table.uint16(at: offset + 6 + number * 2)
        return (featureTag(index), index)
      })
  }

  /// Returns the offset of the record with a tag in a list of tags and offsets.
  private func record(
    _ tag: Tag, at list: Int, base: Int? = nil, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    let count = min(table.uint16(at: list), table.count / 6)
    try budget.chargeWork(count: count, unitsEach: LayoutTable.workPerRecord)
    for index in 0..<count {
      let record = list + 2 + index * 6
      guard table.contains(record, 6) else { return nil }
      if table.tag(at: record) == tag { return (base ?? list) + table.uint16(at: record + 4) }
    }
    return nil
  }

  private func featureTag(_ index: Int) -> Tag { table.tag(at: features + 2 + index * 6) }

  /// Returns the first feature with a tag, in any script.
  ///
  /// - Parameter budget: charged for the records.
  func anyFeature(_ tag: Tag, budget: inout ResourceBudget) throws(CodecError) -> Int? {
    let count = features == 0 ? 0 : table.uint16(at: features)
    try budget.chargeWork(count: count, unitsEach: LayoutTable.workPerRecord)
    return (0..<count).first { featureTag($0) == tag }
  }

  /// Returns the lookups of a feature, or of the variation that replaces it.
  func lookups(ofFeature index: Int, alternatives: [Int: Int]) -> [Int] {
    guard features != 0, index < table.uint16(at: features) else { return [] }
    let offset = alternatives[index] ?? features + table.uint16(at: features + 2 + index * 6 + 4)
    let count = min(table.uint16(at: offset + 2), lookups.count)
    return (0..<count).map { table.uint16(at: offset + 4 + $0 * 2) }.filter { $0 < lookups.count }
  }

  /// Returns the features replaced at a position in the design space, with the offsets of their replacements.
  ///
  /// - Parameter budget: charged for the conditions and the replacements.
  func alternatives(
    coordinates: [Double], budget: inout ResourceBudget
  ) throws(CodecError) -> [Int: Int] {
    let list = table.uint16(at: 2) >= 1 ? table.uint32(at: 10) : 0
    guard list != 0, !coordinates.isEmpty else { return [:] }
    for index in 0..<min(table.uint32(at: list + 4), table.count / 8) {
      let record = list + 8 + index * 8
      let conditions = table.uint32(at: record)
      let conditionCount = conditions == 0 ? 0 : table.uint16(at: list + conditions)
      try budget.chargeWork(count: conditionCount + 1, unitsEach: LayoutTable.workPerCondition)
      guard conditions == 0 || isMet(conditionsAt: list + conditions, coordinates) else { continue }
      let substitution = list + table.uint32(at: record + 4)
      var result: [Int: Int] = [:]
      let count = min(table.uint16(at: substitution + 4), table.count / 6)
      try budget.chargeWork(count: count, unitsEach: LayoutTable.workPerReplacement)
      for number in 0..<count {
        let entry = substitution + 6 + number * 6
        result[table.uint16(at: entry)] = substitution + table.uint32(at: entry + 2)
      }
      return result
    }
    return [:]
  }

  private func isMet(conditionsAt offset: Int, _ coordinates: [Double]) -> Bool {
    (0..<min(table.uint16(at: offset), table.count / 4)).allSatisfy { index in
      let condition = offset + table.uint32(at: offset + 2 + index * 4)
      guard table.uint16(at: condition) == 1 else { return false }
      let axis = table.uint16(at: condition + 2)
      let coordinate = axis < coordinates.count ? coordinates[axis] : 0
      return table.fraction14(at: condition + 4) <= coordinate && coordinate <= table.fraction14(at: condition + 6)
    }
  }
}
