// Converts paths to clipped edges on a grid of 1/256 pixel, the input of the rasteriser.
//
// Edges are relative to the clip's top left corner. Parts above, below or to the right of the clip do not affect any
// pixel in it and are dropped; parts to the left are moved to the left border. Lines are rounded to the grid before
// they are clipped to rows, so a pixel does not depend on how many rows are drawn at a time.

internal import ImageCore

/// A downward line, in 1/256 pixels from the clip's corner.
struct Edge: Sendable {
  var x0: Int32
  var y0: Int32
  var x1: Int32
  var y1: Int32
  /// 1 for a line that was downward in the path, -1 for one that was upward.
  var winding: Int32
  /// The next edge of the same band, or -1.
  var next: Int32 = -1
}

/// The edges of the next shape to be drawn.
struct EdgeList: Sendable {
  /// The number of grid steps per pixel.
  static let unit = 256.0

  var edges: [Edge] = []
  /// Whether parts to the right of the clip were dropped, so that not every row has as many upward as downward lines.
  private(set) var isCutAtRight = false
  /// The number of lines added since the list was cleared, including those outside the clip.
  private(set) var lineCount = 0
  /// The number of lines already charged to the budget.
  private var chargedLineCount = 0
  private static let maximumUnchargedLineCount = 1 << 14
  private static let maximumUnchargedCellCount = 1 << 20
  /// The approximate number of cells that the edges cross, which determines the cost of drawing them.
  private var cellCount = 0
  /// The number of pixels that can be shaded in the time it takes to draw one cell of an edge.
  private static let pixelsPerCell = 16
  private(set) var minX = Int32.max
  private(set) var maxX = Int32.min
  private(set) var minY = Int32.max
  private(set) var maxY = Int32.min
  /// The rows of the whole canvas, to which lines extend.
  var canvasRows = 0..<0
  private var clip = PixelRect.empty
  // The sides of the clip and the vertical limits of lines, on the canvas' grid.
  private var left = 0.0
  private var right = 0.0
  private var top = 0.0
  private var bottom = 0.0
  // The clip's corner on that grid. Differences fit 32 bits, but the coordinates themselves need not.
  private var originX: Int32 = 0
  private var originY: Int32 = 0
  private var clipBottom: Int32 = 0
  private var pen = Point.zero
  private var start = Point.zero

  /// Clears the list and sets the clip.
  mutating func reset(clip: PixelRect) {
    edges.removeAll(keepingCapacity: true)
    isCutAtRight = false
    lineCount = 0
    chargedLineCount = 0
    cellCount = 0
    (minX, maxX, minY, maxY) = (.max, .min, .max, .min)
    self.clip = clip
    left = Double(clip.minX) * EdgeList.unit
    right = Double(clip.maxX) * EdgeList.unit
    originX = Int32(truncatingIfNeeded: clip.minX << 8)
    originY = Int32(truncatingIfNeeded: clip.minY << 8)
    clipBottom = Int32(truncatingIfNeeded: clip.height << 8)
    var rows = clip.minY..<clip.maxY
    let common = min(rows.lowerBound, canvasRows.lowerBound)..<max(rows.upperBound, canvasRows.upperBound)
    if common.count <= RasterBudget.maximumSide { rows = common }
    top = Double(rows.lowerBound) * EdgeList.unit
    bottom = Double(rows.upperBound) * EdgeList.unit
  }

  /// The pixels of the canvas that the edges touch or enclose.
  var bounds: PixelRect {
    guard minX <= maxX, minY < maxY else { return .empty }
    return PixelRect(
      minX: clip.minX + Int(minX) >> 8, minY: clip.minY + Int(minY) >> 8, maxX: clip.minX + (Int(maxX) + 255) >> 8,
      maxY: clip.minY + (Int(maxY) + 255) >> 8)
  }

