// Contextual lookups, which apply other lookups to a matched sequence of glyphs: GSUB types 5 and 6, GPOS types 7 and
// 8.

internal import Fonts

extension LookupApplication {
  /// The parts of a chained rule: their glyph counts and offsets.
  private struct ChainedSequence {
    var backtrackCount: Int
    var backtrack: Int
    var inputCount: Int
    var input: Int
    var lookaheadCount: Int
    var lookahead: Int
    /// The offset of the count of nested lookups.
    var calls: Int

    /// Parses a rule of glyphs or classes, whose input omits the first glyph.
    init(rule: Int, _ table: TableBytes) {
      backtrackCount = table.uint16(at: rule)
      backtrack = rule + 2
      let afterBacktrack = backtrack + backtrackCount * 2
      inputCount = table.uint16(at: afterBacktrack)
      input = afterBacktrack + 2
      let afterInput = input + max(0, inputCount - 1) * 2
      lookaheadCount = table.uint16(at: afterInput)
      lookahead = afterInput + 2
      calls = lookahead + lookaheadCount * 2
    }
  }

  /// Applies a context without backtrack and lookahead.
  mutating func applyContext(_ subtable: Int) -> Bool {
    let glyph = buffer.infos[buffer.index].glyph
    switch table.uint16(at: subtable) {
    case 1:
      guard let index = table.coverageIndex(at: subtable + table.uint16(at: subtable + 2), of: glyph),
        index < table.uint16(at: subtable + 4)
      else { return false }
      return applyRules(ofSet: subtable, table.uint16(at: subtable + 6 + index * 2)) { .glyphs(at: $0) }
    case 2:
      guard table.coverageIndex(at: subtable + table.uint16(at: subtable + 2), of: glyph) != nil else { return false }
      let definition = subtable + table.uint16(at: subtable + 4)
      let index = table.glyphClass(at: definition, of: glyph)
      guard index < table.uint16(at: subtable + 6) else { return false }
      return applyRules(ofSet: subtable, table.uint16(at: subtable + 8 + index * 2)) {
        .classes(at: $0, definition: definition)
      }
    case 3:
      let count = table.uint16(at: subtable + 2)
      guard count > 0, table.coverageIndex(at: subtable + table.uint16(at: subtable + 6), of: glyph) != nil,
        matchInput(count, .coverages(at: subtable + 8, base: subtable)) != nil
      else { return false }
      applyCalls(at: subtable + 6 + count * 2, count: table.uint16(at: subtable + 4))
      return true
    default: return false
    }
  }

  private mutating func applyRules(ofSet subtable: Int, _ offset: Int, _ match: (Int) -> GlyphMatch) -> Bool {
    guard offset != 0 else { return false }
    let set = subtable + offset
    for index in 0..<table.uint16(at: set) where allowance > 0 {
      allowance -= 1
      let rule = set + table.uint16(at: set + 2 + index * 2)
      let count = table.uint16(at: rule)
      guard matchInput(count, match(rule + 4)) != nil else { continue }
      applyCalls(at: rule + 4 + (count - 1) * 2, count: table.uint16(at: rule + 2))
      return true
    }
    return false
  }

  /// Applies a chained context.
  mutating func applyChainedContext(_ subtable: Int) -> Bool {
    let glyph = buffer.infos[buffer.index].glyph
    switch table.uint16(at: subtable) {
    case 1:
      guard let index = table.coverageIndex(at: subtable + table.uint16(at: subtable + 2), of: glyph),
        index < table.uint16(at: subtable + 4)
      else { return false }
      return applyChainedRules(ofSet: subtable, table.uint16(at: subtable + 6 + index * 2), definitions: nil)
    case 2:
      guard table.coverageIndex(at: subtable + table.uint16(at: subtable + 2), of: glyph) != nil else { return false }
      let definitions = (4, 6, 8)
      let input = subtable + table.uint16(at: subtable + definitions.1)
      let index = table.glyphClass(at: input, of: glyph)
      guard index < table.uint16(at: subtable + 10) else { return false }
      return applyChainedRules(
        ofSet: subtable, table.uint16(at: subtable + 12 + index * 2),
        definitions: (
          subtable + table.uint16(at: subtable + definitions.0), input,
          subtable + table.uint16(at: subtable + definitions.2)
        ))
    case 3: return applyChainedCoverages(subtable, glyph)
    default: return false
    }
  }

