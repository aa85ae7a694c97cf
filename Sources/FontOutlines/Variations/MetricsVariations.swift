// How measures move through the design space: of glyphs (OpenType, `HVAR` and `VVAR`) and of the face (`MVAR`).

internal import ImageCore

/// `HVAR` or `VVAR`: the changes of advances.
struct AdvanceVariations: Sendable {
  private let store: ItemVariationStore
  private let map: DeltaSetIndexMap

  /// `nil` for a font without the table.
  init?(_ table: TableBytes) {
    guard table.uint16(at: 0) == 1, table.uint32(at: 4) != 0 else { return nil }
    store = ItemVariationStore(table.part(at: table.uint32(at: 4)))
    let map = table.uint32(at: 8)
    self.map = DeltaSetIndexMap(map == 0 ? .empty : table.part(at: map))
  }

  /// What a glyph's advance changes by.
  func delta(of glyph: GlyphID, coordinates: [Double]) -> Double {
    let (outer, inner) = map[glyph.index]
    return store.delta(outer: outer, inner: inner, coordinates: coordinates)
  }
}

/// `MVAR`: the changes of a face's measures.
struct FaceVariations: Sendable {
  private let table: TableBytes
  private let store: ItemVariationStore

  init(_ table: TableBytes) {
    let isKnown = table.uint16(at: 0) == 1 && table.uint16(at: 10) != 0
    self.table = isKnown ? table : .empty
    store = ItemVariationStore(isKnown ? table.part(at: table.uint16(at: 10)) : .empty)
  }

  /// What a measure changes by.
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
