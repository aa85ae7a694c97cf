// The variation of metrics over the design space: of glyphs (OpenType, `HVAR` and `VVAR`) and of the face (`MVAR`).

internal import ImageCore

/// `HVAR` or `VVAR`: the variation of advances.
struct AdvanceVariations: Sendable {
  private let store: ItemVariationStore
  private let map: DeltaSetIndexMap

  /// Returns `nil` if the font lacks the table.
  init?(_ table: TableBytes) {
    guard table.uint16(at: 0) == 1, table.uint32(at: 4) != 0 else { return nil }
    store = ItemVariationStore(table.part(at: table.uint32(at: 4)))
    let map = table.uint32(at: 8)
    self.map = DeltaSetIndexMap(map == 0 ? .empty : table.part(at: map))
  }

  /// Returns the delta of a glyph's advance.
  func delta(of glyph: GlyphID, coordinates: [Double]) -> Double {
    let (outer, inner) = map[glyph.index]
    return store.delta(outer: outer, inner: inner, coordinates: coordinates)
  }
}

/// `MVAR`: the variation of the face's metrics.
struct FaceVariations: Sendable {
  private let table: TableBytes
  private let store: ItemVariationStore

  init(_ table: TableBytes) {
    let isKnown = table.uint16(at: 0) == 1 && table.uint16(at: 10) != 0
    self.table = isKnown ? table : .empty
    store = ItemVariationStore(isKnown ? table.part(at: table.uint16(at: 10)) : .empty)
  }

  /// Returns the delta of a metric.
  func delta(_ tag: Tag, coordinates: [Double]) -> Double {
    guard !coordinates.isEmpty else { return 0 }
    let stride = table.uint16(at: 6)
    for index in 0..<(stride >= 8 ? table.uint16(at: 8) : 0) {
      let record = 12 + index * stride
      guard table.contains(record, 8) else { break }
      if table.tag(at: record) == tag {
        return store.delta(
          outer: table.uint16(at: record + 4), inner: table.uint16(at: record + 6), coordinates: coordinates)
      }
    }
    return 0
  }
}