  private mutating func applyChainedRules(
    ofSet subtable: Int, _ offset: Int, definitions: (backtrack: Int, input: Int, lookahead: Int)?
  ) -> Bool {
    guard offset != 0 else { return false }
    let set = subtable + offset
    for index in 0..<table.uint16(at: set) where allowance > 0 {
      allowance -= 1
      let rule = ChainedSequence(rule: set + table.uint16(at: set + 2 + index * 2), table)
      func match(_ offset: Int, _ definition: Int?) -> GlyphMatch {
        definition.map { .classes(at: offset, definition: $0) } ?? .glyphs(at: offset)
      }
      guard matchInput(rule.inputCount, match(rule.input, definitions?.input)) != nil,
        matchLookahead(
          rule.lookaheadCount, from: (matched.last ?? 0) + 1, match(rule.lookahead, definitions?.lookahead)),
        matchBacktrack(rule.backtrackCount, match(rule.backtrack, definitions?.backtrack))
      else { continue }
      applyCalls(at: rule.calls + 2, count: table.uint16(at: rule.calls))
      return true
    }
    return false
  }

  private mutating func applyChainedCoverages(_ subtable: Int, _ glyph: Int) -> Bool {
    let backtrackCount = table.uint16(at: subtable + 2)
    let input = subtable + 4 + backtrackCount * 2
    let inputCount = table.uint16(at: input)
    let lookahead = input + 2 + inputCount * 2
    let lookaheadCount = table.uint16(at: lookahead)
    let calls = lookahead + 2 + lookaheadCount * 2
    guard inputCount > 0, table.coverageIndex(at: subtable + table.uint16(at: input + 2), of: glyph) != nil,
      matchInput(inputCount, .coverages(at: input + 4, base: subtable)) != nil,
      matchLookahead(
        lookaheadCount, from: (matched.last ?? 0) + 1, .coverages(at: lookahead + 2, base: subtable)),
      matchBacktrack(backtrackCount, .coverages(at: subtable + 4, base: subtable))
    else { return false }
    applyCalls(at: calls + 2, count: table.uint16(at: calls))
    return true
  }

  /// Applies the nested lookups of a rule, each at a glyph of the sequence matched last, and moves past the sequence. A
  /// nested lookup can lengthen or shorten the sequence; the positions after it are shifted accordingly.
  private mutating func applyCalls(at records: Int, count callCount: Int) {
    // From here on, positions are relative to the start of the output.
    let shift = buffer.backtrackCount - buffer.index
    var positions = matched.map { $0 + shift }
    var end = (positions.last ?? 0) + 1
    for call in 0..<callCount where allowance > 0 {
      let index = table.uint16(at: records + call * 4)
      guard index < positions.count else { continue }
      let total = buffer.backtrackCount + buffer.lookaheadCount
      guard positions[index] < total else { continue }
      buffer.move(to: positions[index])
      allowance -= 1
      guard applyNested(table.uint16(at: records + call * 4 + 2)) else { continue }
      var delta = buffer.backtrackCount + buffer.lookaheadCount - total
      if delta == 0 { continue }
      end += delta
      if end < positions[index] {
        delta += positions[index] - end
        end = positions[index]
      }
      let next = index + 1
      if delta > 0 {
        guard positions.count + delta <= LookupApplication.maximumContextLength else { break }
        let added = (1...delta).map { positions[index] + $0 }
        for later in next..<max(positions.count, next) { positions[later] += delta }
        positions.insert(contentsOf: added, at: next)
      } else {
        // Glyphs consumed by a ligature are no longer in the sequence.
        let removed = min(-delta, positions.count - next)
        positions.removeSubrange(next..<next + removed)
        for later in next..<max(positions.count, next) { positions[later] -= removed }
      }
    }
    buffer.move(to: max(end, 0))
  }
}
