// Fonts put together byte by byte, for what no tool would write.

/// A font of hand-made tables.
package struct TestFont {
  package var tables: [String: [UInt8]] = [:]
  package var version: UInt32 = 0x0001_0000

  package static func word(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
  package static func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }
  package static func words(_ values: Int...) -> [UInt8] { values.flatMap(word) }

  /// The tables that every font has, and characters U+0041… for the glyphs from 1 on.
  package init(glyphCount: Int) {
    var head = [UInt8](repeating: 0, count: 54)
    head.replaceSubrange(18..<20, with: TestFont.word(1000))
    head.replaceSubrange(50..<52, with: TestFont.word(1))
    tables["head"] = head
    tables["hhea"] =
      TestFont.long(0x0001_0000) + TestFont.words(800, -200, 0) + [UInt8](repeating: 0, count: 24) + TestFont.word(1)
    tables["maxp"] = TestFont.long(0x0001_0000) + TestFont.word(glyphCount)
    tables["hmtx"] =
      TestFont.words(500, 0) + [UInt8](repeating: 0, count: 2 * (glyphCount - 1))
    tables["cmap"] =
      TestFont.words(0, 1, 3, 1) + TestFont.long(12)
      + TestFont.words(4, 32, 0, 4, 4, 1, 0, 0x40 + glyphCount - 1, 0xFFFF, 0, 0x41, 0xFFFF, 1 - 0x41, 1, 0, 0)
  }

  /// Sets `glyf` and `loca`.
  package mutating func setGlyphs(_ glyphs: [[UInt8]]) {
    var offsets = TestFont.long(0)
    var data: [UInt8] = []
    for glyph in glyphs {
      data += glyph + (glyph.count.isMultiple(of: 2) ? [] : [0])
      offsets += TestFont.long(data.count)
    }
    tables["glyf"] = data
    tables["loca"] = offsets
  }

  /// Sets `CFF ` with one charstring for each glyph and global subroutines.
  package mutating func setCharstrings(_ charstrings: [[UInt8]], subroutines: [[UInt8]] = []) {
    version = 0x4F54_544F
    let header: [UInt8] = [1, 0, 4, 4]
    let names = TestFont.index([Array("A".utf8)])
    let globals = TestFont.index(subroutines)
    // The offset takes five bytes whatever it is, so that the sizes do not depend on it.
    func top(_ offset: Int) -> [UInt8] { TestFont.index([[29] + TestFont.long(offset) + [17]]) }
    let offset = header.count + names.count + top(0).count + 2 + globals.count
    tables["CFF "] = header + names + top(offset) + [0, 0] + globals + TestFont.index(charstrings)
  }

  private static func index(_ items: [[UInt8]]) -> [UInt8] {
    if items.isEmpty { return [0, 0] }
    var offsets = long(1)
    var end = 1
    for item in items {
      end += item.count
      offsets += long(end)
    }
    return word(items.count) + [4] + offsets + items.flatMap { $0 }
  }

  /// The file.
  package var bytes: [UInt8] {
    var directory = TestFont.long(Int(version)) + TestFont.words(tables.count, 0, 0, 0)
    var data: [UInt8] = []
    for (tag, table) in tables.sorted(by: { $0.key < $1.key }) {
      let offset = 12 + tables.count * 16 + data.count
      directory += Array(tag.utf8) + TestFont.long(0) + TestFont.long(offset) + TestFont.long(table.count)
      data += table + [UInt8](repeating: 0, count: (4 - table.count % 4) % 4)
    }
    return directory + data
  }
}
