// Matching of glyph sequences: which glyphs a lookup skips, and how the others are compared.

internal import Fonts

/// The condition that a contextual rule sets for each glyph of its sequence.
enum GlyphMatch {
  /// Glyph IDs from an array.
  case glyphs(at: Int)
  /// Classes from an array, in terms of a class definition.
  case classes(at: Int, definition: Int)
  /// Coverage tables, from an array of offsets relative to `base`.
  case coverages(at: Int, base: Int)

  /// Whether a glyph matches the entry with an index.
  @inline(__always)
  func matches(_ glyph: Int, _ index: Int, in table: TableBytes) -> Bool {
    switch self {
    case .glyphs(let offset): table.uint16(at: offset &+ index &* 2) == glyph
    case .classes(let offset, let definition):
      table.uint16(at: offset &+ index &* 2) == table.glyphClass(at: definition, of: glyph)
    case .coverages(let offset, let base):
      table.coverageIndex(at: base &+ table.uint16(at: offset &+ index &* 2), of: glyph) != nil
    }
  }
}

/// The outcome of visiting a glyph during a search.
enum GlyphVisit {
  case taken, refused, skipped
}

extension LookupApplication {
  /// Whether a search skips a glyph: always, only if it does not match, or never.
  private enum Skipping {
    case yes, maybe, no
  }

  @inline(__always)
  private func skipping(_ info: GlyphInfo, flags: Int, isContext: Bool) -> Skipping {
    if !isSeen(info, flags: flags) { return .yes }
    guard info.isSkippable else { return .no }
    let skipsNonJoiners = isPositioning || (isContext && planned.skipsNonJoiners)
    let skipsJoiners = isContext || planned.skipsJoiners
    if info.traits.contains(.nonJoiner), !skipsNonJoiners { return .no }
    if info.traits.contains(.joiner), !skipsJoiners { return .no }
    return .maybe
  }

  /// Whether the current lookup always skips a glyph in its input.
  func isPassedOver(_ info: GlyphInfo) -> Bool { skipping(info, flags: lookup.flags, isContext: false) == .yes }

  /// Determines the outcome of visiting a glyph.
  ///
  /// - Parameters:
  ///   - syllable: the syllable that the glyph has to belong to; 0 if any will do.
  ///   - matches: whether the glyph matches; `nil` if anything does.
  @inline(__always)
  func visit(_ info: GlyphInfo, flags: Int, isContext: Bool, syllable: Int32 = 0, _ matches: Bool?) -> GlyphVisit {
    let skipping = skipping(info, flags: flags, isContext: isContext)
    if skipping == .yes { return .skipped }
    let isInReach = (isContext || info.mask & planned.mask != 0) && (syllable == 0 || syllable == info.syllable)
    if isInReach, matches ?? (skipping == .no) { return .taken }
    return skipping == .no ? .refused : .skipped
  }

  /// The syllable to which a search from a position is confined; 0 if it is not. As in other shapers, contexts are
  /// confined only if the search starts at the current glyph.
  @inline(__always)
  private func syllable(from start: Int) -> Int32 {
    !isPositioning && planned.isPerSyllable && start == buffer.index && buffer.index < buffer.count
      ? buffer.infos[buffer.index].syllable : 0
  }

  /// The position of the next glyph that the lookup does not skip; `nil` if it does not match.
  mutating func next(after start: Int) -> Int? {
    let (position, isTaken) = search(after: start)
    return isTaken ? position : nil
  }

  /// The position of the next glyph that the lookup does not skip, or the end, and whether it matches. Searches that
  /// start at the glyphs between end there, too.
  mutating func search(after start: Int) -> (position: Int, isTaken: Bool) {
    var position = start + 1
    while position < buffer.count {
      allowance -= 1
      switch visit(buffer.infos[position], flags: lookup.flags, isContext: false, nil) {
      case .taken: return (position, true)
      case .refused: return (position, false)
      case .skipped: position += 1
      }
    }
    return (position, false)
  }

