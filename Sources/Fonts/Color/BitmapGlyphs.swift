// Bitmap glyphs: Apple's `sbix`, and `CBDT` with its index `CBLC`. The largest strike is used.

internal import ImageCore

extension GlyphBitmap {
  private static let maximumSizeCount = 256

  /// Returns the bitmap of a glyph in `sbix`; `nil` if there is none.
  static func sbix(_ table: TableBytes, glyph: GlyphID, glyphCount: Int) -> GlyphBitmap? {
    var best: GlyphBitmap?
    for index in 0..<min(table.uint32(at: 4), maximumSizeCount) {
      let strike = table.part(at: table.uint32(at: 8 + index * 4))
      let pixelsPerEm = strike.uint16(at: 0)
      guard pixelsPerEm > best?.pixelsPerEm ?? 0 else { continue }
      best = sbixPicture(strike, glyph.index, glyphCount, pixelsPerEm) ?? best
    }
    return best
  }

  private static func sbixPicture(
    _ strike: TableBytes, _ glyph: Int, _ glyphCount: Int, _ pixelsPerEm: Int
  ) -> GlyphBitmap? {
    var glyph = glyph
    // A glyph can refer to another glyph whose bitmap it shares.
    for _ in 0..<8 {
      guard glyph < glyphCount else { return nil }
      let start = strike.uint32(at: 4 + glyph * 4)
      let end = strike.uint32(at: 8 + glyph * 4)
      guard end > start + 8, strike.contains(start, end - start) else { return nil }
      let encoding: Encoding
      switch strike.tag(at: start + 4) {
      case "dupe":
        glyph = strike.uint16(at: start + 8)
        continue
      case "png ": encoding = .png
      case "jpg ": encoding = .jpeg
      case "tiff": encoding = .tiff
      default: return nil
      }
      let size = encoding == .png ? pngSize(strike, at: start + 8) : (0, 0)
      return GlyphBitmap(
        encoding: encoding, content: strike.part(at: start + 8, count: end - start - 8), x: strike.int16(at: start),
        y: strike.int16(at: start + 2), width: size.0, height: size.1, pixelsPerEm: pixelsPerEm)
    }
    return nil
  }

  /// The size in a PNG's first chunk.
  private static func pngSize(_ table: TableBytes, at offset: Int) -> (Int, Int) {
    guard table.tag(at: offset + 12) == "IHDR" else { return (0, 0) }
    return (table.uint32(at: offset + 16), table.uint32(at: offset + 20))
  }

  /// Returns the bitmap of a glyph in `CBDT`; `nil` if there is none.
  ///
  /// - Parameter budget: charged for the parts of the index that are searched.
  static func cbdt(
    _ table: TableBytes, index: TableBytes, glyph: GlyphID, budget: inout ResourceBudget
  ) throws(CodecError) -> GlyphBitmap? {
    var best: GlyphBitmap?
    for number in 0..<min(index.uint32(at: 4), maximumSizeCount) {
      let size = 8 + number * 48
      let pixelsPerEm = index.uint8(at: size + 44)
      guard pixelsPerEm > best?.pixelsPerEm ?? 0,
        (index.uint16(at: size + 40)...max(index.uint16(at: size + 40), index.uint16(at: size + 42)))
          .contains(glyph.index)
      else { continue }
      try budget.chargeWork(BitmapPlace.workOfSearching(index, size: size))
      guard let place = BitmapPlace(index, size: size, glyph: glyph.index) else { continue }
      best = cbdtPicture(table, place, pixelsPerEm) ?? best
    }
    return best
  }

  private static func cbdtPicture(_ table: TableBytes, _ place: BitmapPlace, _ pixelsPerEm: Int) -> GlyphBitmap? {
    let metrics: TableBytes
    let metricsSize: Int
    switch place.imageFormat {
    case 17: (metrics, metricsSize) = (table.part(at: place.offset), 5)
    case 18: (metrics, metricsSize) = (table.part(at: place.offset), 8)
    case 19:
      guard let shared = place.metrics else { return nil }
      (metrics, metricsSize) = (shared, 0)
    default: return nil
    }
    let data = place.offset + metricsSize
    let count = table.uint32(at: data)
    guard count > 0, table.contains(data + 4, count) else { return nil }
    let height = metrics.uint8(at: 0)
    return GlyphBitmap(
      encoding: .png, content: table.part(at: data + 4, count: count), x: metrics.int8(at: 2),
      y: metrics.int8(at: 3) - height, width: metrics.uint8(at: 1), height: height, pixelsPerEm: pixelsPerEm)
  }
}

/// The location of a glyph's bitmap, from `CBLC`.
private struct BitmapPlace {
  let imageFormat: Int
  var offset: Int
  /// The metrics shared by all bitmaps of an index subtable.
  var metrics: TableBytes?

  /// The work units of searching the index of a size, at most.
  static func workOfSearching(_ index: TableBytes, size: Int) -> Int { 20 + subtableCount(index, size: size) * 4 }

  private static func subtableCount(_ index: TableBytes, size: Int) -> Int {
    min(index.uint32(at: size + 8), index.count / 8)
  }

  init?(_ index: TableBytes, size: Int, glyph: Int) {
    let array = index.uint32(at: size)
    let count = BitmapPlace.subtableCount(index, size: size)
    let found = (0..<count).first { number in
      let record = array + number * 8
      return index.uint16(at: record) <= glyph && glyph <= index.uint16(at: record + 2)
    }
    guard let found else { return nil }
    let record = array + found * 8
    let header = array + index.uint32(at: record + 4)
    let position = glyph - index.uint16(at: record)
    imageFormat = index.uint16(at: header + 2)
    offset = index.uint32(at: header + 4)
    switch index.uint16(at: header) {
    case 1: offset += index.uint32(at: header + 8 + position * 4)
    case 2:
      offset += position * index.uint32(at: header + 8)
      metrics = index.part(at: header + 12, count: 8)
    case 3: offset += index.uint16(at: header + 8 + position * 2)
    case 4:
      let glyphCount = min(index.uint32(at: header + 8), index.count / 4)
      guard let pair = index.binarySearch(glyph, count: glyphCount, at: header + 12, stride: 4) else { return nil }
      offset += index.uint16(at: header + 12 + pair * 4 + 2)
    case 5:
      let glyphCount = min(index.uint32(at: header + 20), index.count / 2)
      guard let number = index.binarySearch(glyph, count: glyphCount, at: header + 24, stride: 2) else { return nil }
      offset += number * index.uint32(at: header + 8)
      metrics = index.part(at: header + 12, count: 8)
    default: return nil
    }
  }
}
