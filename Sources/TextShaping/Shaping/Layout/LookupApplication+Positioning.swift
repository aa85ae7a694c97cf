// Positioning of single glyphs and pairs, cursive attachment and mark attachment (GPOS types 1 to 6).

internal import Fonts

extension LookupApplication {
  /// Applies a subtable to the current glyph. Returns whether it matched.
  mutating func position(_ subtable: Int) -> Bool {
    switch lookup.type {
    case 7: return applyContext(subtable)
    case 8: return applyChainedContext(subtable)
    default: break
    }
    let glyph = buffer.infos[buffer.index].glyph
    guard let index = table.coverageIndex(at: subtable + table.uint16(at: subtable + 2), of: glyph) else {
      return false
    }
    switch lookup.type {
    case 1: return positionSingle(subtable, index)
    case 2: return positionPair(subtable, glyph, index)
    case 3: return connectStrokes(subtable, index)
    case 4: return attachMarkToBase(subtable, index)
    case 5: return attachMarkToLigature(subtable, index)
    case 6: return attachMarkToMark(subtable, index)
    default: return false
    }
  }

  // MARK: Values

  /// The size of a value record in bytes.
  private func valueSize(_ format: Int) -> Int { (format & 0xFF).nonzeroBitCount * 2 }

  /// Adds a value record to a glyph's position.
  private mutating func addValue(_ format: Int, at offset: Int, base: Int, to position: Int) {
    var place = offset
    func take(_ bit: Int) -> Int? {
      guard format & bit != 0 else { return nil }
      defer { place += 2 }
      return table.int16(at: place)
    }
    let x = take(0x01)
    let y = take(0x02)
    let xAdvance = take(0x04)
    let yAdvance = take(0x08)
    buffer.positions[position].xOffset += x ?? 0
    buffer.positions[position].yOffset += y ?? 0
    // The advance perpendicular to the text direction is ignored.
    if direction.isHorizontal {
      buffer.positions[position].xAdvance += xAdvance ?? 0
    } else {
      buffer.positions[position].yAdvance -= yAdvance ?? 0
    }
    guard format & 0xF0 != 0, !coordinates.isEmpty else { return }
    func takeDelta(_ bit: Int) -> Int {
      guard format & bit != 0 else { return 0 }
      defer { place += 2 }
      let device = table.uint16(at: place)
      return device == 0 ? 0 : variation(ofDeviceAt: base + device)
    }
    buffer.positions[position].xOffset += takeDelta(0x10)
    buffer.positions[position].yOffset += takeDelta(0x20)
    let xDelta = takeDelta(0x40)
    let yDelta = takeDelta(0x80)
    if direction.isHorizontal {
      buffer.positions[position].xAdvance += xDelta
    } else {
      buffer.positions[position].yAdvance -= yDelta
    }
  }

  /// The variation delta of a number. Device tables in the narrower sense adjust pixels and are ignored.
  private mutating func variation(ofDeviceAt offset: Int) -> Int {
    guard table.uint16(at: offset + 4) == 0x8000, let store = definitions.variationStore else { return 0 }
    var work = 0
    let delta = store.delta(
      outer: table.uint16(at: offset), inner: table.uint16(at: offset + 2), coordinates: coordinates, work: &work)
    allowance -= work / Self.workPerOperation
    return Int(exactly: delta.rounded()) ?? 0
  }

  private mutating func positionSingle(_ subtable: Int, _ index: Int) -> Bool {
    let format = table.uint16(at: subtable + 4)
    switch table.uint16(at: subtable) {
    case 1: addValue(format, at: subtable + 6, base: subtable, to: buffer.index)
    case 2:
      guard index < table.uint16(at: subtable + 6) else { return false }
      addValue(format, at: subtable + 8 + index * valueSize(format), base: subtable, to: buffer.index)
    default: return false
    }
    buffer.index += 1
    return true
  }

  // MARK: Pairs

