// Rows of layers for filters that look at one pixel at a time.

internal import ImageCore

extension Layer {
  /// How many pixels are changed between two looks at whether the caller wants to go on.
  private static let pixelsBetweenChecks = 1 << 16

  /// Lets `body` change row after row.
  mutating func updateRows(
    _ interruption: Interruption, _ body: (inout MutableSpan<UInt32>) -> Void
  ) throws(DecodeError) {
    try updateNumberedRows(interruption) { row, _ in body(&row) }
  }

  /// Lets `body` change row after row; it is told each one's y coordinate.
  mutating func updateNumberedRows(
    _ interruption: Interruption, _ body: (inout MutableSpan<UInt32>, Int) -> Void
  ) throws(DecodeError) {
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
  /// The rectangle with its edges moved outwards; an empty one stays as it is.
  package func expanded(x: Int, y: Int) -> PixelRect {
    isEmpty ? self : PixelRect(minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y)
  }

  /// The rectangle moved.
  package func moved(x: Int, y: Int) -> PixelRect {
    isEmpty ? self : PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
  }
}
