// The colour glyph table (OpenType, `COLR`): lists of layers in version 0, graphs of paints in version 1.

internal import VectorGraphics

/// The `COLR` table.
struct ColorGlyphTable: Sendable {
  let table: TableBytes
  /// The offset of the layer list that graphs refer to.
  let layerList: Int
  private let baseGlyphs: Int
  private let clips: Int
  private let variationMap: DeltaSetIndexMap?
  private let variationStore: ItemVariationStore?

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
  func clipBox(of glyph: GlyphID, coordinates: [Double]) -> Rect? {
    guard clips != 0 else { return nil }
    let count = min(table.uint32(at: clips + 1), table.count / 7)
    guard let index = table.rangeSearch(glyph.index, count: count, at: clips + 5, stride: 7) else { return nil }
    let box = clips + table.uint24(at: clips + 5 + index * 7 + 4)
    let deltas = deltas(at: table.uint8(at: box) == 2 ? box + 9 : nil, coordinates: coordinates)
    func edge(_ number: Int) -> Double { Double(table.int16(at: box + 1 + number * 2)) + deltas(number) }
    let (left, bottom, right, top) = (edge(0), edge(1), edge(2), edge(3))
    return Rect(Point(x: min(left, right), y: min(bottom, top)), Point(x: max(left, right), y: max(bottom, top)))
  }

  /// Returns a function for the variation deltas of a structure's numbers.
  ///
  /// - Parameter offset: the offset of the variation index of the first number; `nil` for numbers that do not vary.
  func deltas(at offset: Int?, coordinates: [Double]) -> (Int) -> Double {
    guard let offset, let variationStore, !coordinates.isEmpty else { return { _ in 0 } }
    let base = table.uint32(at: offset)
    guard base != 0xFFFF_FFFF else { return { _ in 0 } }
    return { number in
      let (outer, inner) = variationMap?[base + number] ?? ((base + number) >> 16, (base + number) & 0xFFFF)
      return variationStore.delta(outer: outer, inner: inner, coordinates: coordinates)
    }
  }
}
