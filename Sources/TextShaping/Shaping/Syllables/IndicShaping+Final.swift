// The final reordering of Indic syllables, according to the forms that the font made of them: left vowel signs, the
// repha and pre-base consonants.

internal import Fonts
internal import ImageCore

extension IndicShaping {
  /// Reorders all syllables after the basic features have been applied.
  func reorderFinally(_ buffer: inout GlyphBuffer) {
    buffer.forEachSyllable { buffer, range, _ in reorderFinally(&buffer, range) }
  }

  private func reorderFinally(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    let start = range.lowerBound
    restoreHalants(&buffer, range)
    var triesPreBase = plan.mask("pref") != 0
    var base = findBase(&buffer, range, &triesPreBase)
    moveLeftVowelSigns(&buffer, range, &base)
    moveRepha(&buffer, range, &base)
    if triesPreBase, base + 1 < range.upperBound { movePreBaseConsonant(&buffer, range, &base) }
    if buffer.infos[start].place == IndicPlace.preMatra.rawValue, isWordStart(buffer, start) {
      buffer.infos[start].mask |= plan.mask("init")
    }
  }

  /// A halant that was ligated and separated again is a halant.
  private func restoreHalants(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    guard let virama else { return }
    for index in range {
      let info = buffer.infos[index]
      if info.glyph == virama.index, info.properties.contains([.ligated, .multiplied]) {
        buffer.infos[index].category = IndicCategory.halant.rawValue
        buffer.infos[index].properties.subtract([.ligated, .multiplied])
      }
    }
  }

  private func findBase(_ buffer: inout GlyphBuffer, _ range: Range<Int>, _ triesPreBase: inout Bool) -> Int {
    let (start, end) = (range.lowerBound, range.upperBound)
    var base = range.first { buffer.infos[$0].place >= IndicPlace.base.rawValue } ?? end
    if base < end {
      if triesPreBase { skipUnformedPreBase(&buffer, end: end, &base, &triesPreBase) }
      if base < end {
        if script == "Mlym" { skipUnformedBelowBase(&buffer, end: end, &base) }
        if start < base, buffer.infos[base].place > IndicPlace.base.rawValue { base -= 1 }
      }
    }
    if base == end, start < base, !buffer.infos[base - 1].isLigated, buffer.infos[base - 1].isOf(.joiner) { base -= 1 }
    if base < end {
      while start < base, !buffer.infos[base].isLigated,
        buffer.infos[base].isOf(.nukta) || buffer.infos[base].isOf(.halant)
      { base -= 1 }
    }
    return base
  }

  /// A consonant that the font did not turn into a pre-base form is the base.
  private func skipUnformedPreBase(
    _ buffer: inout GlyphBuffer, end: Int, _ base: inout Int, _ triesPreBase: inout Bool
  ) {
    let mask = plan.mask("pref")
    guard base + 1 < end, let candidate = (base + 1..<end).first(where: { buffer.infos[$0].mask & mask != 0 }) else {
      return
    }
    let info = buffer.infos[candidate]
    guard !(info.properties.contains(.substituted) && info.isLigatedOnly) else { return }
    base = candidate
    while base < end, isHalant(buffer.infos[base]) { base += 1 }
    if base < end { buffer.infos[base].place = IndicPlace.base.rawValue }
    triesPreBase = false
  }

  /// In Malayalam, the base follows below-base consonants that the font did not form.
  private func skipUnformedBelowBase(_ buffer: inout GlyphBuffer, end: Int, _ base: inout Int) {
    var index = base + 1
    while index < end {
      while index < end, isJoiner(buffer.infos[index]) { index += 1 }
      guard index < end, isHalant(buffer.infos[index]) else { break }
      index += 1
      while index < end, isJoiner(buffer.infos[index]) { index += 1 }
      if index < end, isConsonant(buffer.infos[index]),
        buffer.infos[index].place == IndicPlace.belowBase.rawValue
      {
        base = index
        buffer.infos[base].place = IndicPlace.base.rawValue
      }
      index += 1
    }
  }

  // MARK: Left vowel signs

