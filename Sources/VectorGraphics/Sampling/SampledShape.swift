// Coverage by samples: four by four in each pixel, or its middle alone. Windings are counted at every sample, so edges
// that lie on each other do not add up.

internal import ImageCore

/// A path as edges, ready to be sampled.
struct SampledShape {
  private var edges: [SampledEdge]
  private let surface: PixelRect
  private let sampleShift: Int
  /// The pixels of the surface that can be covered.
  let bounds: PixelRect

  /// - Parameters:
  ///   - surface: the pixels of the layer that is drawn into; paths are cut at its borders.
  ///   - isAntialiased: whether there are sixteen samples in a pixel.
  init(
    _ path: Path, transform: AffineTransform, surface: PixelRect, isAntialiased: Bool, budget: inout RasterBudget
  ) throws(DecodeError) {
    self.surface = surface
    sampleShift = isAntialiased ? 2 : 0
    edges = []
    let map = SinglePrecisionMap(transform, origin: surface)
    var control = ControlBounds()
    for point in path.points { control.add(map.apply(point)) }
    let area = Rect(x: 0, y: 0, width: Double(surface.width), height: Double(surface.height))
    // Lines along an axis cover nothing.
    guard let box = control.rect, box.width > 0x1p-12, box.height > 0x1p-12,
      let visible = PixelRect(covering: box).rect.intersection(area)
    else {
      bounds = .empty
      return
    }
    let pixels = PixelRect(covering: visible)
    bounds = PixelRect(
      minX: surface.minX + pixels.minX, minY: surface.minY + pixels.minY, maxX: surface.minX + pixels.maxX,
      maxY: surface.minY + pixels.maxY)
    let isInside = box.minX >= 0 && box.minY >= 0 && box.maxX <= area.maxX && box.maxY <= area.maxY
    var clipper = SampledClipper(clip: isInside ? nil : area, sampleShift: sampleShift)
    // What is open is filled as if it were closed.
    var (start, pen) = (Point.zero, Point.zero)
    for segment in path.segments {
      if clipper.builder.lineCount > budget.segmentCount { break }
      switch segment {
      case .move(let to):
        if pen != start { clipper.addLine(pen, start) }
        start = map.apply(to)
        pen = start
      case .line(_, let to), .close(_, let to):
        let end = map.apply(to)
        clipper.addLine(pen, end)
        pen = end
      case .quad(_, let control, let to):
        let end = map.apply(to)
        clipper.addQuad(QuadCurve(pen, map.apply(control), end))
        pen = end
      case .cubic(_, let control1, let control2, let to):
        let end = map.apply(to)
        clipper.addCubic(CubicCurve(pen, map.apply(control1), map.apply(control2), end))
        pen = end
      }
    }
    if pen != start { clipper.addLine(pen, start) }
    try budget.spendSegments(clipper.builder.lineCount)
    edges = clipper.builder.edges
  }

  /// Draws the shape into a sink. Returns what the work is worth in pixels.
  ///
  /// - Parameter region: the pixels that are drawn, within the surface.
  mutating func draw<Sink: CoverageSink & ~Copyable>(
    _ rule: Fill.Rule, region: PixelRect, into sink: inout Sink
  ) -> Int {
    let rows = bounds.intersection(region)
    guard !rows.isEmpty, !edges.isEmpty else { return 0 }
    edges.sort { $0.firstRow < $1.firstRow }
    var row = SampledRow(width: region.width, offset: (region.minX - surface.minX) << sampleShift, sampleShift)
    var active: [SampledEdge] = []
    var next = 0
    var work = 0
    for y in rows.minY..<rows.maxY {
      for sample in 0..<1 << sampleShift {
        let line = (y - surface.minY) << sampleShift + sample
        while next < edges.count, edges[next].firstRow <= line {
          if edges[next].endRow > line { active.append(edges[next].advanced(to: line)) }
          next += 1
        }
        active.removeAll { $0.endRow <= line }
        row.add(active, sample: sample, rule)
        for index in active.indices { active[index].x &+= active[index].slope }
        work += active.count
      }
      work += row.give(to: &sink, y: y - region.minY)
    }
    return work
  }
}

