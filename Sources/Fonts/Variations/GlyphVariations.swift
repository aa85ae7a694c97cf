// The variation of TrueType glyph points over the design space (OpenType, `gvar` and the tuple variation store). Points
// not listed in a tuple follow their neighbours on the contour.

internal import ImageCore

/// The deltas of all glyphs.
struct GlyphVariations: Sendable {
  private enum TupleFlag {
    static let embeddedPeak = 0x8000
    static let intermediateRegion = 0x4000
    static let privatePoints = 0x2000
    static let index = 0x0FFF
  }

  /// The maximum number of deltas per glyph.
  private static let maximumDeltaCount = 1 << 21
  /// The work units for a tuple, for each axis of its region, for reading the number and the deltas of a point, and for a
  /// point of the glyph, whose delta may be interpolated.
  private static let workPerTuple = 300
  private static let workPerAxis = 10
  private static let workPerPointNumber = 4
  private static let workPerDelta = 4
  private static let workPerPoint = 30

  private let table: TableBytes
  private let axisCount: Int

  /// Returns `nil` if the font lacks the table.
  init?(_ table: TableBytes) {
    guard table.uint16(at: 0) == 1, table.uint16(at: 4) > 0 else { return nil }
    self.table = table
    axisCount = table.uint16(at: 4)
  }

  /// The four phantom points after a glyph's own, which represent its metrics: left, right, top and bottom.
  struct PhantomDeltas: Sendable {
    var left = 0.0
    var right = 0.0
    var top = 0.0
    var bottom = 0.0
  }

  /// Moves the points of an outline.
  func apply(
    to outline: inout OutlinePoints, glyph: GlyphID, coordinates: [Double], budget: inout ResourceBudget
  ) throws(GlyphFailure) -> PhantomDeltas {
    var deltas = PointDeltas(outline.points, contourEnds: outline.contourEnds)
    try accumulate(&deltas, glyph: glyph, coordinates: coordinates, &budget)
    for index in outline.points.indices {
      outline.points[index].x += deltas.x[index]
      outline.points[index].y += deltas.y[index]
    }
    return deltas.phantoms
  }

  /// Moves the anchors of a composite glyph's components; each is a point without neighbours.
  func apply(
    toAnchors anchors: inout [OutlinePoints.Element], glyph: GlyphID, coordinates: [Double],
    budget: inout ResourceBudget
  ) throws(GlyphFailure) -> PhantomDeltas {
    var deltas = PointDeltas(anchors, contourEnds: [])
    try accumulate(&deltas, glyph: glyph, coordinates: coordinates, &budget)
    for index in anchors.indices {
      anchors[index].x += deltas.x[index]
      anchors[index].y += deltas.y[index]
    }
    return deltas.phantoms
  }

  private func data(of glyph: GlyphID) -> TableBytes {
    guard glyph.index < table.uint16(at: 12) else { return .empty }
    let start = table.uint32(at: 16)
    let isLong = table.uint16(at: 14) & 1 != 0
    let first = isLong ? table.uint32(at: 20 + glyph.index * 4) : table.uint16(at: 20 + glyph.index * 2) * 2
    let last = isLong ? table.uint32(at: 24 + glyph.index * 4) : table.uint16(at: 22 + glyph.index * 2) * 2
    return last > first ? table.part(at: start + first, count: last - first) : .empty
  }

  private func accumulate(
    _ deltas: inout PointDeltas, glyph: GlyphID, coordinates: [Double], _ budget: inout ResourceBudget
  ) throws(GlyphFailure) {
    let data = data(of: glyph)
    let count = data.uint16(at: 0)
    var reader = PackedReader(data, at: data.uint16(at: 2))
    // Point numbers shared by several tuples are stored once, before the deltas.
    let sharedPoints = count & 0x8000 != 0 ? reader.readPoints(limit: deltas.count) : nil
    try budget.chargeGlyphWork((sharedPoints?.count ?? 0) * Self.workPerPointNumber)
    var header = 4
    var remaining = GlyphVariations.maximumDeltaCount
    for _ in 0..<(count & 0x0FFF) where remaining > 0 {
      try budget.chargeGlyphWork(Self.workPerTuple + coordinates.count * Self.workPerAxis)
      let size = data.uint16(at: header)
      let flags = data.uint16(at: header + 2)
      let start = reader.position
      let (scalar, headerSize) = scalar(data, at: header, flags: flags, coordinates: coordinates)
      header += headerSize
      if scalar != 0 {
        let points =
          flags & TupleFlag.privatePoints != 0 ? reader.readPoints(limit: deltas.count) : sharedPoints ?? .all
        let deltaCount = points.count ?? deltas.count
        remaining -= deltaCount + deltas.count
        // The deltas of points that a tuple omits are interpolated.
        let workPerPoint = points.count == nil ? Self.workPerDelta : Self.workPerPoint
        try budget.chargeGlyphWork(deltaCount * Self.workPerDelta + deltas.count * workPerPoint)
        let x = reader.readDeltas(deltaCount)
        let y = reader.readDeltas(deltaCount)
        deltas.add(x, y, points, scalar)
      }
      reader.position = start + size
      guard data.contains(header, 4) else { break }
    }
  }

  /// Returns the scalar of a tuple at a position in the design space, and the size of its header.
  private func scalar(
    _ data: TableBytes, at header: Int, flags: Int, coordinates: [Double]
  ) -> (scalar: Double, headerSize: Int) {
    let size = axisCount * 2
    var position = header + 4
    let hasPeak = flags & TupleFlag.embeddedPeak != 0
    let shared = table.uint32(at: 8) + (flags & TupleFlag.index) * size
    if !hasPeak, flags & TupleFlag.index >= table.uint16(at: 6) { return (0, 4) }
    let peak = position
    if hasPeak { position += size }
    let hasRegion = flags & TupleFlag.intermediateRegion != 0
    let region = position
    if hasRegion { position += 2 * size }
    var result = 1.0
    for axis in 0..<min(axisCount, coordinates.count) {
      let top = hasPeak ? data.fraction14(at: peak + axis * 2) : table.fraction14(at: shared + axis * 2)
      if top == 0 { continue }
      result *= VariationRegion.factor(
        start: hasRegion ? data.fraction14(at: region + axis * 2) : min(top, 0), peak: top,
        end: hasRegion ? data.fraction14(at: region + size + axis * 2) : max(top, 0), coordinate: coordinates[axis])
      if result == 0 { break }
    }
    return (result, position - header)
  }
}