  /// Adds all subpaths, closing each, and charges their lines to the budget.
  mutating func add(_ path: Path, transform: AffineTransform, budget: inout RasterBudget) throws(CodecError) {
    let toGrid = AffineTransform.scale(x: EdgeList.unit, y: EdgeList.unit) * transform
    let flattener = Flattener(tolerance: Flattener.defaultTolerance * EdgeList.unit)
    let clipTop = Double(clip.minY) * EdgeList.unit
    let clipBottom = Double(clip.maxY) * EdgeList.unit
    let points = path.points
    var index = 0
    for verb in path.verbs {
      // A curve adds a bounded number of lines, so the list cannot exceed the budget by much.
      if lineCount > budget.segmentCount { break }
      switch verb {
      case .move:
        addLine(to: start)
        pen = gridPoint(toGrid, points[index]) ?? pen
        start = pen
      case .line:
        if let end = gridPoint(toGrid, points[index]) { addLine(to: end) }
      case .quad:
        if let control = gridPoint(toGrid, points[index]), let end = gridPoint(toGrid, points[index + 1]) {
          addQuad(control, end, flattener, clipTop, clipBottom)
        }
      case .cubic:
        if let control1 = gridPoint(toGrid, points[index]), let control2 = gridPoint(toGrid, points[index + 1]),
          let end = gridPoint(toGrid, points[index + 2])
        {
          addCubic(control1, control2, end, flattener, clipTop, clipBottom)
        }
      case .close:
        addLine(to: start)
      }
      index += verb.pointCount
      // A curve can become many lines, so their cost is charged before there are too many.
      if lineCount &- chargedLineCount > Self.maximumUnchargedLineCount || cellCount > Self.maximumUnchargedCellCount {
        try charge(&budget)
      }
    }
    addLine(to: start)
    pen = .zero
    start = .zero
    try charge(&budget)
  }

  /// Charges the lines and cells added since the last charge.
  private mutating func charge(_ budget: inout RasterBudget) throws(CodecError) {
    try budget.spendSegments(lineCount &- chargedLineCount, of: lineCount)
    // The rasteriser draws the cells, band by band.
    try budget.spendPixelsInParts(cellCount &* EdgeList.pixelsPerCell)
    chargedLineCount = lineCount
    cellCount = 0
  }

  /// Converts a point to the scale of the grid; `nil` for NaN. Points more than 10¹³ pixels away are moved closer,
  /// without visible effect.
  @inline(__always)
  private func gridPoint(_ transform: AffineTransform, _ point: Point) -> Point? {
    let mapped = transform.apply(point)
    let limit = 0x1p43
    if abs(mapped.x) < limit, abs(mapped.y) < limit { return mapped }
    if mapped.x.isNaN || mapped.y.isNaN { return nil }
    return Point(x: min(max(mapped.x, -limit), limit), y: min(max(mapped.y, -limit), limit))
  }

  private mutating func addQuad(
    _ control: Point, _ end: Point, _ flattener: Flattener, _ clipTop: Double, _ clipBottom: Double
  ) {
    let high = min(pen.y, min(control.y, end.y))
    let low = max(pen.y, max(control.y, end.y))
    let near = min(pen.x, min(control.x, end.x))
    let far = max(pen.x, max(control.x, end.x))
    if low <= clipTop || high >= clipBottom || near > right || far <= left {
      addLine(to: end)
      return
    }
    flattener.flattenQuad(pen, control, end) { point in addLine(to: point) }
  }

  private mutating func addCubic(
    _ control1: Point, _ control2: Point, _ end: Point, _ flattener: Flattener, _ clipTop: Double, _ clipBottom: Double
  ) {
    let high = min(min(pen.y, control1.y), min(control2.y, end.y))
    let low = max(max(pen.y, control1.y), max(control2.y, end.y))
    let near = min(min(pen.x, control1.x), min(control2.x, end.x))
    let far = max(max(pen.x, control1.x), max(control2.x, end.x))
    if low <= clipTop || high >= clipBottom || near > right || far <= left {
      addLine(to: end)
      return
    }
    flattener.flattenCubic(pen, control1, control2, end) { point in addLine(to: point) }
  }

