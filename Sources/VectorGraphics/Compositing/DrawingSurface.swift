// The layer being drawn into. Clearing it as a whole would write all of its memory twice: a row is cleared when it is
// first drawn into, and is then in the cache.

internal import ImageCore

/// A layer whose rows are transparent until they are drawn into.
struct DrawingSurface: Sendable {
  /// The area covered by the layer.
  let bounds: PixelRect
  /// Four bytes per pixel, arbitrary in rows that are not cleared. Not allocated before the first row is.
  private var pixels: PixelStorage
  /// Whether each row has been cleared.
  private var isCleared: [Bool]
  /// Whether nothing has been drawn, so that all pixels are transparent.
  private(set) var isUndrawn: Bool

  /// Creates a transparent layer. The caller ensures that the size is within its budget.
  init(bounds: PixelRect) {
    self.init(bounds: bounds, pixels: PixelStorage())
  }

  /// Creates a transparent layer whose pixels are in a band of as many bytes.
  init(bounds: PixelRect, band: consuming PictureBand) {
    precondition(band.byteCount == bounds.pixelCount * 4, "the band does not have the size of the layer")
    self.init(bounds: bounds, pixels: PixelStorage(band))
  }

  /// Draws on an existing layer.
  init(_ layer: consuming Layer) {
    self.init(bounds: layer.bounds, pixels: PixelStorage(layer.pixels))
    markAllAsCleared()
  }

  private init(bounds: PixelRect, pixels: consuming PixelStorage) {
    self.bounds = bounds
    self.pixels = pixels
    isCleared = [Bool](repeating: false, count: bounds.height)
    isUndrawn = true
  }

  /// Replaces all pixels by those of a layer of the same size.
  mutating func replace(with layer: consuming Layer) {
    pixels.replace(with: layer.pixels)
    markAllAsCleared()
  }

  /// Multiplies all pixels by the coverage of a mask that is at least as large.
  mutating func multiply(by mask: Mask, _ interruption: Interruption) throws(CodecError) {
    precondition(mask.bounds.intersection(bounds) == bounds, "the mask is smaller than the layer")
    if isUndrawn { return }
    let width = bounds.width
    for row in 0..<bounds.height {
      try interruption.check(row: row, width: width)
      let start = (bounds.minY + row - mask.bounds.minY) * mask.bounds.width + bounds.minX - mask.bounds.minX
      let amounts = mask.coverage.span.extracting(start..<start + width)
      if isFull(amounts) { continue }
      pixels.withWords { words in
        var part = words._mutatingExtracting(row &* width..<(row &+ 1) &* width)
        for index in part.indices { part[index] = PixelWord.scaled(part[index], by: UInt32(amounts[index])) }
      }
    }
  }

  /// Calls `body` with the pixels of a row that are inside a region, which is within the bounds.
  @inline(__always)
  mutating func withRow(_ y: Int, of region: PixelRect, _ body: (inout MutableSpan<UInt32>) -> Void) {
    let row = y &- bounds.minY
    if !isCleared[row] { clear(row) }
    withPixels(of: row, in: region, body)
  }

  /// Draws runs of one colour into a row of a region, which is within the bounds.
  @inline(__always)
  mutating func draw(
    _ word: UInt32, y: Int, of region: PixelRect, _ runs: Span<CoverageRun>, _ coverage: Span<UInt8>
  ) {
    let row = y &- bounds.minY
    if isCleared[row] {
      withPixels(of: row, in: region) { pixels in drawSolid(word, &pixels, runs, coverage) }
    } else {
      drawFirst(word, row, of: region, runs, coverage)
    }
  }

  @inline(__always)
  private mutating func withPixels(
    of row: Int, in region: PixelRect, _ body: (inout MutableSpan<UInt32>) -> Void
  ) {
    let start = row &* bounds.width &+ region.minX &- bounds.minX
    pixels.withWords { words in
      var part = words._mutatingExtracting(start..<start &+ region.width)
      body(&part)
    }
  }

  /// Clears a row.
  @inline(never)
  private mutating func clear(_ row: Int) {
    markAsCleared(row)
    let width = bounds.width
    pixels.withWords { words in
      var part = words._mutatingExtracting(row &* width..<(row &+ 1) &* width)
      fillPixels(0..<width, of: &part, with: 0)
    }
  }

  /// Draws the first runs of a row. Pixels are written from left to right and, but for edges, once: clearing the row
  /// around the runs before they are drawn takes up to three times as long.
  @inline(never)
  private mutating func drawFirst(
    _ word: UInt32, _ row: Int, of region: PixelRect, _ runs: Span<CoverageRun>, _ coverage: Span<UInt8>
  ) {
    markAsCleared(row)
    let width = bounds.width
    let offset = region.minX &- bounds.minX
    pixels.withWords { words in
      var part = words._mutatingExtracting(row &* width..<(row &+ 1) &* width)
      var end = 0
      for index in runs.indices {
        let run = runs[index]
        let columns = Int(run.x)..<Int(run.x &+ run.count)
        let start = offset &+ columns.lowerBound
        let runEnd = offset &+ columns.upperBound
        if run.solid == 0 {
          fillPixels(end..<runEnd, of: &part, with: 0)
          var target = part._mutatingExtracting(start..<runEnd)
          compositeRow(&target, with: word, coverage: coverage.extracting(columns))
        } else {
          fillPixels(end..<start, of: &part, with: 0)
          fillPixels(start..<runEnd, of: &part, with: PixelWord.scaled(word, by: UInt32(run.solid)))
        }
        end = runEnd
      }
      fillPixels(end..<width, of: &part, with: 0)
    }
  }

  private mutating func markAsCleared(_ row: Int) {
    if isUndrawn { pixels.allocate(byteCount: bounds.pixelCount * 4) }
    isCleared[row] = true
    isUndrawn = false
  }

  private mutating func markAllAsCleared() {
    isCleared = [Bool](repeating: true, count: bounds.height)
    isUndrawn = false
  }

  /// Clears the rows that have not been drawn into. The work has been charged for the layer.
  mutating func clearRemainingRows(_ interruption: Interruption) throws(CodecError) {
    for row in isCleared.indices where !isCleared[row] {
      try interruption.check(row: row, width: bounds.width)
      clear(row)
    }
  }

  /// The pixels. Copies them, unless all rows are cleared and there is no band.
  var layer: Layer {
    var copy = self
    for row in isCleared.indices where !isCleared[row] { copy.clear(row) }
    return Layer(unchecked: bounds, pixels: copy.pixels.makeBytes())
  }

  /// Ends the drawing of a band, whose rows are then all in its picture.
  mutating func finishBand(_ interruption: Interruption) throws(CodecError) {
    try clearRemainingRows(interruption)
    precondition(pixels.isBand, "the layer was copied while its band was drawn")
  }
}

/// Writes the same word to some columns. Never inlined with a constant: the compiler would call `memset` for zeros, which
/// uses string instructions that are slow among other writes.
@inline(never)
private func fillPixels(_ columns: Range<Int>, of row: inout MutableSpan<UInt32>, with word: UInt32) {
  var part = row._mutatingExtracting(columns)
  for index in part.indices { part[index] = word }
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
