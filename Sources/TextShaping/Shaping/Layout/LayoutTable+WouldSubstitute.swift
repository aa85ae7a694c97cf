// Whether a lookup would substitute a whole sequence of glyphs, without applying it.

internal import Fonts

extension LayoutTable {
  /// Whether a substitution lookup applies to exactly a sequence of glyphs.
  ///
  /// - Parameters:
  ///   - requiresNoContext: whether rules with backtrack or lookahead do not count.
  ///   - allowance: the remaining number of lookups, subtables and rules to examine; none applies once it is spent.
  func wouldSubstitute(_ index: Int, _ glyphs: [Int], requiresNoContext: Bool, allowance: inout Int) -> Bool {
    allowance -= 1
    guard index < lookups.count, let first = glyphs.first, lookups[index].digest.mayContain(first) else { return false }
    let lookup = lookups[index]
    return lookup.subtables.contains { subtable in
      wouldSubstitute(lookup.type, subtable, glyphs, requiresNoContext: requiresNoContext, &allowance)
    }
  }

  private func wouldSubstitute(
    _ type: Int, _ subtable: Int, _ glyphs: [Int], requiresNoContext: Bool, _ allowance: inout Int
  ) -> Bool {
    allowance -= 1
    guard allowance > 0 else { return false }
    let coverage = table.coverageIndex(at: subtable + table.uint16(at: subtable + 2), of: glyphs[0])
    switch type {
    case 1, 2, 3, 8: return glyphs.count == 1 && coverage != nil
    case 4:
      guard let coverage, coverage < table.uint16(at: subtable + 4) else { return false }
      let set = subtable + table.uint16(at: subtable + 6 + coverage * 2)
      return anyRule(of: set, &allowance) { ligature in
        table.uint16(at: ligature + 2) == glyphs.count && matches(glyphs, .glyphs(at: ligature + 4))
      }
    case 5: return wouldApplyContext(subtable, coverage, glyphs, &allowance)
    case 6:
      return wouldApplyChainedContext(subtable, coverage, glyphs, requiresNoContext: requiresNoContext, &allowance)
    default: return false
    }
  }

  private func anyRule(of set: Int, _ allowance: inout Int, _ matches: (Int) -> Bool) -> Bool {
    for number in 0..<table.uint16(at: set) {
      allowance -= 1
      if allowance <= 0 { return false }
      if matches(set + table.uint16(at: set + 2 + number * 2)) { return true }
    }
    return false
  }

  /// Whether the glyphs after the first match.
  private func matches(_ glyphs: [Int], _ match: GlyphMatch) -> Bool {
    glyphs.dropFirst().enumerated().allSatisfy { match.matches($0.element, $0.offset, in: table) }
  }

  private func wouldApplyContext(_ subtable: Int, _ coverage: Int?, _ glyphs: [Int], _ allowance: inout Int) -> Bool {
    switch table.uint16(at: subtable) {
    case 1, 2:
      guard let coverage else { return false }
      let usesClasses = table.uint16(at: subtable) == 2
      let definition = usesClasses ? subtable + table.uint16(at: subtable + 4) : 0
      let number = usesClasses ? table.glyphClass(at: definition, of: glyphs[0]) : coverage
      let sets = subtable + (usesClasses ? 6 : 4)
      guard number < table.uint16(at: sets), table.uint16(at: sets + 2 + number * 2) != 0 else { return false }
      return anyRule(of: subtable + table.uint16(at: sets + 2 + number * 2), &allowance) { rule in
        table.uint16(at: rule) == glyphs.count
          && matches(glyphs, usesClasses ? .classes(at: rule + 4, definition: definition) : .glyphs(at: rule + 4))
      }
    case 3:
      return table.uint16(at: subtable + 2) == glyphs.count
        && table.coverageIndex(at: subtable + table.uint16(at: subtable + 6), of: glyphs[0]) != nil
        && matches(glyphs, .coverages(at: subtable + 8, base: subtable))
    default: return false
    }
  }

  private func wouldApplyChainedContext(
    _ subtable: Int, _ coverage: Int?, _ glyphs: [Int], requiresNoContext: Bool, _ allowance: inout Int
  ) -> Bool {
    switch table.uint16(at: subtable) {
    case 1, 2:
      guard let coverage else { return false }
      let usesClasses = table.uint16(at: subtable) == 2
      let definition = usesClasses ? subtable + table.uint16(at: subtable + 6) : 0
      let number = usesClasses ? table.glyphClass(at: definition, of: glyphs[0]) : coverage
      let sets = subtable + (usesClasses ? 10 : 4)
      guard number < table.uint16(at: sets), table.uint16(at: sets + 2 + number * 2) != 0 else { return false }
      return anyRule(of: subtable + table.uint16(at: sets + 2 + number * 2), &allowance) { rule in
        let backtrackCount = table.uint16(at: rule)
        let input = rule + 2 + backtrackCount * 2
        let count = table.uint16(at: input)
        let lookaheadCount = table.uint16(at: input + 2 + max(0, count - 1) * 2)
        if requiresNoContext, backtrackCount > 0 || lookaheadCount > 0 { return false }
        return count == glyphs.count
          && matches(glyphs, usesClasses ? .classes(at: input + 2, definition: definition) : .glyphs(at: input + 2))
      }
    case 3:
      let backtrackCount = table.uint16(at: subtable + 2)
      let input = subtable + 4 + backtrackCount * 2
      let count = table.uint16(at: input)
      let lookaheadCount = table.uint16(at: input + 2 + count * 2)
      if requiresNoContext, backtrackCount > 0 || lookaheadCount > 0 { return false }
      return count == glyphs.count
        && table.coverageIndex(at: subtable + table.uint16(at: input + 2), of: glyphs[0]) != nil
        && matches(glyphs, .coverages(at: input + 4, base: subtable))
    default: return false
    }
  }
}
