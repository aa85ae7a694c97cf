// A font of rectangles, made byte by byte (OpenType 1.9), so that positions of text can be told by hand.

/// Builds TrueType fonts whose glyphs are rectangles. 1000 units an em, ascender 800, descender -200, x-height 500;
/// underline at -100, 50 thick; strikeout at 300; subscripts 200 down, superscripts 400 up.
package struct RectangleFont {
  package struct Glyph {
    package var character: Unicode.Scalar
    package var advance: Int
    /// Left, bottom, right, top.
    package var box: (Int, Int, Int, Int)
    /// The number of times that the rectangle is repeated.
    package var contourCount = 1

    package init(character: Unicode.Scalar, advance: Int, box: (Int, Int, Int, Int)) {
      self.character = character
      self.advance = advance
      self.box = box
    }
  }

  package var family = "Boxes"
  package var weight = 400
  package var glyphs: [Glyph] = []
  /// A subtable of `cmap` in format 14, for variation sequences.
  package var characterSequences: [UInt8] = []
  /// Tables in addition to those that every font has, in alphabetical order.
  package var extraTables: [(String, [UInt8])] = []

  package init(family: String = "Boxes", weight: Int = 400, glyphs: [Glyph] = []) {
    self.family = family
    self.weight = weight
    self.glyphs = glyphs
  }

  /// Letters half an em wide: squares of 400 units whose bottoms are on the baseline, 50 units from the left. Spaces
  /// are 250 wide, and what is missing is a bar of 1000.
  package static func squares(_ characters: String, family: String = "Boxes", weight: Int = 400) -> RectangleFont {
    RectangleFont(
      family: family, weight: weight,
      glyphs: characters.unicodeScalars.map {
        $0 == " "
          ? Glyph(character: $0, advance: 250, box: (0, 0, 0, 0))
          : Glyph(character: $0, advance: 500, box: (50, 0, 450, 400))
      }.sorted { $0.character < $1.character })
  }

  /// The bytes of the font file.
  package var bytes: [UInt8] {
    let tables: [(String, [UInt8])] =
      [
        ("OS/2", os2), ("cmap", cmap), ("glyf", outlines.glyf), ("head", head), ("hhea", hhea), ("hmtx", hmtx),
        ("loca", outlines.loca), ("maxp", maxp), ("name", name), ("post", post),
      ] + extraTables
    var file = big32(0x10000) + big16(tables.count) + [0, 0, 0, 0, 0, 0]
    var offset = file.count + tables.count * 16
    for (tag, table) in tables {
      file += Array(tag.utf8) + big32(0) + big32(offset) + big32(table.count)
      offset += (table.count + 3) & ~3
    }
    for (_, table) in tables { file += table + [UInt8](repeating: 0, count: -table.count & 3) }
    return file
  }

  /// A number of 16 bits.
  package func big16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
  /// A number of 32 bits.
  package func big32(_ value: Int) -> [UInt8] { big16(value >> 16) + big16(value) }

  private var all: [Glyph] { [Glyph(character: "\0", advance: 1000, box: (0, 0, 1000, 100))] + glyphs }

  private var head: [UInt8] {
    big32(0x10000) + big32(0) + big32(0) + big32(0x5f0f_3cf5) + big16(0) + big16(1000)
      + [UInt8](repeating: 0, count: 16) + big16(0) + big16(-200) + big16(1000) + big16(800) + big16(0) + big16(8)
      + big16(2) + big16(1) + big16(0)
  }

  private var hhea: [UInt8] {
    big32(0x10000) + big16(800) + big16(-200) + big16(0) + [UInt8](repeating: 0, count: 24) + big16(all.count)
  }

  private var maxp: [UInt8] { big32(0x10000) + big16(all.count) + [UInt8](repeating: 0, count: 26) }

  private var hmtx: [UInt8] { all.flatMap { big16($0.advance) + big16($0.box.0) } }

  private var outlines: (glyf: [UInt8], loca: [UInt8]) {
    var glyf: [UInt8] = []
    var loca = big32(0)
    for glyph in all {
      let (left, bottom, right, top) = glyph.box
      if right > left {
        let count = glyph.contourCount
        glyf += big16(count) + big16(left) + big16(bottom) + big16(right) + big16(top)
        glyf += (1...count).flatMap { big16($0 * 4 - 1) } + big16(0)
        glyf += [UInt8](repeating: 1, count: count * 4)
        for index in 0..<count {
          for value in [index == 0 ? left : 0, right - left, 0, left - right] { glyf += big16(value) }
        }
        for index in 0..<count {
          for value in [index == 0 ? bottom : bottom - top, 0, top - bottom, 0] { glyf += big16(value) }
        }
      }
      loca += big32(glyf.count)
    }
    return (glyf, loca)
  }

  /// Format 12: one group a character.
  private var cmap: [UInt8] {
    let size = 16 + glyphs.count * 12
    var table = big16(0)
    if characterSequences.isEmpty {
      table += big16(1) + big16(3) + big16(10) + big32(12)
    } else {
      table += big16(2) + big16(0) + big16(5) + big32(20 + size) + big16(3) + big16(10) + big32(20)
    }
    table += big16(12) + big16(0) + big32(size) + big32(0) + big32(glyphs.count)
    for (index, glyph) in glyphs.enumerated() {
      table += big32(Int(glyph.character.value)) + big32(Int(glyph.character.value)) + big32(index + 1)
    }
    return table + characterSequences
  }

  private var name: [UInt8] {
    let text = family.utf16.flatMap { big16(Int($0)) }
    return big16(0) + big16(1) + big16(18) + big16(3) + big16(1) + big16(0x409) + big16(1) + big16(text.count)
      + big16(0) + text
  }

  private var os2: [UInt8] {
    var table = [UInt8](repeating: 0, count: 96)
    func set(_ value: Int, at offset: Int) { table.replaceSubrange(offset..<offset + 2, with: big16(value)) }
    for (offset, value) in [
      (0, 4), (2, 500), (4, weight), (6, 5), (16, 200), (24, 400), (26, 50), (28, 300), (62, 64), (68, 800),
      (70, -200), (74, 800), (76, 200), (86, 500), (88, 700),
    ] { set(value, at: offset) }
    return table
  }

  private var post: [UInt8] {
    big32(0x30000) + big32(0) + big16(-100) + big16(50) + [UInt8](repeating: 0, count: 20)
  }
}
