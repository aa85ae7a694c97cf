// Interlacing, PNG section 8: the geometry of the passes. A still image that is not interlaced is a single pass over
// all pixels.

/// One pass over the image: which pixels it contains, in which order.
package struct InterlacePass: Hashable, Sendable {
  /// 0…6; 0 for an image that is not interlaced.
  package let index: Int
  package let firstColumn: Int
  package let firstRow: Int
  package let columnStep: Int
  package let rowStep: Int
  /// The number of columns in the pass.
  package let width: Int
  /// The number of rows in the pass.
  package let height: Int

  private init(
    _ index: Int, _ firstColumn: Int, _ firstRow: Int, _ columnStep: Int, _ rowStep: Int, of header: ImageHeader
  ) {
    self.index = index
    self.firstColumn = firstColumn
    self.firstRow = firstRow
    self.columnStep = columnStep
    self.rowStep = rowStep
    width = max(0, (header.width - firstColumn + columnStep - 1) / columnStep)
    height = max(0, (header.height - firstRow + rowStep - 1) / rowStep)
  }

  /// The passes of an image, without empty ones.
  package static func passes(of header: ImageHeader) -> [InterlacePass] {
    guard header.isInterlaced else { return [InterlacePass(0, 0, 0, 1, 1, of: header)] }
    return [
      InterlacePass(0, 0, 0, 8, 8, of: header), InterlacePass(1, 4, 0, 8, 8, of: header),
      InterlacePass(2, 0, 4, 4, 8, of: header), InterlacePass(3, 2, 0, 4, 4, of: header),
      InterlacePass(4, 0, 2, 2, 4, of: header), InterlacePass(5, 1, 0, 2, 2, of: header),
      InterlacePass(6, 0, 1, 1, 2, of: header),
    ].filter { $0.width > 0 && $0.height > 0 }
  }
}