  /// The position of the previous glyph that the lookup does not skip, for positioning.
  mutating func previous(before start: Int, flags: Int) -> Int? {
    var position = start - 1
    while position >= 0 {
      allowance -= 1
      switch visit(buffer.infos[position], flags: flags, isContext: false, nil) {
      case .taken: return position
      case .refused: return nil
      case .skipped: position -= 1
      }
    }
    return nil
  }

  /// Matches the glyphs after the current one.
  ///
  /// - Parameter count: the length of the sequence, including the current glyph, which is assumed to match.
  /// - Returns: the number of ligature components that the sequence represents; `nil` if it does not match. The
  ///   positions of its glyphs are in ``matched``.
  mutating func matchInput(_ count: Int, _ match: GlyphMatch) -> Int? {
    guard count <= LookupApplication.maximumContextLength, count > 0 else { return nil }
    let first = buffer.infos[buffer.index]
    matched.removeAll(keepingCapacity: true)
    matched.append(buffer.index)
    var partCount = first.ligaturePartCount
    var baseMayBeSkipped: Bool?
    var position = buffer.index
    let syllable = syllable(from: position)
    for index in 1..<max(count, 1) {
      search: while true {
        position += 1
        guard position < buffer.count else { return nil }
        allowance -= 1
        let info = buffer.infos[position]
        let isMatch = match.matches(info.glyph, index - 1, in: table)
        switch visit(info, flags: lookup.flags, isContext: false, syllable: syllable, isMatch) {
        case .taken: break search
        case .refused: return nil
        case .skipped: continue
        }
      }
      let info = buffer.infos[position]
      if first.ligature != 0, first.ligaturePart != 0 {
        // Marks on the same component of a ligature can form ligatures only among themselves, unless the lookup skips
        // their base.
        if first.ligature != info.ligature || first.ligaturePart != info.ligaturePart {
          let maySkip = baseMayBeSkipped ?? isBaseSkipped(ofLigature: first.ligature)
          baseMayBeSkipped = maySkip
          if !maySkip { return nil }
        }
      } else if info.ligature != 0, info.ligaturePart != 0, info.ligature != first.ligature {
        return nil
      }
      matched.append(position)
      partCount += info.ligaturePartCount
    }
    return partCount
  }

  /// Whether the lookup skips the base of an earlier ligature.
  private mutating func isBaseSkipped(ofLigature ligature: UInt16) -> Bool {
    var position = buffer.backtrackCount
    while position > 0 {
      allowance -= 1
      let info = buffer.backtrack(position - 1)
      guard info.ligature == ligature else { return false }
      if info.ligaturePart == 0 { return isPassedOver(info) }
      position -= 1
    }
    return false
  }

  /// Whether the glyphs before the current one match a rule, nearest first.
  mutating func matchBacktrack(_ count: Int, _ match: GlyphMatch) -> Bool {
    var position = buffer.backtrackCount
    let syllable = syllable(from: position)
    for index in 0..<count {
      search: while true {
        position -= 1
        guard position >= 0 else { return false }
        allowance -= 1
        let info = buffer.backtrack(position)
        let isMatch = match.matches(info.glyph, index, in: table)
        switch visit(info, flags: lookup.flags, isContext: true, syllable: syllable, isMatch) {
        case .taken: break search
        case .refused: return false
        case .skipped: continue
        }
      }
    }
    return true
  }

  /// Whether the glyphs starting at `start` match a rule.
  mutating func matchLookahead(_ count: Int, from start: Int, _ match: GlyphMatch) -> Bool {
    var position = start - 1
    let syllable = syllable(from: position)
    for index in 0..<count {
      search: while true {
        position += 1
        guard position < buffer.count else { return false }
        allowance -= 1
        let info = buffer.infos[position]
        let isMatch = match.matches(info.glyph, index, in: table)
        switch visit(info, flags: lookup.flags, isContext: true, syllable: syllable, isMatch) {
        case .taken: break search
        case .refused: return false
        case .skipped: continue
        }
      }
    }
    return true
  }
}
