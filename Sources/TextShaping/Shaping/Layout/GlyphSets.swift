// The two ways in which layout tables describe sets of glyphs: coverage tables number the glyphs of a set; class
// definitions assign a class to each glyph of the font (OpenType, layout common table formats).

internal import Fonts

extension TableBytes {
  /// Returns the coverage index of a glyph; `nil` if it is not covered.
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

  /// Returns the class of a glyph; 0 for glyphs not listed in the definition.
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

/// A conservative approximation of a set of glyphs, with false positives but no false negatives: three Bloom filters of
/// one bit per glyph.
///
/// It determines with a few instructions that a lookup does not apply to a glyph.
struct GlyphDigest: Sendable {
  private var low: UInt64 = 0
  private var middle: UInt64 = 0
  private var high: UInt64 = 0

  /// Whether the set may contain a glyph.
  @inline(__always)
  func mayContain(_ glyph: Int) -> Bool {
    low & (1 &<< UInt64(truncatingIfNeeded: glyph & 63)) != 0
      && middle & (1 &<< UInt64(truncatingIfNeeded: (glyph >> 4) & 63)) != 0
      && high & (1 &<< UInt64(truncatingIfNeeded: (glyph >> 9) & 63)) != 0
  }

  /// Inserts all glyphs of a coverage table.
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

  /// The bits of all numbers in a range, modulo 64.
  private static func bits(_ first: Int, _ last: Int) -> UInt64 {
    if last - first >= 63 { return .max }
    let run: UInt64 = (1 << UInt64(last - first + 1)) - 1
    let shift = UInt64(first & 63)
    return shift == 0 ? run : run << shift | run >> (64 - shift)
  }
}
