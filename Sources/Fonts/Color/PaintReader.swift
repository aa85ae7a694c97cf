// Parses the numbers of single paints: fills with colours and gradients, and transforms (OpenType, `COLR`, formats 2 to
// 9 and 12 to 31). Each odd format is the variable form of the even format before it.

internal import ImageCore
internal import VectorGraphics

/// Parses paints.
struct PaintReader {
  let colors: ColorGlyphTable
  let palette: ColorPalette
  let coordinates: [Double]
  /// The work units spent on variations.
  private(set) var work = 0

  /// The work units for a stop of a gradient, which is parsed, sorted and converted.
  private static let workPerStop = 200
  /// The bytes of a stop in the lists that are made of a gradient, in arrays that grow by doubling.
  private static let bytesPerStop = 4 * MemoryLayout<GradientRamp.Stop>.stride

  private var table: TableBytes { colors.table }

  /// Reads consecutive numbers and adds their variation deltas.
  private struct Fields {
    let table: TableBytes
    var position: Int
    var number = 0
    let deltas: ColorGlyphTable.VariationDeltas
    var work = 0

    private mutating func delta() -> Double {
      defer { number += 1 }
      return deltas.delta(number, work: &work)
    }

    mutating func distance() -> Double {
      defer { position += 2 }
      return Double(table.int16(at: position)) + delta()
    }

    mutating func radius() -> Double {
      defer { position += 2 }
      return max(0, Double(table.uint16(at: position)) + delta())
    }

    mutating func fraction() -> Double {
      defer { position += 2 }
      return table.fraction14(at: position) + delta() / 16384
    }

    mutating func fixed() -> Double {
      defer { position += 4 }
      return table.fixed(at: position) + delta() / 65536
    }

    mutating func point() -> Point {
      let x = distance()
      return Point(x: x, y: distance())
    }
  }

  /// - Parameter size: the byte count of all numbers; the variation index follows them.
  private func fields(at position: Int, size: Int, varies: Bool) -> Fields {
    Fields(
      table: table, position: position,
      deltas: ColorGlyphTable.VariationDeltas(colors, at: varies ? position + size : nil, coordinates: coordinates))
  }

  // MARK: Fills

  /// Parses a fill; `nil` for a gradient that paints nothing.
  ///
  /// - Parameter budget: charged for variations, and for the stops of gradients, whose memory stays charged.
  mutating func fill(
    at offset: Int, _ transform: AffineTransform, budget: inout ResourceBudget
  ) throws(CodecError) -> GlyphPaint? {
    let format = table.uint8(at: offset)
    let varies = format & 1 == 1
    if format <= 3 {
      var fields = fields(at: offset + 3, size: 2, varies: varies)
      let alpha = min(max(fields.fraction(), 0), 1)
      work += fields.work
      return .solid(palette[table.uint16(at: offset + 1)].withOpacity(alpha))
    }
    let lineOffset = offset + table.uint24(at: offset + 1)
    let stops = try stops(at: lineOffset, varies: varies, &budget)
    guard let line = ColorLine(stops, spread: spread(at: lineOffset)) else { return nil }
    switch format {
    case 4, 5:
      var fields = fields(at: offset + 4, size: 12, varies: varies)
      let (start, end, turn) = (fields.point(), fields.point(), fields.point())
      work += fields.work
      return line.linear(start, end, turn, transform)
    case 6, 7:
      var fields = fields(at: offset + 4, size: 12, varies: varies)
      let first = (fields.point(), fields.radius())
      let last = (fields.point(), fields.radius())
      work += fields.work
      return line.radial(first, last, transform)
    default:
      var fields = fields(at: offset + 4, size: 8, varies: varies)
      let center = fields.point()
      // Angles are stored with -1 for 0° and 1 for a full turn.
      let start = (fields.fraction() + 1) * .pi
      let end = (fields.fraction() + 1) * .pi
      work += fields.work
      return line.sweep(center, start, end, transform)
    }
  }

  /// The stops of a gradient, as stored in the table.
  private func stops(
    at offset: Int, varies: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [GradientRamp.Stop] {
    let size = varies ? 10 : 6
    let count = min(table.uint16(at: offset + 1), max(0, table.count - offset) / size)
    try budget.allocate(count: count, bytesEach: Self.bytesPerStop)
    try budget.chargeWork(count: count, unitsEach: Self.workPerStop)
    var stops: [GradientRamp.Stop] = []
    stops.reserveCapacity(count)
    for index in 0..<count {
      let record = offset + 3 + index * size
      let deltas = ColorGlyphTable.VariationDeltas(colors, at: varies ? record + 6 : nil, coordinates: coordinates)
      var work = 0
      let alpha = table.fraction14(at: record + 4) + deltas.delta(1, work: &work) / 16384
      let position = table.fraction14(at: record) + deltas.delta(0, work: &work) / 16384
      if work > 0 { try budget.chargeWork(work) }
      stops.append(
        GradientRamp.Stop(
          offset: position, color: palette[table.uint16(at: record + 2)].withOpacity(min(max(alpha, 0), 1))))
    }
    return stops
  }

  /// Returns the extend mode of a gradient's colour line.
  private func spread(at offset: Int) -> GradientRamp.Spread {
    switch table.uint8(at: offset) {
    case 1: .repeat
    case 2: .reflect
    default: .pad
    }
  }

  // MARK: Transforms

  /// Parses the transform of a paint.
  mutating func transform(at offset: Int) -> AffineTransform {
    let format = table.uint8(at: offset)
    let varies = format & 1 == 1
    // In the second of two related formats, a centre follows.
    func own(_ size: Int, isCentred: Bool) -> Fields {
      self.fields(at: offset + 4, size: isCentred ? size + 4 : size, varies: varies)
    }
    var fields: Fields
    let result: AffineTransform
    switch format & ~1 {
    case 12:
      fields = self.fields(at: offset + table.uint24(at: offset + 4), size: 24, varies: varies)
      let (xx, yx, xy, yy) = (fields.fixed(), fields.fixed(), fields.fixed(), fields.fixed())
      let dx = fields.fixed()
      result = AffineTransform(xx, yx, xy, yy, dx, fields.fixed())
    case 14:
      fields = own(4, isCentred: false)
      let shift = fields.point()
      result = .translation(x: shift.x, y: shift.y)
    case 16, 18:
      fields = own(4, isCentred: format >= 18)
      let (x, y) = (fields.fraction(), fields.fraction())
      result = around(format >= 18 ? fields.point() : .zero, .scale(x: x, y: y))
    case 20, 22:
      fields = own(2, isCentred: format >= 22)
      let factor = fields.fraction()
      result = around(format >= 22 ? fields.point() : .zero, .scale(x: factor, y: factor))
    case 24, 26:
      fields = own(2, isCentred: format >= 26)
      let angle = fields.fraction() * .pi
      result = around(format >= 26 ? fields.point() : .zero, .rotation(angle))
    default:
      fields = own(4, isCentred: format >= 30)
      let x = ElementaryFunctions.tangent(fields.fraction() * .pi)
      let y = ElementaryFunctions.tangent(fields.fraction() * .pi)
      result = around(format >= 30 ? fields.point() : .zero, AffineTransform(1, y, -x, 1, 0, 0))
    }
    work += fields.work
    return result
  }

  private func around(_ center: Point, _ transform: AffineTransform) -> AffineTransform {
    .translation(x: center.x, y: center.y) * transform * .translation(x: -center.x, y: -center.y)
  }
}
