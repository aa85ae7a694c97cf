// Applies the lookups of one table to a buffer. Each lookup makes one pass over the glyphs, and at each glyph the first
// matching subtable applies (OpenType, `GSUB` and `GPOS`; the order of operations is HarfBuzz's).

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
struct LookupApplication {
  /// The maximum depth of nested contexts.
  private static let maximumNesting = 32
  /// The maximum length of sequences matched by contexts and ligatures.
  static let maximumContextLength = 64

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
  /// The remaining number of operations, which ensures that mutually nested contexts terminate.
  var budget: Int
  /// The maximum length of the buffer.
  let maximumCount: Int
  var nesting = 0

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
    budget = max(buffer.count << 12, 1 << 18)
    maximumCount = max(buffer.count * 64, 16384)
  }

  /// Applies a lookup to all glyphs.
  mutating func apply(_ planned: PlannedLookup) {
    guard planned.index < layout.lookups.count, buffer.count > 0 else { return }
    self.planned = planned
    lookup = layout.lookups[planned.index]
    if lookup.subtables.isEmpty { return }
    if !isPositioning, lookup.type == 8 {
      applyBackwards()
      return
    }
    guard let first = firstCandidate(from: 0) else { return }
    if !isPositioning {
      buffer.startOutput()
    } else {
      buffer.index = 0
    }
    buffer.advance(to: first)
    while let next = firstCandidate(from: buffer.index), budget > 0 {
      buffer.advance(to: next)
      if !applySubtables() { buffer.advance() }
    }
    if !isPositioning { buffer.finishOutput() }
  }

  /// Applies a reverse chaining substitution from the end, in place.
  private mutating func applyBackwards() {
    buffer.index = buffer.count - 1
    while buffer.index >= 0, budget > 0 {
      if isCandidate(buffer.infos[buffer.index]) { _ = applySubtables() }
      buffer.index -= 1
    }
    buffer.index = 0
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
    budget -= 1
    for subtable in lookup.subtables {
      if isPositioning ? position(subtable) : substitute(subtable) { return true }
      budget -= 1
    }
    return false
  }

  /// Applies another lookup to the current glyph on behalf of a context. The recursion depth is limited.
  mutating func applyNested(_ index: Int) -> Bool {
    guard nesting < LookupApplication.maximumNesting, budget > 0, index < layout.lookups.count else { return false }
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
