// The two ways in which layout tables name sets of glyphs: coverage gives each glyph of a set a number, class definitions
// give each glyph of the font a class (OpenType, layout common table formats).

extension TableBytes {
  /// The number of a glyph in the coverage at an offset; `nil` for one outside.
  @inline(__always)
  func coverageIndex(at offset: Int, of glyph: Int) -> Int? {
    guard offset > 0 else { return nil }
    switch uint16(at: offset) {
    case 1: return binarySearch(glyph, count: uint16(at: offset &+ 2), at: offset &+ 4, stride: 2)
    case 2:
      guard let range = rangeSearch(glyph, count: uint16(at: offset &+ 2), at: offset &+ 4, stride: 6) else {
        return nil
      }
      let record = offset &+ 4 &+ range &* 6
      return uint16(at: record &+ 4) &+ glyph &- uint16(at: record)
    default: return nil
    }
  }

  /// The class of a glyph by the definition at an offset; 0 for glyphs that it does not name.
  @inline(__always)
  func glyphClass(at offset: Int, of glyph: Int) -> Int {
    guard offset > 0 else { return 0 }
    switch uint16(at: offset) {
    case 1:
      let index = glyph &- uint16(at: offset &+ 2)
      return index >= 0 && index < uint16(at: offset &+ 4) ? uint16(at: offset &+ 6 &+ index &* 2) : 0
    case 2:
      guard let range = rangeSearch(glyph, count: uint16(at: offset &+ 2), at: offset &+ 4, stride: 6) else { return 0 }
      return uint16(at: offset &+ 4 &+ range &* 6 &+ 4)
    default: return 0
    }
  }
}

/// A set of glyphs that may claim too much, but never too little: three Bloom filters of one bit a glyph.
///
/// It tells at the cost of a few instructions that a lookup has nothing to say of a glyph.
struct GlyphDigest: Sendable {
  private var low: UInt64 = 0
  private var middle: UInt64 = 0
  private var high: UInt64 = 0

  /// Whether the set may have a glyph.
  @inline(__always)
  func mayContain(_ glyph: Int) -> Bool {
    low & (1 &<< UInt64(truncatingIfNeeded: glyph & 63)) != 0
      && middle & (1 &<< UInt64(truncatingIfNeeded: (glyph >> 4) & 63)) != 0
      && high & (1 &<< UInt64(truncatingIfNeeded: (glyph >> 9) & 63)) != 0
  }

  /// Adds all glyphs of a coverage.
  mutating func insert(coverageAt offset: Int, of table: TableBytes) {
    let count = table.uint16(at: offset + 2)
    switch table.uint16(at: offset) {
    case 1:
      for index in 0..<count {
        let glyph = table.uint16(at: offset + 4 + index * 2)
        insert(glyph...glyph)
      }
    case 2:
      for index in 0..<count {
        let record = offset + 4 + index * 6
        let (first, last) = (table.uint16(at: record), table.uint16(at: record + 2))
        if first <= last { insert(first...last) }
      }
    default: break
    }
  }

  private mutating func insert(_ range: ClosedRange<Int>) {
    low |= GlyphDigest.bits(range.lowerBound, range.upperBound)
    middle |= GlyphDigest.bits(range.lowerBound >> 4, range.upperBound >> 4)
    high |= GlyphDigest.bits(range.lowerBound >> 9, range.upperBound >> 9)
  }

  /// The bits of all numbers of a range, modulo 64.
  private static func bits(_ first: Int, _ last: Int) -> UInt64 {
    if last - first >= 63 { return .max }
    let run: UInt64 = (1 << UInt64(last - first + 1)) - 1
    let shift = UInt64(first & 63)
    return shift == 0 ? run : run << shift | run >> (64 - shift)
  }
}
