// Matching sequences of glyphs: which glyphs a lookup looks past, and what it compares the others with.

/// What a rule wants a glyph to be.
enum GlyphMatch {
  /// The glyphs of an array, by their numbers.
  case glyphs(at: Int)
  /// Classes of a definition, by an array of their numbers.
  case classes(at: Int, definition: Int)
  /// Coverages, by an array of their offsets from `base`.
  case coverages(at: Int, base: Int)

  /// Whether a glyph is what the entry of an index says.
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

/// What the search for the next glyph makes of one.
enum GlyphVisit {
  case taken, refused, skipped
}

extension LookupApplication {
  /// Whether a search looks past a glyph: yes, maybe (if it does not match), or no.
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

  /// Whether the current lookup always looks past a glyph in its input.
  func isPassedOver(_ info: GlyphInfo) -> Bool { skipping(info, flags: lookup.flags, isContext: false) == .yes }

  /// What becomes of a glyph that a search meets.
  ///
  /// - Parameter matches: whether the glyph is what is looked for; `nil` where everything is.
  @inline(__always)
  func visit(_ info: GlyphInfo, flags: Int, isContext: Bool, _ matches: Bool?) -> GlyphVisit {
    let skipping = skipping(info, flags: flags, isContext: isContext)
    if skipping == .yes { return .skipped }
    let isInReach = isContext || info.mask & planned.mask != 0
    if isInReach, matches ?? (skipping == .no) { return .taken }
    return skipping == .no ? .refused : .skipped
  }

  /// The position of the glyph after one that a lookup sees; `nil` when that does not match.
  mutating func next(after start: Int) -> Int? {
    var position = start + 1
    while position < buffer.count {
      budget -= 1
      switch visit(buffer.infos[position], flags: lookup.flags, isContext: false, nil) {
      case .taken: return position
      case .refused: return nil
      case .skipped: position += 1
      }
    }
    return nil
  }

  /// The position of the glyph before one, for positioning.
  mutating func previous(before start: Int, flags: Int) -> Int? {
    var position = start - 1
    while position >= 0 {
      budget -= 1
      switch visit(buffer.infos[position], flags: flags, isContext: false, nil) {
      case .taken: return position
      case .refused: return nil
      case .skipped: position -= 1
      }
    }
    return nil
  }

  /// Matches the glyphs after the next one.
  ///
  /// - Parameter count: the length of the sequence with the next glyph, which is taken to match.
  /// - Returns: the positions of all glyphs of the sequence and the number of their parts as a ligature.
  mutating func matchInput(_ count: Int, _ match: GlyphMatch) -> (positions: [Int], partCount: Int)? {
    guard count <= LookupApplication.maximumContextLength, count > 0 else { return nil }
    let first = buffer.infos[buffer.index]
    var positions = [buffer.index]
    var partCount = first.ligaturePartCount
    var baseMayBeSkipped: Bool?
    var position = buffer.index
    for index in 1..<max(count, 1) {
      search: while true {
        position += 1
        guard position < buffer.count else { return nil }
        budget -= 1
        let info = buffer.infos[position]
        let isMatch = match.matches(info.glyph, index - 1, in: table)
        switch visit(info, flags: lookup.flags, isContext: false, isMatch) {
        case .taken: break search
        case .refused: return nil
        case .skipped: continue
        }
      }
      let info = buffer.infos[position]
      if first.ligature != 0, first.ligaturePart != 0 {
        // Marks on one part of a ligature form ligatures among themselves only, unless the base that they sit on is one
        // that this lookup looks past.
        if first.ligature != info.ligature || first.ligaturePart != info.ligaturePart {
          let maySkip = baseMayBeSkipped ?? isBaseSkipped(ofLigature: first.ligature)
          baseMayBeSkipped = maySkip
          if !maySkip { return nil }
        }
      } else if info.ligature != 0, info.ligaturePart != 0, info.ligature != first.ligature {
        return nil
      }
      positions.append(position)
      partCount += info.ligaturePartCount
    }
    return (positions, partCount)
  }

  /// Whether the base of a ligature that lies before is looked past.
  private func isBaseSkipped(ofLigature ligature: UInt16) -> Bool {
    var position = buffer.backtrackCount
    while position > 0 {
      let info = buffer.backtrack(position - 1)
      guard info.ligature == ligature else { return false }
      if info.ligaturePart == 0 { return isPassedOver(info) }
      position -= 1
    }
    return false
  }

  /// Whether the glyphs before the next one are what a rule says, nearest first.
  mutating func matchBacktrack(_ count: Int, _ match: GlyphMatch) -> Bool {
    var position = buffer.backtrackCount
    for index in 0..<count {
      search: while true {
        position -= 1
        guard position >= 0 else { return false }
        budget -= 1
        let info = buffer.backtrack(position)
        let isMatch = match.matches(info.glyph, index, in: table)
        switch visit(info, flags: lookup.flags, isContext: true, isMatch) {
        case .taken: break search
        case .refused: return false
        case .skipped: continue
        }
      }
    }
    return true
  }

  /// Whether the glyphs from `start` on are what a rule says.
  mutating func matchLookahead(_ count: Int, from start: Int, _ match: GlyphMatch) -> Bool {
    var position = start - 1
    for index in 0..<count {
      search: while true {
        position += 1
        guard position < buffer.count else { return false }
        budget -= 1
        let info = buffer.infos[position]
        let isMatch = match.matches(info.glyph, index, in: table)
        switch visit(info, flags: lookup.flags, isContext: true, isMatch) {
        case .taken: break search
        case .refused: return false
        case .skipped: continue
        }
      }
    }
    return true
  }
}
