// The layer being drawn into. Clearing it as a whole would write all of its memory twice: a row is cleared when it is
// first drawn into, and is then in the cache.

internal import ImageCore

/// A layer whose rows are transparent until they are drawn into.
struct DrawingSurface: Sendable {
  /// The area covered by the layer.
  let bounds: PixelRect
  /// Four bytes per pixel, arbitrary in rows that are not cleared.
  private var pixels: [UInt8]
  /// Whether each row has been cleared.
  private var isCleared: [Bool]
  /// Whether nothing has been drawn, so that all pixels are transparent.
  private(set) var isUndrawn: Bool

  /// Creates a transparent layer. The caller ensures that the size is within its budget.
  ///
  /// - Parameter memory: is used for the pixels if it has their size.
  init(bounds: PixelRect, memory: consuming [UInt8] = []) {
    self.bounds = bounds
    pixels = memory.count == bounds.pixelCount * 4 ? memory : makeArbitraryBytes(bounds.pixelCount * 4)
    isCleared = [Bool](repeating: false, count: bounds.height)
    isUndrawn = true
  }

  /// Draws on an existing layer.
  init(_ layer: consuming Layer) {
    bounds = layer.bounds
    pixels = layer.pixels
    isCleared = [Bool](repeating: true, count: bounds.height)
    isUndrawn = false
  }

  /// Multiplies all pixels by the coverage of a mask that is at least as large.
  mutating func multiply(by mask: Mask) {
    precondition(mask.bounds.intersection(bounds) == bounds, "the mask is smaller than the layer")
    let width = bounds.width
    for row in 0..<bounds.height {
      let start = (bounds.minY + row - mask.bounds.minY) * mask.bounds.width + bounds.minX - mask.bounds.minX
      let amounts = mask.coverage.span.extracting(start..<start + width)
      if isFull(amounts) { continue }
      withPixelWords(&pixels) { words in
        var part = words._mutatingExtracting(row &* width..<(row &+ 1) &* width)
        for index in part.indices { part[index] = PixelWord.scaled(part[index], by: UInt32(amounts[index])) }
      }
    }
  }

  /// Calls `body` with the pixels of a row that are inside a region, which is within the bounds.
  @inline(__always)
  mutating func withRow(_ y: Int, of region: PixelRect, _ body: (inout MutableSpan<UInt32>) -> Void) {
    let row = y &- bounds.minY
    if !isCleared[row] { clear(row, around: nil, offset: 0) }
    withPixels(of: row, in: region, body)
  }

  /// Draws runs of one colour into a row of a region, which is within the bounds.
  @inline(__always)
  mutating func draw(
    _ word: UInt32, y: Int, of region: PixelRect, _ runs: Span<CoverageRun>, _ coverage: Span<UInt8>
  ) {
    let row = y &- bounds.minY
    if !isCleared[row] {
      clear(row, around: PixelWord.alpha(word) == 255 ? runs : nil, offset: region.minX &- bounds.minX)
    }
    withPixels(of: row, in: region) { pixels in drawSolid(word, &pixels, runs, coverage) }
  }

  @inline(__always)
  private mutating func withPixels(
    of row: Int, in region: PixelRect, _ body: (inout MutableSpan<UInt32>) -> Void
  ) {
    let start = row &* bounds.width &+ region.minX &- bounds.minX
    withPixelWords(&pixels) { words in
      var part = words._mutatingExtracting(start..<start &+ region.width)
      body(&part)
    }
  }

  /// Clears a row, except for the fully covered runs of an opaque colour that is about to be drawn.
  ///
  /// - Parameter offset: the column at which the runs' columns begin.
  @inline(never)
  private mutating func clear(_ row: Int, around runs: Span<CoverageRun>?, offset: Int) {
    isCleared[row] = true
    isUndrawn = false
    let width = bounds.width
    withPixelWords(&pixels) { words in
      var part = words._mutatingExtracting(row &* width..<(row &+ 1) &* width)
      var start = 0
      if let runs {
        for index in runs.indices where runs[index].solid == 255 {
          let end = offset &+ Int(runs[index].x)
          clearPixels(start..<end, of: &part)
          start = end &+ Int(runs[index].count)
        }
      }
      clearPixels(start..<width, of: &part)
    }
  }

  /// Clears the rows that have not been drawn into.
  mutating func clearRemainingRows() {
    for row in isCleared.indices where !isCleared[row] { clear(row, around: nil, offset: 0) }
  }

  /// The pixels. Clears a copy, unless all rows are cleared.
  var layer: Layer {
    if isCleared.allSatisfy({ $0 }) { return Layer(unchecked: bounds, pixels: pixels) }
    var copy = self
    copy.clearRemainingRows()
    return Layer(unchecked: bounds, pixels: copy.pixels)
  }
}

@inline(__always)
private func clearPixels(_ columns: Range<Int>, of row: inout MutableSpan<UInt32>) {
  var part = row._mutatingExtracting(columns)
  for index in part.indices { part[index] = 0 }
}

@inline(__always)
private func drawSolid(
  _ word: UInt32, _ row: inout MutableSpan<UInt32>, _ runs: Span<CoverageRun>, _ coverage: Span<UInt8>
) {
  let isOpaque = PixelWord.alpha(word) == 255
  for index in runs.indices {
    let run = runs[index]
    let columns = Int(run.x)..<Int(run.x &+ run.count)
    var target = row._mutatingExtracting(columns)
    if run.solid == 0 {
      compositeRow(&target, with: word, coverage: coverage.extracting(columns))
    } else if run.solid == 255, isOpaque {
      for index in target.indices { target[index] = word }
    } else {
      compositeRow(&target, with: PixelWord.scaled(word, by: UInt32(run.solid)))
    }
  }
}