  /// Adds a line from the current point.
  @inline(__always)
  private mutating func addLine(to end: Point) {
    let from = pen
    pen = end
    lineCount &+= 1
    if from.x >= left, from.x <= right, end.x >= left, end.x <= right, from.y >= top, from.y <= bottom,
      end.y >= top, end.y <= bottom
    {
      append(from, end)
    } else {
      addClipped(from, end)
    }
  }

  @inline(never)
  private mutating func addClipped(_ from: Point, _ to: Point) {
    var a = from
    var b = to
    if (a.y <= top && b.y <= top) || (a.y >= bottom && b.y >= bottom) { return }
    // The inside of a part cut off on the right is to its left, so pixels up to the border can be covered.
    if a.x >= right || b.x >= right {
      maxX = Int32(truncatingIfNeeded: clip.width << 8)
      isCutAtRight = true
    }
    if a.x >= right, b.x >= right { return }
    // Clip at the top and the bottom. Both intersections are computed from the whole line, so that they do not depend
    // on each other.
    let slope = (to.x - from.x) / (to.y - from.y)
    func cut(_ point: Point) -> Point {
      if point.y < top { return Point(x: from.x + (top - from.y) * slope, y: top) }
      if point.y > bottom { return Point(x: from.x + (bottom - from.y) * slope, y: bottom) }
      return point
    }
    a = cut(a)
    b = cut(b)
    // The parts to the left of, inside and to the right of the clip, in the order in which the line crosses them.
    let flips = a.x > b.x
    var low = flips ? b : a
    var high = flips ? a : b
    let rise = (to.y - from.y) / (to.x - from.x)
    if low.x < left {
      if high.x <= left {
        append(Point(x: left, y: a.y), Point(x: left, y: b.y))
        return
      }
      let crossing = Point(x: left, y: min(max(from.y + (left - from.x) * rise, top), bottom))
      appendPiece(Point(x: left, y: low.y), crossing, flips)
      low = crossing
    }
    if high.x > right {
      if low.x >= right { return }
      high = Point(x: right, y: min(max(from.y + (right - from.x) * rise, top), bottom))
    }
    appendPiece(low, high, flips)
  }

  private mutating func appendPiece(_ low: Point, _ high: Point, _ flips: Bool) {
    if flips { append(high, low) } else { append(low, high) }
  }

  /// Adds a line whose points are inside the clip's columns and the rows to which lines extend.
  @inline(__always)
  private mutating func append(_ a: Point, _ b: Point) {
    let x0 = nearestInt32(a.x) &- originX
    let y0 = nearestInt32(a.y) &- originY
    let x1 = nearestInt32(b.x) &- originX
    let y1 = nearestInt32(b.y) &- originY
    let upper = min(y0, y1)
    let lower = max(y0, y1)
    if upper == lower || lower <= 0 || upper >= clipBottom { return }
    cellCount &+= Int((abs(x1 &- x0) &+ min(lower, clipBottom) &- max(upper, 0)) &>> 8) &+ 1
    minX = min(minX, x0, x1)
    maxX = max(maxX, x0, x1)
    minY = min(minY, max(upper, 0))
    maxY = max(maxY, min(lower, clipBottom))
    if y0 < y1 {
      edges.append(Edge(x0: x0, y0: y0, x1: x1, y1: y1, winding: 1))
    } else {
      edges.append(Edge(x0: x1, y0: y1, x1: x0, y1: y0, winding: -1))
    }
  }
}

/// The nearest integer to a number within ±2^31, ties to even. Adding 1.5 · 2^52 leaves it in the lowest bits. Without
/// SSE4, `rounded()` would be a call into the C library.
@inline(__always)
func nearestInt32(_ value: Double) -> Int32 {
  Int32(truncatingIfNeeded: (value + 0x1.8p52).bitPattern)
}