  private mutating func positionPair(_ subtable: Int, _ glyph: Int, _ index: Int) -> Bool {
    guard let second = next(after: buffer.index) else { return false }
    let formats = (table.uint16(at: subtable + 4), table.uint16(at: subtable + 6))
    let sizes = (valueSize(formats.0), valueSize(formats.1))
    let secondGlyph = buffer.infos[second].glyph
    let values: Int
    let base: Int
    switch table.uint16(at: subtable) {
    case 1:
      guard index < table.uint16(at: subtable + 8) else { return false }
      let set = subtable + table.uint16(at: subtable + 10 + index * 2)
      let stride = 2 + sizes.0 + sizes.1
      guard
        let found = table.binarySearch(secondGlyph, count: table.uint16(at: set), at: set + 2, stride: stride)
      else { return false }
      values = set + 2 + found * stride + 2
      base = set
    case 2:
      let firstClass = table.glyphClass(at: subtable + table.uint16(at: subtable + 8), of: glyph)
      let secondClass = table.glyphClass(at: subtable + table.uint16(at: subtable + 10), of: secondGlyph)
      let secondCount = table.uint16(at: subtable + 14)
      guard firstClass < table.uint16(at: subtable + 12), secondClass > 0, secondClass < secondCount else {
        return false
      }
      values = subtable + 16 + (firstClass * secondCount + secondClass) * (sizes.0 + sizes.1)
      base = subtable
    default: return false
    }
    addValue(formats.0, at: values, base: base, to: buffer.index)
    addValue(formats.1, at: values + sizes.0, base: base, to: second)
    // If the second glyph was moved, it is not the first of the next pair.
    buffer.index = formats.1 == 0 ? second : second + 1
    return true
  }

  // MARK: Anchors

  /// Parses an anchor point, in font units.
  private mutating func anchor(at offset: Int) -> (x: Int, y: Int) {
    var x = table.int16(at: offset + 2)
    var y = table.int16(at: offset + 4)
    if table.uint16(at: offset) == 3, !coordinates.isEmpty {
      let (xDevice, yDevice) = (table.uint16(at: offset + 6), table.uint16(at: offset + 8))
      if xDevice != 0 { x += variation(ofDeviceAt: offset + xDevice) }
      if yDevice != 0 { y += variation(ofDeviceAt: offset + yDevice) }
    }
    return (x, y)
  }

  /// Attaches the current glyph, a mark, to the glyph at `target`.
  ///
  /// - Parameters:
  ///   - marks: the offset of the mark array, with classes and anchors.
  ///   - anchors: the offset of an array with one anchor per class.
  ///   - base: the base of the offsets in that array.
  private mutating func attach(
    mark index: Int, marks: Int, anchors: Int, base: Int, classCount: Int, to target: Int
  ) -> Bool {
    guard index < table.uint16(at: marks) else { return false }
    let record = marks + 2 + index * 4
    let markClass = table.uint16(at: record)
    guard markClass < classCount else { return false }
    let targetAnchor = table.uint16(at: anchors + markClass * 2)
    // Another subtable may have an anchor if this one has none.
    guard targetAnchor != 0 else { return false }
    let own = anchor(at: marks + table.uint16(at: record + 2))
    let other = anchor(at: base + targetAnchor)
    buffer.positions[buffer.index].xOffset = other.x - own.x
    buffer.positions[buffer.index].yOffset = other.y - own.y
    buffer.positions[buffer.index].attachment = target - buffer.index
    buffer.positions[buffer.index].isCursive = false
    buffer.index += 1
    return true
  }

