// A rectangle of pixels repeated in both directions (Filter Effects 1, section 9.20; independent of SVG).

package import ImageCore

extension Layer {
  /// Returns the pixels of an area tiled with those of `tile`.
  package func tiled(
    _ tile: PixelRect, area: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    guard !tile.isEmpty, !area.isEmpty, !tile.intersection(bounds).isEmpty else { return Layer(bounds: .empty) }
    if tile.contains(area) { return extracting(area.intersection(bounds)) }
    var result = Layer(bounds: area)
    func offset(_ value: Int, _ count: Int) -> Int {
      let rest = value % count
      return rest < 0 ? rest + count : rest
    }
    // Columns of the tile are relative to its left edge; those in `held` have pixels here.
    let first = offset(area.minX - tile.minX, tile.width)
    let held = bounds.minX - tile.minX..<bounds.maxX - tile.minX
    try result.updateNumberedRows(interruption) { row, y in
      let line = tile.minY + offset(y - tile.minY, tile.height)
      guard line >= bounds.minY, line < bounds.maxY else { return }
      let start = (line - bounds.minY) * bounds.width
      let words = pixelWords(of: pixels.span).extracting(start..<start + bounds.width)
      var column = first
      for index in row.indices {
        if held.contains(column) { row[index] = words[column &- held.lowerBound] }
        column &+= 1
        if column == tile.width { column = 0 }
      }
    }
    return result
  }
}