extension SampledEdge {
  /// The edge as it is further down.
  fileprivate func advanced(to row: Int) -> SampledEdge {
    var result = self
    result.x &+= slope &* (row - firstRow)
    result.firstRow = row
    return result
  }
}

/// The smallest rectangle with some points; none with a point that is not finite.
private struct ControlBounds {
  private var low = Point(x: .infinity, y: .infinity)
  private var high = Point(x: -.infinity, y: -.infinity)
  private var isFinite = true

  mutating func add(_ point: Point) {
    isFinite = isFinite && point.isFinite
    low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
    high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
  }

  var rect: Rect? { isFinite && low.x <= high.x ? Rect(low, high) : nil }
}

/// The samples of one row of pixels, counted.
private struct SampledRow {
  private var amounts: [Int32]
  private var coverage: [UInt8]
  private var first = Int.max
  private var end = 0
  private var crossings: [(column: Int, winding: Int)] = []
  private let offset: Int
  private let sampleShift: Int

  init(width: Int, offset: Int, _ sampleShift: Int) {
    amounts = [Int32](repeating: 0, count: width)
    coverage = [UInt8](repeating: 0, count: width)
    self.offset = offset
    self.sampleShift = sampleShift
  }

  /// Adds one row of samples.
  mutating func add(_ edges: [SampledEdge], sample: Int, _ rule: Fill.Rule) {
    crossings.removeAll(keepingCapacity: true)
    for edge in edges { crossings.append(((edge.x &+ 0x8000) >> 16 - offset, edge.winding)) }
    crossings.sort { $0.column < $1.column }
    var winding = 0
    var start = 0
    for crossing in crossings {
      let wasInside = rule == .nonZero ? winding != 0 : winding & 1 != 0
      winding += crossing.winding
      let isInside = rule == .nonZero ? winding != 0 : winding & 1 != 0
      if isInside, !wasInside { start = crossing.column }
      if wasInside, !isInside { addSpan(start, crossing.column, sample) }
    }
  }

  private mutating func addSpan(_ from: Int, _ to: Int, _ sample: Int) {
    let start = max(from, 0)
    let stop = min(to, amounts.count << sampleShift)
    guard start < stop else { return }
    let mask = 1 << sampleShift - 1
    let (firstPixel, lastPixel) = (start >> sampleShift, (stop - 1) >> sampleShift)
    first = min(first, firstPixel)
    end = max(end, lastPixel + 1)
    // A sample is 16 of 256; a row of them in a whole pixel 64, in the last row 63.
    let weight = Int32(256 >> (2 * sampleShift))
    let whole = Int32(256 >> sampleShift) - (sample == mask ? 1 : 0)
    for pixel in firstPixel...lastPixel {
      let count = min(stop, (pixel + 1) << sampleShift) - max(start, pixel << sampleShift)
      amounts[pixel] += count > mask ? whole : Int32(count) * weight
    }
  }

  /// Gives the row to a sink and empties it. Returns its pixels.
  mutating func give<Sink: CoverageSink & ~Copyable>(to sink: inout Sink, y: Int) -> Int {
    guard first < end else { return 0 }
    for pixel in first..<end {
      coverage[pixel] = UInt8(clamping: amounts[pixel])
      amounts[pixel] = 0
    }
    let run = CoverageRun(x: Int32(truncatingIfNeeded: first), count: Int32(truncatingIfNeeded: end - first), solid: 0)
    let runs = [run]
    sink.consume(y: y, runs: runs.span, coverage: coverage.span)
    let count = end - first
    (first, end) = (Int.max, 0)
    return count
  }
}
