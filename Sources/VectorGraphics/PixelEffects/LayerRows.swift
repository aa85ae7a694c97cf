// Access to the rows of a layer, for filters that process pixels individually.

internal import ImageCore

extension Layer {
  /// The number of pixels processed between two checks for cancellation.
  private static let pixelsBetweenChecks = 1 << 16

  /// Calls `body` to update each row.
  mutating func updateRows(
    _ interruption: Interruption, _ body: (inout MutableSpan<UInt32>) -> Void
  ) throws(CodecError) {
    try updateNumberedRows(interruption) { row, _ in body(&row) }
  }

  /// Calls `body` to update each row, with the row's y coordinate.
  mutating func updateNumberedRows(
    _ interruption: Interruption, _ body: (inout MutableSpan<UInt32>, Int) -> Void
  ) throws(CodecError) {
    let width = bounds.width
    guard width > 0 else { return }
    let step = max(1, Self.pixelsBetweenChecks / width)
    var first = 0
    while first < bounds.height {
      try interruption.check()
      let last = min(bounds.height, first + step)
      let top = bounds.minY
      withPixelWords(&pixels) { words in
        for y in first..<last {
          var row = words._mutatingExtracting(y &* width..<(y &+ 1) &* width)
          body(&row, top &+ y)
        }
      }
      first = last
    }
  }
}

extension PixelRect {
  /// Returns the rectangle with its edges moved outwards; an empty one is unchanged.
  package func expanded(x: Int, y: Int) -> PixelRect {
    isEmpty ? self : PixelRect(minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y)
  }

  /// Returns the rectangle moved by an offset.
  package func moved(x: Int, y: Int) -> PixelRect {
    isEmpty ? self : PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
  }
}
