// The first reordering of Indic syllables: finds the base consonant and sorts the characters by their places around it.

internal import Fonts
internal import ImageCore

extension IndicShaping {
  /// Reorders all syllables before the basic features are applied.
  func reorderInitially(_ buffer: inout GlyphBuffer) {
    assignConsonantPlaces(&buffer)
    buffer.insertDottedCircles(
      circle, kind: Kind.broken, category: IndicCategory.dottedCircle.rawValue, place: IndicPlace.end.rawValue,
      after: IndicCategory.repha.rawValue)
    buffer.forEachSyllable { buffer, range, kind in
      switch kind {
      case Kind.consonant, Kind.vowel, Kind.standalone, Kind.broken: reorderInitially(&buffer, range)
      default: break
      }
    }
  }

  // MARK: Forms of consonants

  /// Assigns the places of the forms that consonants take after a halant in this font.
  private func assignConsonantPlaces(_ buffer: inout GlyphBuffer) {
    guard let virama else { return }
    var known: [Int: IndicPlace] = [:]
    for index in buffer.infos.indices where buffer.infos[index].place == IndicPlace.base.rawValue {
      let glyph = buffer.infos[index].glyph
      let place = known[glyph] ?? consonantPlace(glyph, virama: virama.index)
      known[glyph] = place
      buffer.infos[index].place = place.rawValue
    }
  }

  private func consonantPlace(_ glyph: Int, virama: Int) -> IndicPlace {
    // Lookups of either version of the specification are respected.
    func forms(_ feature: Tag) -> Bool {
      wouldSubstitute(feature, [virama, glyph]) || wouldSubstitute(feature, [glyph, virama])
    }
    if forms("blwf") || forms("vatu") { return .belowBase }
    return forms("pstf") || forms("pref") ? .postBase : .base
  }

  // MARK: Reordering

  private func reorderInitially(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    let (start, end) = (range.lowerBound, range.upperBound)
    // In Kannada, Ra, joiner, halant is spelled Ra, halant, joiner in older text.
    if script == "Knda", range.count >= 3, buffer.infos[start].isOf(.ra), buffer.infos[start + 1].isOf(.halant),
      buffer.infos[start + 2].isOf(.joiner)
    {
      buffer.mergeClusters(start + 1..<start + 3)
      buffer.infos.swapAt(start + 1, start + 2)
    }
    let (base, hasRepha) = findBase(buffer, range)
    for index in start..<base {
      buffer.infos[index].place = min(IndicPlace.preBase.rawValue, buffer.infos[index].place)
    }
    if base < end { buffer.infos[base].place = IndicPlace.base.rawValue }
    if hasRepha { buffer.infos[start].place = IndicPlace.reph.rawValue }
    if isOldStyle { moveHalant(&buffer, range, base: base) }
    attachMarks(&buffer, range)
    attachToPostBase(&buffer, range, base: base)
    let newBase = sort(&buffer, range)
    assignMasks(&buffer, range, base: newBase)
  }

  /// Finds the base: from the end, the first consonant that has no form below or after the base.
  private func findBase(_ buffer: GlyphBuffer, _ range: Range<Int>) -> (base: Int, hasRepha: Bool) {
    let (start, end) = (range.lowerBound, range.upperBound)
    let infos = buffer.infos
    var base = end
    var limit = start
    var hasRepha = false
    if startsWithRepha(buffer, range) {
      limit += 2
      hasRepha = true
    } else if rules.rephaSpelling == .character, infos[start].isOf(.repha) {
      limit += 1
      hasRepha = true
    }
    if hasRepha {
      while limit < end, isJoiner(infos[limit]) { limit += 1 }
      base = start
    }
    var hasBelow = false
    var index = end
    while index > limit {
      index -= 1
      if isConsonant(infos[index]) {
        let place = infos[index].place
        base = index
        if place != IndicPlace.belowBase.rawValue, place != IndicPlace.postBase.rawValue || hasBelow { break }
        if place == IndicPlace.belowBase.rawValue { hasBelow = true }
      } else if start < index, infos[index].isOf(.joiner), infos[index - 1].isOf(.halant) {
        // A joiner after a halant requests a half form before the base.
        break
      }
    }
    // Without another consonant, Ra is the base.
    if hasRepha, base == start, limit - base <= 2 { hasRepha = false }
    return (base, hasRepha)
  }

