// Glyph outlines from `glyf`: simple contours, components placed by offsets or by matching points, and variations
// (OpenType, `glyf` and `gvar`).

internal import ImageCore
internal import VectorGraphics

/// Builds the glyph outlines of a TrueType font at one position in its design space.
struct TrueTypeOutlines {
  let table: GlyphTable
  let metrics: GlyphMetrics
  /// The deltas and the position in the design space; `nil` for the default instance.
  let variations: (deltas: GlyphVariations, coordinates: [Double])?
  private var limits = OutlineBudget()
  /// The deltas of the metrics of the last glyph, or of the component whose metrics it uses.
  private var phantoms = GlyphVariations.PhantomDeltas()
  /// The horizontal distance of that glyph's outline from the position given by its left side bearing.
  private var displacement = 0

  init(table: GlyphTable, metrics: GlyphMetrics, variations: (deltas: GlyphVariations, coordinates: [Double])?) {
    self.table = table
    self.metrics = metrics
    self.variations = variations
  }

  /// Returns the outline of a glyph; `nil` if it has no contours.
  ///
  /// - Throws: a failure of the glyph if its data is invalid or it has too many parts; a failure of the budget.
  mutating func outline(of glyph: GlyphID, budget: inout ResourceBudget) throws(GlyphFailure) -> Path? {
    let outline = try points(of: glyph, depth: 0, &budget)
    if outline.points.isEmpty { return nil }
    // If the outline's bounding box disagrees with the left side bearing, the bearing takes precedence, as in FreeType
    // and HarfBuzz.
    let shift = -Double(displacement) - phantoms.left
    return shift == 0 ? outline.path() : outline.path().transformed(by: .translation(x: shift, y: 0))
  }

  /// Returns the deltas of a glyph's phantom points.
  mutating func phantomDeltas(
    of glyph: GlyphID, budget: inout ResourceBudget
  ) throws(GlyphFailure) -> GlyphVariations.PhantomDeltas {
    _ = try points(of: glyph, depth: 0, &budget)
    return phantoms
  }

  /// Returns the points of a glyph. The recursion is limited to ``OutlineBudget/maximumDepth``.
  private mutating func points(
    of glyph: GlyphID, depth: Int, _ budget: inout ResourceBudget
  ) throws(GlyphFailure) -> OutlinePoints {
    try limits.spendComponent(&budget)
    guard depth < OutlineBudget.maximumDepth else {
      throw .exceeded("the components of a glyph are nested too deeply")
    }
    let bytes = try table.bytes(of: glyph)
    if bytes.isEmpty {
      var nothing = OutlinePoints()
      if let variations {
        phantoms = try variations.deltas.apply(
          to: &nothing, glyph: glyph, coordinates: variations.coordinates, budget: &budget)
      }
      return nothing
    }
    displacement = metrics.isEmpty ? 0 : bytes.int16(at: 2) - metrics.bearing(of: glyph)
    let contourCount = bytes.int16(at: 0)
    if contourCount >= 0 {
      var outline = try OutlinePoints(
        simpleGlyph: bytes, contourCount: contourCount, limits: &limits, budget: &budget)
      if let variations {
        phantoms = try variations.deltas.apply(
          to: &outline, glyph: glyph, coordinates: variations.coordinates, budget: &budget)
      }
      return outline
    }
    return try compositePoints(of: glyph, bytes, depth: depth, &budget)
  }

  private mutating func compositePoints(
    of glyph: GlyphID, _ bytes: TableBytes, depth: Int, _ budget: inout ResourceBudget
  ) throws(GlyphFailure) -> OutlinePoints {
    try budget.chargeGlyphWork(bytes.count * GlyphComponent.workPerByte)
    var components = GlyphComponent.components(bytes)
    var own = GlyphVariations.PhantomDeltas()
    var ownDisplacement = displacement
    if let variations {
      // For variations, the anchor of each component counts as a point of the glyph.
      var anchors = components.map {
        OutlinePoints.Element(x: $0.placesByPoints ? 0 : $0.x, y: $0.placesByPoints ? 0 : $0.y, isOnCurve: true)
      }
      own = try variations.deltas.apply(
        toAnchors: &anchors, glyph: glyph, coordinates: variations.coordinates, budget: &budget)
      for index in components.indices where !components[index].placesByPoints {
        components[index].x = anchors[index].x
        components[index].y = anchors[index].y
      }
    }
    var result = OutlinePoints()
    for component in components {
      var part = try points(of: component.glyph, depth: depth + 1, &budget)
      try limits.spendPoints(part.points.count, &budget)
      if component.lendsMetrics { (own, ownDisplacement) = (phantoms, displacement) }
      component.place(&part, on: result)
      result.append(part)
    }
    (phantoms, displacement) = (own, ownDisplacement)
    return result
  }
}

