// Substitutions: single, multiple, alternate, ligature and reverse chaining (GSUB types 1 to 4 and 8).

internal import Fonts

extension LookupApplication {
  /// Applies a subtable to the current glyph. Returns whether it matched.
  mutating func substitute(_ subtable: Int) -> Bool {
    switch lookup.type {
    case 5: return applyContext(subtable)
    case 6: return applyChainedContext(subtable)
    default: break
    }
    let glyph = buffer.infos[buffer.index].glyph
    guard let index = table.coverageIndex(at: subtable + table.uint16(at: subtable + 2), of: glyph) else {
      return false
    }
    switch lookup.type {
    case 1: return substituteSingle(subtable, glyph, index)
    case 2: return substituteMultiple(subtable, index)
    case 3: return substituteAlternate(subtable, index)
    case 4: return substituteLigature(subtable, index)
    case 8: return substituteReverse(subtable, index)
    default: return false
    }
  }

  private mutating func substituteSingle(_ subtable: Int, _ glyph: Int, _ index: Int) -> Bool {
    switch table.uint16(at: subtable) {
    case 1: replaceNext(by: (glyph + table.uint16(at: subtable + 4)) & 0xFFFF)
    case 2:
      guard index < table.uint16(at: subtable + 4) else { return false }
      replaceNext(by: table.uint16(at: subtable + 6 + index * 2))
    default: return false
    }
    return true
  }

  private mutating func substituteMultiple(_ subtable: Int, _ index: Int) -> Bool {
    guard table.uint16(at: subtable) == 1, index < table.uint16(at: subtable + 4) else { return false }
    let sequence = subtable + table.uint16(at: subtable + 6 + index * 2)
    let count = table.uint16(at: sequence)
    switch count {
    case 0: buffer.deleteNext()
    case 1: replaceNext(by: table.uint16(at: sequence + 2))
    default:
      guard mayAdd(count - 1) else { return false }
      allowance -= count
      let original = buffer.infos[buffer.index]
      let guess: GlyphProperties = original.properties.contains(.ligature) ? .base : []
      for part in 0..<count {
        var info = original
        if original.ligature == 0 {
          info.ligaturePart = UInt16(truncatingIfNeeded: part)
          info.partCount = 0
        }
        info.properties.formUnion(.multiplied)
        setGlyph(&info, table.uint16(at: sequence + 2 + part * 2), guess: guess)
        buffer.output.append(info)
      }
      buffer.index += 1
    }
    return true
  }

  private mutating func substituteAlternate(_ subtable: Int, _ index: Int) -> Bool {
    guard table.uint16(at: subtable) == 1, index < table.uint16(at: subtable + 4) else { return false }
    let set = subtable + table.uint16(at: subtable + 6 + index * 2)
    // The feature's value is the number of the alternate, from 1.
    let shift = UInt32(truncatingIfNeeded: planned.mask.trailingZeroBitCount)
    let value = Int((planned.mask & buffer.infos[buffer.index].mask) >> shift)
    guard value >= 1, value <= table.uint16(at: set) else { return false }
    replaceNext(by: table.uint16(at: set + value * 2))
    return true
  }

  private mutating func substituteReverse(_ subtable: Int, _ index: Int) -> Bool {
    // Reverse chaining neither calls other lookups nor can be called.
    guard nesting == 0, table.uint16(at: subtable) == 1 else { return false }
    let backtrackCount = table.uint16(at: subtable + 4)
    let lookahead = subtable + 6 + backtrackCount * 2
    let lookaheadCount = table.uint16(at: lookahead)
    let substitutes = lookahead + 2 + lookaheadCount * 2
    guard index < table.uint16(at: substitutes),
      matchBacktrack(backtrackCount, .coverages(at: subtable + 6, base: subtable)),
      matchLookahead(
        lookaheadCount, from: buffer.index + 1, .coverages(at: lookahead + 2, base: subtable))
    else { return false }
    setGlyph(&buffer.infos[buffer.index], table.uint16(at: substitutes + 2 + index * 2), guess: [])
    return true
  }