  /// Moves left vowel signs after the last standalone halant before the base.
  private func moveLeftVowelSigns(_ buffer: inout GlyphBuffer, _ range: Range<Int>, _ base: inout Int) {
    let (start, end) = (range.lowerBound, range.upperBound)
    guard range.count > 1, start < base else { return }
    var target = base == end ? base - 2 : base - 1
    // Half forms of Malayalam and Tamil are letters.
    if script != "Mlym", script != "Taml" {
      while true {
        while target > start,
          buffer.infos[target].isLigated || !Self.vowelSignsAndHalants.contains(buffer.infos[target])
        { target -= 1 }
        guard isHalant(buffer.infos[target]), buffer.infos[target].place != IndicPlace.preMatra.rawValue else {
          target = start
          break
        }
        // A vowel sign does not follow a halant with a joiner.
        guard target + 1 < end, buffer.infos[target + 1].isOf(.joiner), target > start else { break }
        target -= 1
      }
    }
    let preMatra = IndicPlace.preMatra.rawValue
    if start < target, buffer.infos[target].place != preMatra {
      var index = target
      while index > start {
        if buffer.infos[index - 1].place == preMatra {
          let old = index - 1
          if old < base, base <= target { base -= 1 }
          buffer.moveGlyph(from: old, to: target)
          // The order of these steps is intended: the vowel sign joins the cluster of the base.
          buffer.mergeClusters(target..<max(min(end, base + 1), target))
          target -= 1
        }
        index -= 1
      }
    } else if let first = (start..<base).first(where: { buffer.infos[$0].place == preMatra }) {
      buffer.mergeClusters(first..<min(end, base + 1))
    }
  }

  // MARK: Repha

  private func moveRepha(_ buffer: inout GlyphBuffer, _ range: Range<Int>, _ base: inout Int) {
    let start = range.lowerBound
    let info = buffer.infos[start]
    // A repha that is spelled moves if the font formed it; one that is a character moves if the font left it alone.
    guard range.count > 1, info.place == IndicPlace.reph.rawValue, info.isOf(.repha) != info.isLigatedOnly else {
      return
    }
    let target = rephaTarget(buffer, range, base: base)
    buffer.mergeClusters(start..<target + 1)
    buffer.moveGlyph(from: start, to: target)
    if start < base, base <= target { base -= 1 }
  }

  private func rephaTarget(_ buffer: GlyphBuffer, _ range: Range<Int>, base: Int) -> Int {
    let (start, end) = (range.lowerBound, range.upperBound)
    // After the first explicit halant before the base.
    if start + 1 < base, let halant = (start + 1..<base).first(where: { isHalant(buffer.infos[$0]) }) {
      return halant + 1 < base && isJoiner(buffer.infos[halant + 1]) ? halant + 1 : halant
    }
    if base < end {
      var target = base
      if rules.rephaPlace == .afterMain {
        while target + 1 < end, buffer.infos[target + 1].place <= IndicPlace.afterMain.rawValue { target += 1 }
        return target
      }
      if rules.rephaPlace == .afterSub {
        let later: [IndicPlace] = [.postBase, .afterPost, .modifiers]
        while target + 1 < end, !later.contains(where: { $0.rawValue == buffer.infos[target + 1].place }) {
          target += 1
        }
        return target
      }
    }
    // At the end, before modifiers.
    var target = end - 1
    while target > start, buffer.infos[target].place == IndicPlace.modifiers.rawValue { target -= 1 }
    // A halant after a vowel sign stays at the end.
    if isHalant(buffer.infos[target]) {
      var index = base + 1
      while index < target {
        if Self.vowelSigns.contains(buffer.infos[index]) { target -= 1 }
        index += 1
      }
    }
    return target
  }

  // MARK: Pre-base consonants

  private func movePreBaseConsonant(_ buffer: inout GlyphBuffer, _ range: Range<Int>, _ base: inout Int) {
    let (start, end) = (range.lowerBound, range.upperBound)
    let mask = plan.mask("pref")
    guard let index = (base + 1..<end).first(where: { buffer.infos[$0].mask & mask != 0 }),
      buffer.infos[index].isLigatedOnly
    else { return }
    var target = base
    if script != "Mlym", script != "Taml" {
      while target > start,
        buffer.infos[target - 1].isLigated || !Self.vowelSignsAndHalants.contains(buffer.infos[target - 1])
      { target -= 1 }
    }
    if target > start, isHalant(buffer.infos[target - 1]), target < end, isJoiner(buffer.infos[target]) {
      target += 1
    }
    buffer.mergeClusters(target..<index + 1)
    buffer.moveGlyph(from: index, to: target)
    if target <= base, base < index { base += 1 }
  }

  /// Whether no letter or mark precedes a syllable.
  private func isWordStart(_ buffer: GlyphBuffer, _ start: Int) -> Bool {
    guard start > 0, let scalar = Unicode.Scalar(buffer.infos[start - 1].character) else { return true }
    switch scalar.properties.generalCategory {
    case .format, .unassigned, .privateUse, .surrogate, .lowercaseLetter, .modifierLetter, .otherLetter,
      .titlecaseLetter, .uppercaseLetter, .spacingMark, .enclosingMark, .nonspacingMark:
      return false
    default: return true
    }
  }
}
