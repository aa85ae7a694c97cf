// Reconstruction of the table `hmtx`, from which WOFF 2 omits the bearings that equal the left edges of the outlines
// (WOFF 2.0, section 5.4).

internal import ImageCore

/// Reconstructs horizontal metrics.
enum WOFF2Metrics {
  /// Undoes the transform.
  ///
  /// - Parameter tables: the other tables of the face, with `glyf` and `loca` reconstructed.
  static func table(
    _ table: TableBytes, tables: [Tag: TableBytes], budget: inout ResourceBudget
  ) throws(CodecError) -> TableBytes {
    let glyphCount = tables["maxp", default: .empty].uint16(at: 4)
    let metricCount = tables["hhea", default: .empty].uint16(at: 34)
    guard let glyphs = tables["glyf"], let locations = tables["loca"], metricCount > 0, metricCount <= glyphCount else {
      throw CodecError(.malformed, "the transformed table hmtx contradicts other tables", format: .font)
    }
    let usesLongLocations = tables["head", default: .empty].int16(at: 50) != 0
    func left(of glyph: Int) -> Int {
      let start = usesLongLocations ? locations.uint32(at: glyph * 4) : locations.uint16(at: glyph * 2) * 2
      let end = usesLongLocations ? locations.uint32(at: glyph * 4 + 4) : locations.uint16(at: glyph * 2 + 2) * 2
      return end > start ? glyphs.part(at: start, count: end - start).int16(at: 2) : 0
    }

    let bytes = table.bytes(at: 0, count: table.count)
    let data = bytes.span
    var cursor = WOFF2Cursor(position: 0, end: data.count)
    let flags = try cursor.uint8(data)
    guard flags & 3 != 0, flags & ~3 == 0 else {
      throw CodecError(.malformed, "the transformed table hmtx has invalid flags", format: .font)
    }
    try budget.allocate(metricCount * 4 + (glyphCount - metricCount) * 2)
    var advances = WOFF2Cursor(position: try cursor.skip(metricCount * 2), end: cursor.position)
    var output: [UInt8] = []
    func append(_ value: Int) {
      output.append(UInt8(truncatingIfNeeded: value >> 8))
      output.append(UInt8(truncatingIfNeeded: value))
    }
    for glyph in 0..<metricCount {
      append(try advances.uint16(data))
      append(flags & 1 != 0 ? left(of: glyph) : try cursor.int16(data))
    }
    for glyph in metricCount..<glyphCount {
      append(flags & 2 != 0 ? left(of: glyph) : try cursor.int16(data))
    }
    return TableBytes(output)
  }
}
