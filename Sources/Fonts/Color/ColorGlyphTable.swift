// The colour glyph table (OpenType, `COLR`): lists of layers in version 0, graphs of paints in version 1.

internal import VectorGraphics

/// The `COLR` table.
struct ColorGlyphTable: Sendable {
  let table: TableBytes
  /// The offset of the layer list that graphs refer to.
  let layerList: Int
  private let baseGlyphs: Int
  private let clips: Int
  fileprivate let variationMap: DeltaSetIndexMap?
  fileprivate let variationStore: ItemVariationStore?

  init(_ table: TableBytes) {
    self.table = table
    let hasGraphs = table.uint16(at: 0) >= 1 && table.count >= 34
    baseGlyphs = hasGraphs ? table.uint32(at: 14) : 0
    layerList = hasGraphs ? table.uint32(at: 18) : 0
    clips = hasGraphs ? table.uint32(at: 22) : 0
    let map = hasGraphs ? table.uint32(at: 26) : 0
    let store = hasGraphs ? table.uint32(at: 30) : 0
    variationMap = map == 0 ? nil : DeltaSetIndexMap(table.part(at: map))
    variationStore = store == 0 ? nil : ItemVariationStore(table.part(at: store))
  }

  var isEmpty: Bool { table.isEmpty }

  /// The layers of a glyph from bottom to top, as glyphs and palette entries; empty if it has none.
  func layers(of glyph: GlyphID) -> [(glyph: GlyphID, entry: Int)] {
    let records = table.uint32(at: 4)
    guard records != 0,
      let index = table.binarySearch(glyph.index, count: table.uint16(at: 2), at: records, stride: 6)
    else { return [] }
    let first = table.uint16(at: records + index * 6 + 2)
    let count = table.uint16(at: records + index * 6 + 4)
    guard first + count <= table.uint16(at: 12) else { return [] }
    return (first..<first + count).map { layer in
      let record = table.uint32(at: 8) + layer * 4
      return (GlyphID(UInt16(table.uint16(at: record))), table.uint16(at: record + 2))
    }
  }

  /// The offset of the root paint of a glyph's graph; `nil` if it has none.
  func rootPaint(of glyph: GlyphID) -> Int? {
    guard baseGlyphs != 0 else { return nil }
    let count = min(table.uint32(at: baseGlyphs), table.count / 6)
    guard let index = table.binarySearch(glyph.index, count: count, at: baseGlyphs + 4, stride: 6) else { return nil }
    return baseGlyphs + table.uint32(at: baseGlyphs + 4 + index * 6 + 2)
  }

  /// The offset of an entry in the layer list; `nil` if the entry does not exist.
  func layerPaint(_ index: Int) -> Int? {
    guard layerList != 0, index < table.uint32(at: layerList), table.contains(layerList + 4 + index * 4, 4) else {
      return nil
    }
    return layerList + table.uint32(at: layerList + 4 + index * 4)
  }

  /// The clip box of a glyph.
  ///
  /// - Parameter work: incremented by the work units of variations.
  func clipBox(of glyph: GlyphID, coordinates: [Double], work: inout Int) -> Rect? {
    guard clips != 0 else { return nil }
    let count = min(table.uint32(at: clips + 1), table.count / 7)
    guard let index = table.rangeSearch(glyph.index, count: count, at: clips + 5, stride: 7) else { return nil }
    let box = clips + table.uint24(at: clips + 5 + index * 7 + 4)
    let deltas = VariationDeltas(self, at: table.uint8(at: box) == 2 ? box + 9 : nil, coordinates: coordinates)
    func edge(_ number: Int, _ work: inout Int) -> Double {
      Double(table.int16(at: box + 1 + number * 2)) + deltas.delta(number, work: &work)
    }
    let (left, bottom) = (edge(0, &work), edge(1, &work))
    let (right, top) = (edge(2, &work), edge(3, &work))
    return Rect(Point(x: min(left, right), y: min(bottom, top)), Point(x: max(left, right), y: max(bottom, top)))
  }
}

extension ColorGlyphTable {
  /// The variation deltas of a structure's numbers.
  struct VariationDeltas {
    private let map: DeltaSetIndexMap?
    private let store: ItemVariationStore?
    private let base: UInt32
    private let coordinates: [Double]

    /// - Parameter offset: the offset of the variation index of the first number; `nil` for numbers that do not vary.
    init(_ colors: ColorGlyphTable, at offset: Int?, coordinates: [Double]) {
      let first = offset.map { UInt32(truncatingIfNeeded: colors.table.uint32(at: $0)) } ?? .max
      map = colors.variationMap
      store = coordinates.isEmpty || first == .max ? nil : colors.variationStore
      base = first
      self.coordinates = coordinates
    }

    /// Returns the delta of a number.
    ///
    /// - Parameter work: incremented by the work units spent.
    func delta(_ number: Int, work: inout Int) -> Double {
      guard let store else { return 0 }
      let index = Int64(base) + Int64(number)
      let (outer, inner) = map?[Int(clamping: index)] ?? (Int(index >> 16), Int(index & 0xFFFF))
      return store.delta(outer: outer, inner: inner, coordinates: coordinates, work: &work)
    }
  }
}
