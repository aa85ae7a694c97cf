// Script-specific normalisation rules: Arabic modifier marks that precede others, and pointed Hebrew letters.

/// Arabic modifier combining marks, which are placed closer to their letter than other marks of their class (Unicode
/// Technical Report 53).
enum ArabicMarks {
  private static let modifiers: Set<UInt32> = [
    0x0654, 0x0655, 0x0658, 0x06DC, 0x06E3, 0x06E7, 0x06E8, 0x08CA, 0x08CB, 0x08CD, 0x08CE, 0x08CF, 0x08D3, 0x08F3,
  ]

  /// Moves modifiers to the front of a sorted sequence of marks.
  static func reorder(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    var start = range.lowerBound
    var index = start
    for (combiningClass, front) in [(UInt8(220), UInt8(25)), (230, 26)] {
      while index < range.upperBound, buffer.infos[index].combiningClass < combiningClass { index += 1 }
      if index == range.upperBound { break }
      if buffer.infos[index].combiningClass > combiningClass { continue }
      var end = index
      while end < range.upperBound, buffer.infos[end].combiningClass == combiningClass,
        modifiers.contains(buffer.infos[end].character)
      {
        end += 1
      }
      if end == index { continue }
      buffer.index = 0
      buffer.mergeClusters(start..<end)
      // The sequence is short, and so is the move.
      for position in index..<end {
        buffer.moveGlyph(from: position, to: start)
        buffer.infos[start].combiningClass = front
        start += 1
      }
      index = end
    }
  }
}

/// Pointed letters from the presentation forms block, which Unicode's normalisation does not compose.
enum HebrewForms {
  /// Moves a point below the letter before the accent that would separate it from another point.
  static func reorderMarks(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    for index in range.dropFirst(2) {
      let classes = (index - 2...index).map { buffer.infos[$0].combiningClass }
      if [20, 21].contains(classes[0]), [22, 23].contains(classes[1]), [25, 220].contains(classes[2]) {
        buffer.index = 0
        buffer.mergeClusters(index - 1..<index + 1)
        buffer.infos.swapAt(index - 1, index)
        break
      }
    }
  }

  static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
    switch second {
    case 0x05B4: return first == 0x05D9 ? 0xFB1D : nil
    case 0x05B7: return [0x05F2: 0xFB1F, 0x05D0: 0xFB2E][first]
    case 0x05B8: return first == 0x05D0 ? 0xFB2F : nil
    case 0x05B9: return first == 0x05D5 ? 0xFB4B : nil
    case 0x05BC:
      if first == 0xFB2A || first == 0xFB2B { return first + 2 }
      let lacking: Set<UInt32> = [0x05D7, 0x05DD, 0x05DF, 0x05E2, 0x05E5]
      return (0x05D0...0x05EA).contains(first) && !lacking.contains(first) ? first - 0x05D0 + 0xFB30 : nil
    case 0x05BF: return [0x05D1: 0xFB4C, 0x05DB: 0xFB4D, 0x05E4: 0xFB4E][first]
    case 0x05C1: return [0x05E9: 0xFB2A, 0xFB49: 0xFB2C][first]
    case 0x05C2: return [0x05E9: 0xFB2B, 0xFB49: 0xFB2D][first]
    default: return nil
    }
  }
}
