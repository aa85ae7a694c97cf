// Assigns delta sets to glyphs (OpenType, font variations common table formats).

/// A mapping from glyphs to delta sets.
struct DeltaSetIndexMap: Sendable {
  private let table: TableBytes
  private let count: Int
  private let start: Int

  /// An empty table maps each glyph to the delta set with its index.
  init(_ table: TableBytes) {
    self.table = table
    let isWide = table.uint8(at: 0) == 1
    count = isWide ? table.uint32(at: 2) : table.uint16(at: 2)
    start = isWide ? 6 : 4
  }

  /// The delta set of an entry; indices past the end use the last entry.
  subscript(index: Int) -> (outer: Int, inner: Int) {
    guard count > 0 else { return (index >> 16, index & 0xFFFF) }
    let format = table.uint8(at: 1)
    let size = (format >> 4 & 3) + 1
    var entry = 0
    let offset = start + min(index, count - 1) * size
    for byte in 0..<size { entry = entry << 8 | table.uint8(at: offset + byte) }
    let innerBits = (format & 15) + 1
    return (entry >> innerBits, entry & ((1 << innerBits) - 1))
  }
}