  private func startsWithRepha(_ buffer: GlyphBuffer, _ range: Range<Int>) -> Bool {
    guard plan.mask("rphf") != 0, range.count >= 3 else { return false }
    let glyphs = buffer.infos[range.prefix(3)].map { $0.glyph }
    let third = buffer.infos[range.lowerBound + 2]
    switch rules.rephaSpelling {
    case .implicit: return !isJoiner(third) && wouldSubstitute("rphf", [glyphs[0], glyphs[1]])
    case .explicit:
      return third.isOf(.joiner)
        && (wouldSubstitute("rphf", [glyphs[0], glyphs[1]]) || wouldSubstitute("rphf", glyphs))
    case .character: return false
    }
  }

  /// In old-style fonts, the first halant after the base follows the last consonant.
  private func moveHalant(_ buffer: inout GlyphBuffer, _ range: Range<Int>, base: Int) {
    let keepsDouble = script != "Knda"
    guard base < range.upperBound,
      let halant = (base + 1..<range.upperBound).first(where: { buffer.infos[$0].isOf(.halant) })
    else { return }
    let last = (halant + 1..<range.upperBound).last {
      isConsonant(buffer.infos[$0]) || !keepsDouble && buffer.infos[$0].isOf(.halant)
    }
    if let last, !buffer.infos[last].isOf(.halant) { buffer.moveGlyph(from: halant, to: last) }
  }

  /// Marks move with the glyph that they follow.
  private func attachMarks(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    let attached = CategorySet(.joiner, .nonJoiner, .nukta, .registerShifter, .medialConsonant, .halant)
    let start = range.lowerBound
    var last = IndicPlace.start.rawValue
    for index in range {
      let info = buffer.infos[index]
      if attached.contains(info) {
        buffer.infos[index].place = last
        // A halant does not move with a left vowel sign.
        if info.isOf(.halant), last == IndicPlace.preMatra.rawValue {
          var earlier = index
          while earlier > start {
            earlier -= 1
            if buffer.infos[earlier].place != IndicPlace.preMatra.rawValue {
              buffer.infos[index].place = buffer.infos[earlier].place
              break
            }
          }
        }
      } else if info.place != IndicPlace.modifiers.rawValue {
        if info.isOf(.postBaseVowelSign), index > start, buffer.infos[index - 1].isOf(.syllableModifier) {
          buffer.infos[index - 1].place = info.place
        }
        last = info.place
      }
    }
  }

  /// Consonants after the base own what precedes them, from the last consonant or vowel sign on.
  private func attachToPostBase(_ buffer: inout GlyphBuffer, _ range: Range<Int>, base: Int) {
    guard base < range.upperBound else { return }
    var last = base
    for index in base + 1..<range.upperBound {
      let info = buffer.infos[index]
      if isConsonant(info) {
        for earlier in last + 1..<max(index, last + 1)
        where buffer.infos[earlier].place < IndicPlace.modifiers.rawValue { buffer.infos[earlier].place = info.place }
        last = index
      } else if Self.vowelSigns.contains(info) {
        last = index
      }
    }
  }