  private mutating func attachMarkToBase(_ subtable: Int, _ index: Int) -> Bool {
    guard table.uint16(at: subtable) == 1 else { return false }
    let bases = subtable + table.uint16(at: subtable + 4)
    var position = buffer.index - 1
    while position >= 0 {
      allowance -= 1
      let info = buffer.infos[position]
      let visit = visit(info, flags: Lookup.Flag.ignoresMarks, isContext: false, nil)
      if visit == .refused { return false }
      if visit == .taken {
        let isBase = isFirstOfSequence(position) || table.coverageIndex(at: bases, of: info.glyph) != nil
        if isBase { break }
      }
      position -= 1
    }
    guard position >= 0, let base = table.coverageIndex(at: bases, of: buffer.infos[position].glyph) else {
      return false
    }
    let classCount = table.uint16(at: subtable + 6)
    let array = subtable + table.uint16(at: subtable + 10)
    guard base < table.uint16(at: array) else { return false }
    return attach(
      mark: index, marks: subtable + table.uint16(at: subtable + 8), anchors: array + 2 + base * classCount * 2,
      base: array, classCount: classCount, to: position)
  }

  /// Whether a glyph is not a later part of a multiple substitution: marks attach to the first part.
  private func isFirstOfSequence(_ position: Int) -> Bool {
    let info = buffer.infos[position]
    guard info.properties.contains(.multiplied), info.ligaturePart != 0, position > 0 else { return true }
    let before = buffer.infos[position - 1]
    return before.properties.contains(.mark) || !before.properties.contains(.multiplied)
      || before.ligature != info.ligature || info.ligaturePart != before.ligaturePart + 1
  }

  private mutating func attachMarkToLigature(_ subtable: Int, _ index: Int) -> Bool {
    guard table.uint16(at: subtable) == 1,
      let position = previous(before: buffer.index, flags: Lookup.Flag.ignoresMarks)
    else { return false }
    let ligatures = subtable + table.uint16(at: subtable + 4)
    let info = buffer.infos[position]
    let array = subtable + table.uint16(at: subtable + 10)
    guard let number = table.coverageIndex(at: ligatures, of: info.glyph), number < table.uint16(at: array) else {
      return false
    }
    let ligature = array + table.uint16(at: array + 2 + number * 2)
    let partCount = table.uint16(at: ligature)
    guard partCount > 0 else { return false }
    // A mark with a known component attaches to it; any other attaches to the last component.
    let mark = buffer.infos[buffer.index]
    let knowsPart = info.ligature != 0 && info.ligature == mark.ligature && mark.ligaturePart > 0
    let part = knowsPart ? min(partCount, Int(mark.ligaturePart)) - 1 : partCount - 1
    let classCount = table.uint16(at: subtable + 6)
    return attach(
      mark: index, marks: subtable + table.uint16(at: subtable + 8),
      anchors: ligature + 2 + part * classCount * 2, base: ligature, classCount: classCount, to: position)
  }

  private mutating func attachMarkToMark(_ subtable: Int, _ index: Int) -> Bool {
    guard table.uint16(at: subtable) == 1,
      let position = previous(before: buffer.index, flags: lookup.flags & ~Lookup.Flag.ignored)
    else { return false }
    let (mark, below) = (buffer.infos[buffer.index], buffer.infos[position])
    guard below.properties.contains(.mark) else { return false }
    if mark.ligature == below.ligature {
      // Both marks are on the same base or on the same component of a ligature.
      guard mark.ligature == 0 || mark.ligaturePart == below.ligaturePart else { return false }
    } else {
      // One of the marks may itself be a ligature.
      guard
        (mark.ligature != 0 && mark.ligaturePart == 0) || (below.ligature != 0 && below.ligaturePart == 0)
      else { return false }
    }
    let array = subtable + table.uint16(at: subtable + 10)
    guard let number = table.coverageIndex(at: subtable + table.uint16(at: subtable + 4), of: below.glyph),
      number < table.uint16(at: array)
    else { return false }
    let classCount = table.uint16(at: subtable + 6)
    return attach(
      mark: index, marks: subtable + table.uint16(at: subtable + 8), anchors: array + 2 + number * classCount * 2,
      base: array, classCount: classCount, to: position)
  }

  // MARK: Cursive attachment

