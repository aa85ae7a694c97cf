// Applies the lookups of one table to a buffer. Each lookup makes one pass over the glyphs, and at each glyph the first
// matching subtable applies (OpenType, `GSUB` and `GPOS`; the order of operations is HarfBuzz's).

internal import Fonts
internal import ImageCore

/// A lookup to be applied according to a plan.
struct PlannedLookup: Sendable {
  var index: Int
  /// The features that use it; glyphs without any of them are skipped.
  var mask: UInt32
  /// Whether joiners and non-joiners between glyphs are ignored when matching.
  var skipsJoiners = true
  var skipsNonJoiners = true
  /// Whether sequences end at the end of a syllable.
  var isPerSyllable = false
}

/// The application of lookups to a buffer.
///
/// Operations are the glyphs, subtables, rules and ligatures that are looked at. They are counted where they occur, and
/// charged to the budget after each glyph.
struct LookupApplication {
  /// The maximum depth of nested contexts.
  private static let maximumNesting = 32
  /// The maximum length of sequences matched by contexts and ligatures.
  static let maximumContextLength = 64
  /// The maximum number of operations for one glyph.
  private static let maximumOperationCount = 1 << 20
  /// The number of operations that are charged together.
  private static let chargedOperationCount = 1 << 12

  /// The work units for an operation, for passing over a glyph to which a lookup does not apply, and for a pass.
  static let workPerOperation = 25
  private static let workPerGlyph = 2
  private static let workPerPass = 60
  /// The work units and the bytes of a glyph that is added: here, and until it is drawn.
  private static let workPerAddedGlyph = 500
  private static let bytesPerAddedGlyph = 200

  var buffer: GlyphBuffer
  let layout: LayoutTable
  let definitions: GlyphDefinitions
  let isPositioning: Bool
  let direction: TextDirection
  let coordinates: [Double]
  let table: TableBytes
  /// The lookup being applied.
  var lookup: Lookup
  var planned = PlannedLookup(index: 0, mask: 0)
  /// The number of operations that remain for the current glyph, which ensures that mutually nested contexts terminate.
  var allowance = 0
  /// The number of operations that remain for the whole run.
  private var remaining: Int
  /// The number of operations that are not charged yet.
  private var uncharged = 0
  /// The maximum length of the buffer, and the length for which the budget has memory.
  private let maximumCount: Int
  private var admittedCount: Int
  /// The number of glyphs that could not be added for lack of memory.
  private var refusedCount = 0
  /// The number of glyphs whose memory is charged.
  private var chargedCount: Int
  var nesting = 0
  /// The positions of the sequence that was matched last.
  var matched: [Int] = []

  init(
    _ buffer: GlyphBuffer, layout: LayoutTable, definitions: GlyphDefinitions, isPositioning: Bool,
    direction: TextDirection, coordinates: [Double]
  ) {
    self.buffer = buffer
    self.layout = layout
    self.definitions = definitions
    self.isPositioning = isPositioning
    self.direction = direction
    self.coordinates = coordinates
    table = layout.table
    lookup = Lookup(type: 0, flags: 0, subtables: [], digest: GlyphDigest())
    remaining = max(buffer.count << 12, 1 << 18)
    maximumCount = buffer.count * 8 + 1024
    admittedCount = buffer.count
    chargedCount = buffer.count
  }

  /// Applies a lookup to all glyphs.
  ///
  /// - Parameter budget: charged for the operations and for the glyphs that are added, whose memory stays charged.
  mutating func apply(_ planned: PlannedLookup, budget: inout ResourceBudget) throws(CodecError) {
    guard planned.index < layout.lookups.count, buffer.count > 0 else { return }
    try budget.chargeWork(Self.workPerPass + buffer.count * Self.workPerGlyph)
    self.planned = planned
    lookup = layout.lookups[planned.index]
    if lookup.subtables.isEmpty { return }
    admittedCount = chargedCount + budget.availableByteCount / Self.bytesPerAddedGlyph
    if !isPositioning, lookup.type == 8 {
      try applyBackwards(&budget)
    } else {
      try applyForwards(&budget)
    }
    try chargeOperations(&budget)
  }

  private mutating func applyForwards(_ budget: inout ResourceBudget) throws(CodecError) {
    guard let first = firstCandidate(from: 0) else { return }
    if !isPositioning {
      buffer.startOutput()
    } else {
      buffer.index = 0
    }
    buffer.advance(to: first)
    while let next = firstCandidate(from: buffer.index), remaining > 0 {
      buffer.advance(to: next)
      try applyAtGlyph(advances: true, &budget)
    }
    if !isPositioning { buffer.finishOutput() }
  }

