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
  ///
  /// - Parameter work: incremented by the work units spent.
  func delta(of glyph: GlyphID, coordinates: [Double], work: inout Int) -> Double {
    let (outer, inner) = map[glyph.index]
    return store.delta(outer: outer, inner: inner, coordinates: coordinates, work: &work)
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

  /// Returns the deltas of all metrics at a position in the design space; of metrics that occur twice, the first.
  ///
  /// - Parameter budget: charged for each delta.
  func deltas(coordinates: [Double], budget: inout ResourceBudget) throws(CodecError) -> [Tag: Double] {
    guard !coordinates.isEmpty else { return [:] }
    let stride = table.uint16(at: 6)
    var result: [Tag: Double] = [:]
    for index in 0..<(stride >= 8 ? min(table.uint16(at: 8), FaceVariations.maximumCount) : 0) {
      let record = 12 + index * stride
      guard table.contains(record, 8) else { break }
      let tag = table.tag(at: record)
      guard result[tag] == nil else { continue }
      var work = FaceVariations.workPerMetric
      result[tag] = store.delta(
        outer: table.uint16(at: record + 4), inner: table.uint16(at: record + 6), coordinates: coordinates, work: &work)
      try budget.chargeWork(work)
    }
    return result
  }

  /// The maximum number of metrics that are read. OpenType defines about forty.
  private static let maximumCount = 256
  private static let workPerMetric = 100
}

/// The variations of a face's metrics at a position in the design space, by the tags of `MVAR`.
final class MetricsDeltas: Sendable {
  let byTag: [Tag: Double]

  init(_ byTag: [Tag: Double]) {
    self.byTag = byTag
  }
}