  private mutating func connectStrokes(_ subtable: Int, _ index: Int) -> Bool {
    guard table.uint16(at: subtable) == 1, index < table.uint16(at: subtable + 4) else { return false }
    let entry = table.uint16(at: subtable + 6 + index * 4)
    guard entry != 0, let previous = previous(before: buffer.index, flags: lookup.flags),
      let other = table.coverageIndex(
        at: subtable + table.uint16(at: subtable + 2), of: buffer.infos[previous].glyph),
      other < table.uint16(at: subtable + 4)
    else { return false }
    let exit = table.uint16(at: subtable + 6 + other * 4 + 2)
    guard exit != 0 else { return false }
    let from = anchor(at: subtable + exit)
    let to = anchor(at: subtable + entry)
    joinAdvances(previous, buffer.index, exit: from, entry: to)
    // The lookup's flag determines whether the earlier or the later glyph is attached to the other one.
    let keepsLast = lookup.flags & Lookup.Flag.rightToLeft != 0
    let (child, parent) = keepsLast ? (previous, buffer.index) : (buffer.index, previous)
    let sign = keepsLast ? 1 : -1
    let isHorizontal = direction.isHorizontal
    reverseChain(from: child, newParent: parent)
    buffer.positions[child].isCursive = true
    buffer.positions[child].attachment = parent - child
    if isHorizontal {
      buffer.positions[child].yOffset = sign * (to.y - from.y)
    } else {
      buffer.positions[child].xOffset = sign * (to.x - from.x)
    }
    // Detaches a parent that was attached to its child.
    if buffer.positions[parent].attachment == child - parent {
      buffer.positions[parent].attachment = 0
      if isHorizontal { buffer.positions[parent].yOffset = 0 } else { buffer.positions[parent].xOffset = 0 }
    }
    buffer.index += 1
    return true
  }

  /// Adjusts advances so that the exit of one glyph meets the entry of the next along the line.
  private mutating func joinAdvances(_ first: Int, _ second: Int, exit: (x: Int, y: Int), entry: (x: Int, y: Int)) {
    switch direction {
    case .leftToRight:
      buffer.positions[first].xAdvance = exit.x + buffer.positions[first].xOffset
      let shift = entry.x + buffer.positions[second].xOffset
      buffer.positions[second].xAdvance -= shift
      buffer.positions[second].xOffset -= shift
    case .rightToLeft:
      let shift = exit.x + buffer.positions[first].xOffset
      buffer.positions[first].xAdvance -= shift
      buffer.positions[first].xOffset -= shift
      buffer.positions[second].xAdvance = entry.x + buffer.positions[second].xOffset
    case .topToBottom:
      buffer.positions[first].yAdvance = exit.y + buffer.positions[first].yOffset
      let shift = entry.y + buffer.positions[second].yOffset
      buffer.positions[second].yAdvance -= shift
      buffer.positions[second].yOffset -= shift
    }
  }

  /// Reverses the attachments of a cursive chain whose first glyph is now attached to another glyph.
  private mutating func reverseChain(from start: Int, newParent: Int) {
    var position = start
    var chain = buffer.positions[position].attachment
    var isCursive = buffer.positions[position].isCursive
    var offset = (x: buffer.positions[position].xOffset, y: buffer.positions[position].yOffset)
    while chain != 0, isCursive, allowance > 0 {
      allowance -= 1
      buffer.positions[position].attachment = 0
      let parent = position + chain
      guard parent != newParent, buffer.positions.indices.contains(parent) else { return }
      let next = (
        chain: buffer.positions[parent].attachment, isCursive: buffer.positions[parent].isCursive,
        offset: (x: buffer.positions[parent].xOffset, y: buffer.positions[parent].yOffset)
      )
      if direction.isHorizontal {
        buffer.positions[parent].yOffset = -offset.y
      } else {
        buffer.positions[parent].xOffset = -offset.x
      }
      buffer.positions[parent].attachment = -chain
      buffer.positions[parent].isCursive = true
      position = parent
      (chain, isCursive, offset) = (next.chain, next.isCursive, next.offset)
    }
  }
}
