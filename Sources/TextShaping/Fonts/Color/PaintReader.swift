// Parses the numbers of single paints: fills with colours and gradients, and transforms (OpenType, `COLR`, formats 2 to
// 9 and 12 to 31). Each odd format is the variable form of the even format before it.

internal import ImageCore
internal import VectorGraphics

/// Parses paints.
struct PaintReader {
  let colors: ColorGlyphTable
  let palette: ColorPalette
  let coordinates: [Double]

  private var table: TableBytes { colors.table }

  /// Reads consecutive numbers and adds their variation deltas.
  private struct Fields {
    let table: TableBytes
    var position: Int
    var number = 0
    let deltas: (Int) -> Double

    private mutating func delta() -> Double {
      defer { number += 1 }
      return deltas(number)
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
      deltas: colors.deltas(at: varies ? position + size : nil, coordinates: coordinates))
  }

  // MARK: Fills

  /// Parses a fill; `nil` for a gradient that paints nothing.
  func fill(at offset: Int, _ transform: AffineTransform) -> GlyphPaint? {
    let format = table.uint8(at: offset)
    let varies = format & 1 == 1
    if format <= 3 {
      var fields = fields(at: offset + 3, size: 2, varies: varies)
      return .solid(palette[table.uint16(at: offset + 1)].withOpacity(min(max(fields.fraction(), 0), 1)))
    }
    guard let line = ColorLine(self, at: offset + table.uint24(at: offset + 1), varies: varies) else { return nil }
    switch format {
    case 4, 5:
      var fields = fields(at: offset + 4, size: 12, varies: varies)
      let (start, end, turn) = (fields.point(), fields.point(), fields.point())
      return line.linear(start, end, turn, transform)
    case 6, 7:
      var fields = fields(at: offset + 4, size: 12, varies: varies)
      let first = (fields.point(), fields.radius())
      let last = (fields.point(), fields.radius())
      return line.radial(first, last, transform)
    default:
      var fields = fields(at: offset + 4, size: 8, varies: varies)
      let center = fields.point()
      // Angles are stored with -1 for 0° and 1 for a full turn.
      let start = (fields.fraction() + 1) * .pi
      return line.sweep(center, start, (fields.fraction() + 1) * .pi, transform)
    }
  }

  /// The stops of a gradient, as stored in the table.
  func stops(at offset: Int, varies: Bool) -> [GradientRamp.Stop] {
    let size = varies ? 10 : 6
    let count = min(table.uint16(at: offset + 1), max(0, table.count - offset) / size)
    return (0..<count).map { index in
      let record = offset + 3 + index * size
      let deltas = colors.deltas(at: varies ? record + 6 : nil, coordinates: coordinates)
      let alpha = table.fraction14(at: record + 4) + deltas(1) / 16384
      return GradientRamp.Stop(
        offset: table.fraction14(at: record) + deltas(0) / 16384,
        color: palette[table.uint16(at: record + 2)].withOpacity(min(max(alpha, 0), 1)))
    }
  }

  /// How a gradient extends beyond its colour line.
  func spread(at offset: Int) -> GradientRamp.Spread {
    switch table.uint8(at: offset) {
    case 1: .repeat
    case 2: .reflect
    default: .pad
    }
  }

  // MARK: Transforms

  /// Parses the transform of a paint.
  func transform(at offset: Int) -> AffineTransform {
    let format = table.uint8(at: offset)
    let varies = format & 1 == 1
    switch format & ~1 {
    case 12:
      var fields = fields(at: offset + table.uint24(at: offset + 4), size: 24, varies: varies)
      let (xx, yx, xy, yy) = (fields.fixed(), fields.fixed(), fields.fixed(), fields.fixed())
      let dx = fields.fixed()
      return AffineTransform(xx, yx, xy, yy, dx, fields.fixed())
    case 14:
      var fields = fields(at: offset + 4, size: 4, varies: varies)
      let shift = fields.point()
      return .translation(x: shift.x, y: shift.y)
    case 16, 18:
      let isCentred = format >= 18
      var fields = fields(at: offset + 4, size: isCentred ? 8 : 4, varies: varies)
      let (x, y) = (fields.fraction(), fields.fraction())
      return around(isCentred ? fields.point() : .zero, .scale(x: x, y: y))
    case 20, 22:
      let isCentred = format >= 22
      var fields = fields(at: offset + 4, size: isCentred ? 6 : 2, varies: varies)
      let factor = fields.fraction()
      return around(isCentred ? fields.point() : .zero, .scale(x: factor, y: factor))
    case 24, 26:
      let isCentred = format >= 26
      var fields = fields(at: offset + 4, size: isCentred ? 6 : 2, varies: varies)
      let angle = fields.fraction() * .pi
      return around(isCentred ? fields.point() : .zero, .rotation(angle))
    default:
      let isCentred = format >= 30
      var fields = fields(at: offset + 4, size: isCentred ? 8 : 4, varies: varies)
      let x = ElementaryFunctions.tangent(fields.fraction() * .pi)
      let y = ElementaryFunctions.tangent(fields.fraction() * .pi)
      return around(isCentred ? fields.point() : .zero, AffineTransform(1, y, -x, 1, 0, 0))
    }
  }

  private func around(_ center: Point, _ transform: AffineTransform) -> AffineTransform {
    .translation(x: center.x, y: center.y) * transform * .translation(x: -center.x, y: -center.y)
  }
}
