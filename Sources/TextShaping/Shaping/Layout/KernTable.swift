// Pair kerning for fonts without GPOS kerning (OpenType and Apple's `kern`).

internal import Fonts

/// The `kern` table.
struct KernTable: Sendable {
  /// A subtable in use.
  private struct Subtable: Sendable {
    var table: TableBytes
    /// The offset of the format-specific header.
    var header: Int
    var format: Int
  }

  private let subtables: [Subtable]

  /// The number of subtables that are searched for each pair.
  var subtableCount: Int { subtables.count }
  /// Whether there is no kerning.
  var isEmpty: Bool { subtables.isEmpty }

  /// Parses the headers of the subtables for horizontal text.
  init(_ table: TableBytes) {
    var subtables: [Subtable] = []
    let isApple = table.uint32(at: 0) == 0x0001_0000
    guard isApple || table.uint16(at: 0) == 0 else {
      self.subtables = []
      return
    }
    let count = isApple ? table.uint32(at: 4) : table.uint16(at: 2)
    var offset = isApple ? 8 : 4
    for _ in 0..<min(count, 256) {
      let length = isApple ? table.uint32(at: offset) : table.uint16(at: offset + 2)
      let coverage = table.uint16(at: offset + 4)
      let format = isApple ? coverage & 0xFF : coverage >> 8
      // Apple's flags: vertical, cross-stream, variation. OpenType's: horizontal, minimum, cross-stream.
      let isUsable = isApple ? coverage & 0xE000 == 0 : coverage & 0x07 == 0x01
      let header = offset + (isApple ? 8 : 6)
      // A single subtable can be longer than its length field can express.
      let end = count == 1 ? table.count : offset + length
      if isUsable, format == 0 || format == 2, end > offset {
        subtables.append(
          Subtable(table: table.part(at: offset, count: end - offset), header: header - offset, format: format))
      }
      guard length > 0 else { break }
      offset += length
    }
    self.subtables = subtables
  }

  /// Returns the kerning between two glyphs.
  func value(_ left: Int, _ right: Int) -> Int {
    var result = 0
    for subtable in subtables {
      result += subtable.format == 0 ? pairValue(subtable, left, right) : classValue(subtable, left, right)
    }
    return result
  }

  private func pairValue(_ subtable: Subtable, _ left: Int, _ right: Int) -> Int {
    let table = subtable.table
    let key = left << 16 | right
    let first = subtable.header + 8
    var low = 0
    var high = min(table.uint16(at: subtable.header), max(0, table.count - first) / 6)
    while low < high {
      let middle = (low + high) / 2
      let pair = table.uint32(at: first + middle * 6)
      if pair == key { return table.int16(at: first + middle * 6 + 4) }
      if pair < key { low = middle + 1 } else { high = middle }
    }
    return 0
  }

  /// Format 2: the classes are offsets to the left glyph's row and within that row.
  private func classValue(_ subtable: Subtable, _ left: Int, _ right: Int) -> Int {
    let table = subtable.table
    func offset(of glyph: Int, in classes: Int) -> Int {
      let index = glyph - table.uint16(at: classes)
      return index >= 0 && index < table.uint16(at: classes + 2) ? table.uint16(at: classes + 4 + index * 2) : 0
    }
    let array = table.uint16(at: subtable.header + 6)
    let row = offset(of: left, in: table.uint16(at: subtable.header + 2))
    let column = offset(of: right, in: table.uint16(at: subtable.header + 4))
    return row >= array ? table.int16(at: row + column) : 0
  }
}
