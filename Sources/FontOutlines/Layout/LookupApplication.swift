// Applies the lookups of one table to a buffer: each lookup goes over the glyphs once, and at each glyph the first of its
// subtables that matches acts (OpenType, `GSUB` and `GPOS`; the order of things is HarfBuzz's).

/// A lookup that a plan wants applied.
struct PlannedLookup: Sendable {
  var index: Int
  /// The features that ask for it: glyphs without any of them are passed by.
  var mask: UInt32
  /// Whether joiners and non-joiners between glyphs do not hinder a match.
  var skipsJoiners = true
  var skipsNonJoiners = true
}

/// A pass of lookups over a buffer.
struct LookupApplication {
  /// How deep contexts may call each other.
  private static let maximumNesting = 32
  /// The longest sequence that contexts and ligatures match.
  static let maximumContextLength = 64

  var buffer: GlyphBuffer
  let layout: LayoutTable
  let definitions: GlyphDefinitions
  let isPositioning: Bool
  let direction: TextDirection
  let coordinates: [Double]
  let table: TableBytes
  /// The lookup that is being applied.
  var lookup: Lookup
  var planned = PlannedLookup(index: 0, mask: 0)
  /// What lookups may still do, so that contexts that call each other end.
  var budget: Int
  /// The longest that the buffer may grow.
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

  /// Reverse chaining substitution works from the end, in place.
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

  /// Whether a lookup with some flags sees a glyph.
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

  /// Lets the subtables of the current lookup act on the next glyph. Answers whether one did, and has moved on then.
  private mutating func applySubtables() -> Bool {
    budget -= 1
    for subtable in lookup.subtables {
      if isPositioning ? position(subtable) : substitute(subtable) { return true }
      budget -= 1
    }
    return false
  }

  /// Applies another lookup at the next glyph on behalf of a context. The recursion is bounded.
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