  private mutating func substituteLigature(_ subtable: Int, _ index: Int) -> Bool {
    guard table.uint16(at: subtable) == 1, index < table.uint16(at: subtable + 4) else { return false }
    let set = subtable + table.uint16(at: subtable + 6 + index * 2)
    for number in 0..<table.uint16(at: set) where allowance > 0 {
      allowance -= 1
      let ligature = set + table.uint16(at: set + 2 + number * 2)
      let count = table.uint16(at: ligature + 2)
      if count == 1 {
        replaceNext(by: table.uint16(at: ligature))
        return true
      }
      guard let partCount = matchInput(count, .glyphs(at: ligature + 4)) else { continue }
      formLigature(table.uint16(at: ligature), matched, partCount: partCount)
      return true
    }
    return false
  }

  /// Replaces several glyphs with one. Marks between them remain, and record the component of the ligature that they
  /// belong to.
  private mutating func formLigature(_ glyph: Int, _ positions: [Int], partCount: Int) {
    buffer.mergeClusters(positions[0]..<positions[positions.count - 1] + 1)
    // A base with marks remains a base, and marks alone remain a mark; only several bases form a ligature.
    let hasOnlyMarksAfterFirst = positions.dropFirst().allSatisfy { buffer.infos[$0].properties.contains(.mark) }
    let first = buffer.infos[buffer.index]
    let isMark = first.properties.contains(.mark) && hasOnlyMarksAfterFirst
    let isLigature = !isMark && !(first.properties.contains(.base) && hasOnlyMarksAfterFirst)
    let number = isLigature ? buffer.makeLigatureNumber() : 0
    var last = (ligature: first.ligature, parts: first.ligaturePartCount)
    var partsSoFar = last.parts
    var info = first
    if isLigature {
      info.ligature = number
      info.ligaturePart = 0
      info.partCount = UInt16(clamping: partCount)
      info.traits.remove(.nonspacingMark)
    }
    info.properties.formUnion(.ligated)
    info.properties.subtract(.multiplied)
    setGlyph(&info, glyph, guess: isLigature ? .ligature : [])
    buffer.output.append(info)
    buffer.index += 1
    for position in positions.dropFirst() {
      while buffer.index < position {
        if isLigature {
          let part = partInLigature(of: buffer.infos[buffer.index], last.parts, partsSoFar)
          setPart(part, ofLigature: number, at: buffer.index)
        }
        buffer.advance()
      }
      let component = buffer.infos[buffer.index]
      last = (component.ligature, component.ligaturePartCount)
      partsSoFar += last.parts
      buffer.index += 1
    }
    if isMark || last.ligature == 0 { return }
    // If the last component is itself a ligature, the marks after it move to the new ligature.
    var position = buffer.index
    while position < buffer.count, buffer.infos[position].ligature == last.ligature,
      buffer.infos[position].ligaturePart != 0
    {
      let part = partInLigature(of: buffer.infos[position], last.parts, partsSoFar)
      setPart(part, ofLigature: number, at: position)
      position += 1
    }
  }

  private func partInLigature(of mark: GlyphInfo, _ lastParts: Int, _ partsSoFar: Int) -> Int {
    let own = mark.isLigatureBase || mark.ligaturePart == 0 ? lastParts : Int(mark.ligaturePart)
    return partsSoFar - lastParts + min(own, lastParts)
  }

  private mutating func setPart(_ part: Int, ofLigature ligature: UInt16, at position: Int) {
    buffer.infos[position].ligature = ligature
    buffer.infos[position].ligaturePart = UInt16(clamping: part)
    buffer.infos[position].partCount = 0
  }

  private mutating func replaceNext(by glyph: Int) {
    var info = buffer.infos[buffer.index]
    setGlyph(&info, glyph, guess: [])
    if buffer.hasOutput {
      buffer.output.append(info)
    } else {
      buffer.infos[buffer.index] = info
    }
    buffer.index += 1
  }

  /// Assigns a new glyph and its class; in fonts without classes, the guess.
  private func setGlyph(_ info: inout GlyphInfo, _ glyph: Int, guess: GlyphProperties) {
    info.glyph = glyph
    info.properties.formUnion(.substituted)
    let history = info.properties.intersection(.history)
    if definitions.hasGlyphClasses {
      info.properties = definitions.properties(of: glyph).union(history)
    } else if !guess.isEmpty {
      info.properties = guess.union(history)
    }
  }
}
