// A rectangle of pixels repeated in both directions (Filter Effects 1, section 9.20, knows no SVG).

package import ImageCore

extension Layer {
  /// The pixels of an area when those of `tile` are repeated everywhere.
  package func tiled(
    _ tile: PixelRect, area: PixelRect, interruption: Interruption = Interruption()
  ) throws(DecodeError) -> Layer {
    guard !tile.isEmpty, !area.isEmpty, !tile.intersection(bounds).isEmpty else { return Layer(bounds: .empty) }
    let source = extracting(tile)
    var result = Layer(bounds: area)
    func offset(_ value: Int, _ count: Int) -> Int {
      let rest = value % count
      return rest < 0 ? rest + count : rest
    }
    let first = offset(area.minX - tile.minX, tile.width)
    try result.updateNumberedRows(interruption) { row, y in
      let line = offset(y - tile.minY, tile.height)
      let words = pixelWords(of: source.pixels.span).extracting(line * tile.width..<(line + 1) * tile.width)
      var column = first
      for index in row.indices {
        row[index] = words[column]
        column &+= 1
        if column == words.count { column = 0 }
      }
    }
    return result
  }
}