  /// Applies a reverse chaining substitution from the end, in place.
  private mutating func applyBackwards(_ budget: inout ResourceBudget) throws(CodecError) {
    buffer.index = buffer.count - 1
    while buffer.index >= 0, remaining > 0 {
      if isCandidate(buffer.infos[buffer.index]) { try applyAtGlyph(advances: false, &budget) }
      buffer.index -= 1
    }
    buffer.index = 0
  }

  /// Applies the current lookup to the current glyph.
  ///
  /// - Parameter advances: whether a glyph to which it does not apply is passed over.
  @inline(__always)
  private mutating func applyAtGlyph(advances: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    let given = min(remaining, Self.maximumOperationCount)
    allowance = given
    let isApplied = applySubtables()
    if advances, !isApplied { buffer.advance() }
    let spent = given &- allowance &+ buffer.takeRewritingCost()
    remaining &-= spent
    uncharged &+= spent
    if uncharged >= Self.chargedOperationCount { try chargeOperations(&budget) }
    if buffer.totalCount > chargedCount || refusedCount > 0 { try chargeGlyphs(&budget) }
  }

  /// Charges the operations so far.
  private mutating func chargeOperations(_ budget: inout ResourceBudget) throws(CodecError) {
    try budget.chargeWork(count: uncharged, unitsEach: Self.workPerOperation)
    uncharged = 0
  }

  /// Charges the glyphs that have been added, for which the budget has memory, and those for which it has none.
  private mutating func chargeGlyphs(_ budget: inout ResourceBudget) throws(CodecError) {
    let added = max(0, buffer.totalCount - chargedCount) + refusedCount
    chargedCount = max(chargedCount, buffer.totalCount)
    refusedCount = 0
    try budget.chargeWork(count: added, unitsEach: Self.workPerAddedGlyph)
    try budget.allocate(count: added, bytesEach: Self.bytesPerAddedGlyph)
  }

  /// Returns whether some more glyphs may be added.
  mutating func mayAdd(_ count: Int) -> Bool {
    guard buffer.totalCount + count <= maximumCount else { return false }
    guard buffer.totalCount + count > admittedCount else { return true }
    refusedCount = count
    return false
  }

  private func firstCandidate(from start: Int) -> Int? {
    var position = start
    while position < buffer.infos.count {
      if isCandidate(buffer.infos[position]) { return position }
      position += 1
    }
    return nil
  }

  @inline(__always)
  private func isCandidate(_ info: GlyphInfo) -> Bool {
    lookup.digest.mayContain(info.glyph) && info.mask & planned.mask != 0 && isSeen(info, flags: lookup.flags)
  }

  /// Whether a lookup with the given flags does not skip a glyph.
  @inline(__always)
  func isSeen(_ info: GlyphInfo, flags: Int) -> Bool {
    let properties = Int(info.properties.rawValue)
    if properties & flags & Lookup.Flag.ignored != 0 { return false }
    return !info.properties.contains(.mark) || isSeenMark(info, flags: flags)
  }

  private func isSeenMark(_ info: GlyphInfo, flags: Int) -> Bool {
    if flags & Lookup.Flag.usesMarkSet != 0 { return definitions.markSet(flags >> 16, contains: info.glyph) }
    let markClass = flags & Lookup.Flag.markClass
    return markClass == 0 || markClass == Int(info.properties.rawValue) & Lookup.Flag.markClass
  }

  /// Applies the first matching subtable of the current lookup to the current glyph. Returns whether there was one, in
  /// which case the position has advanced.
  private mutating func applySubtables() -> Bool {
    allowance -= 1
    for subtable in lookup.subtables {
      if isPositioning ? position(subtable) : substitute(subtable) { return true }
      allowance -= 1
    }
    return false
  }

  /// Applies another lookup to the current glyph on behalf of a context. The recursion depth is limited.
  mutating func applyNested(_ index: Int) -> Bool {
    guard nesting < LookupApplication.maximumNesting, allowance > 0, index < layout.lookups.count else { return false }
    let outer = lookup
    lookup = layout.lookups[index]
    nesting += 1
    defer {
      nesting -= 1
      lookup = outer
    }
    guard buffer.index < buffer.count, lookup.digest.mayContain(buffer.infos[buffer.index].glyph) else { return false }
    return applySubtables()
  }
}