  /// Sorts a syllable by place and returns the new position of the base.
  private func sort(_ buffer: inout GlyphBuffer, _ range: Range<Int>) -> Int {
    let (start, end) = (range.lowerBound, range.upperBound)
    var order = range.enumerated().map { ($0.offset, buffer.infos[$0.element]) }
    order.sort { ($0.1.place, $0.0) < ($1.1.place, $1.0) }
    for (index, element) in zip(range, order) { buffer.infos[index] = element.1 }
    var origins = order.map { start + $0.0 }
    let base = range.first { buffer.infos[$0].place == IndicPlace.base.rawValue } ?? end
    // Several left vowel signs are drawn from right to left.
    let left = range.filter { buffer.infos[$0].place == IndicPlace.preMatra.rawValue }
    if let first = left.first, let last = left.last, first < last {
      func reverse(_ part: Range<Int>) {
        buffer.reverse(part)
        origins[part.lowerBound - start..<part.upperBound - start].reverse()
      }
      reverse(first..<last + 1)
      var next = first
      for index in first...last where Self.vowelSigns.contains(buffer.infos[index]) {
        reverse(next..<index + 1)
        next = index + 1
      }
    }
    mergeSortedClusters(&buffer, range, base: base, origins)
    return base
  }

  /// Merges the clusters of glyphs from the base on that exchanged positions.
  private func mergeSortedClusters(_ buffer: inout GlyphBuffer, _ range: Range<Int>, base: Int, _ origins: [Int]) {
    let (start, end) = (range.lowerBound, range.upperBound)
    if isOldStyle || range.count > 127 {
      if base < end { buffer.mergeClusters(base..<end) }
      return
    }
    var isDone = [Bool](repeating: false, count: range.count)
    for index in base..<max(end, base) where !isDone[index - start] {
      var (low, high) = (index, index)
      var next = origins[index - start]
      while next != index {
        low = min(low, next)
        high = max(high, next)
        isDone[next - start] = true
        next = origins[next - start]
      }
      buffer.mergeClusters(max(base, low)..<high + 1)
    }
  }

  // MARK: Masks

  private func assignMasks(_ buffer: inout GlyphBuffer, _ range: Range<Int>, base: Int) {
    let (start, end) = (range.lowerBound, range.upperBound)
    for index in range {
      guard buffer.infos[index].place == IndicPlace.reph.rawValue else { break }
      buffer.infos[index].mask |= plan.mask("rphf")
    }
    var beforeBase = plan.mask("half")
    if !isOldStyle, !rules.hasPostBaseFormsOnly { beforeBase |= plan.mask("blwf") }
    for index in start..<base { buffer.infos[index].mask |= beforeBase }
    let afterBase = plan.mask("blwf") | plan.mask("abvf") | plan.mask("pstf")
    for index in range where index > base { buffer.infos[index].mask |= afterBase }
    // The below-base form of Ra can occur below half forms.
    if isOldStyle, script == "Deva", base > start {
      for index in start..<base - 1
      where buffer.infos[index].isOf(.ra) && buffer.infos[index + 1].isOf(.halant)
        && (index + 2 == base || !buffer.infos[index + 2].isOf(.joiner))
      {
        buffer.infos[index].mask |= plan.mask("blwf")
        buffer.infos[index + 1].mask |= plan.mask("blwf")
      }
    }
    if plan.mask("pref") != 0, base + 2 < end {
      // The first pair that forms a pre-base form.
      let pair = (base + 1..<end - 1).first { index in
        wouldSubstitute("pref", [buffer.infos[index].glyph, buffer.infos[index + 1].glyph])
      }
      if let pair {
        buffer.infos[pair].mask |= plan.mask("pref")
        buffer.infos[pair + 1].mask |= plan.mask("pref")
      }
    }
    // A non-joiner prevents half forms back to the last consonant.
    for index in range.dropFirst() where isJoiner(buffer.infos[index]) {
      guard buffer.infos[index].isOf(.nonJoiner) else { continue }
      var earlier = index
      repeat {
        earlier -= 1
        buffer.infos[earlier].mask &= ~plan.mask("half")
      } while earlier > start && !isConsonant(buffer.infos[earlier])
    }
  }
}