/// A component of a composite glyph.
struct GlyphComponent {
  /// The work units for parsing a byte.
  static let workPerByte = 8

  private enum Flag {
    static let wordArguments = 0x0001
    static let argumentsAreOffsets = 0x0002
    static let hasScale = 0x0008
    static let moreComponents = 0x0020
    static let hasTwoScales = 0x0040
    static let hasMatrix = 0x0080
    static let useMyMetrics = 0x0200
    static let scaledOffset = 0x0800
    static let unscaledOffset = 0x1000
  }

  var glyph: GlyphID
  /// The offset, or the indices of the points to align: one in the glyph so far, one in the component.
  var x: Double
  var y: Double
  var placesByPoints: Bool
  /// Whether the offset is scaled with the component.
  var scalesOffset: Bool
  /// Whether the glyph uses the metrics of this component.
  var lendsMetrics: Bool
  var xx = 1.0
  var xy = 0.0
  var yx = 0.0
  var yy = 1.0

  /// Parses the components of a composite glyph; any past the end of its bytes are ignored.
  static func components(_ bytes: TableBytes) -> [GlyphComponent] {
    var result: [GlyphComponent] = []
    var position = 10
    while bytes.contains(position, 6) {
      let flags = bytes.uint16(at: position)
      result.append(GlyphComponent(bytes, at: &position, flags: flags))
      if flags & Flag.moreComponents == 0 { break }
    }
    return result
  }

  private init(_ bytes: TableBytes, at position: inout Int, flags: Int) {
    glyph = GlyphID(UInt16(bytes.uint16(at: position + 2)))
    placesByPoints = flags & Flag.argumentsAreOffsets == 0
    scalesOffset = flags & Flag.scaledOffset != 0 && flags & Flag.unscaledOffset == 0
    lendsMetrics = flags & Flag.useMyMetrics != 0
    position += 4
    if flags & Flag.wordArguments != 0 {
      x = Double(placesByPoints ? bytes.uint16(at: position) : bytes.int16(at: position))
      y = Double(placesByPoints ? bytes.uint16(at: position + 2) : bytes.int16(at: position + 2))
      position += 4
    } else {
      x = Double(placesByPoints ? bytes.uint8(at: position) : bytes.int8(at: position))
      y = Double(placesByPoints ? bytes.uint8(at: position + 1) : bytes.int8(at: position + 1))
      position += 2
    }
    if flags & Flag.hasScale != 0 {
      xx = bytes.fraction14(at: position)
      yy = xx
      position += 2
    } else if flags & Flag.hasTwoScales != 0 {
      xx = bytes.fraction14(at: position)
      yy = bytes.fraction14(at: position + 2)
      position += 4
    } else if flags & Flag.hasMatrix != 0 {
      xx = bytes.fraction14(at: position)
      xy = bytes.fraction14(at: position + 2)
      yx = bytes.fraction14(at: position + 4)
      yy = bytes.fraction14(at: position + 6)
      position += 8
    }
  }

  /// Moves the component's points to their position in the glyph.
  func place(_ part: inout OutlinePoints, on glyph: OutlinePoints) {
    for index in part.points.indices {
      let point = part.points[index]
      part.points[index].x = point.x * xx + point.y * yx
      part.points[index].y = point.x * xy + point.y * yy
    }
    var (dx, dy) = (x, y)
    if placesByPoints {
      let (anchor, own) = (Int(x), Int(y))
      guard anchor < glyph.points.count, own < part.points.count else { return }
      dx = glyph.points[anchor].x - part.points[own].x
      dy = glyph.points[anchor].y - part.points[own].y
    } else if scalesOffset {
      dx *= (xx * xx + xy * xy).squareRoot()
      dy *= (yx * yx + yy * yy).squareRoot()
    }
    if dx == 0, dy == 0 { return }
    for index in part.points.indices {
      part.points[index].x += dx
      part.points[index].y += dy
    }
  }
}
