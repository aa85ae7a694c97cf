// The shapes of decoration lines by `text-decoration-style`. Their proportions are left to implementations; these are
// similar to those of browsers.

internal import CSSStyles
internal import VectorGraphics

/// A decoration line along the x axis.
struct DecorationShape {
  /// The number of dots, dashes and waves that may still be drawn; further parts are solid.
  private var remainingCount = 2_000.0

  private let style: TextStyle.DecorationStyle
  /// The middle of the line that is nearest to the text, or of the waves.
  private let middle: Double
  private let thickness: Double
  private let side: Side

  /// The side of the text on which a line is.
  enum Side {
    case below
    case above
    case through
  }

  /// The distance between the middles of double lines.
  private var second: Double { side == .above ? -2 * thickness : 2 * thickness }
  /// The height of waves above the middle.
  private var waveHeight: Double { Self.waveHeight * thickness }
  private static let waveHeight = 1.5
  private var waveLength: Double { 6 * thickness }

  /// The vertical extent.
  var extent: ClosedRange<Double> {
    let half = thickness / 2
    switch style {
    case .solid, .dotted, .dashed: return middle - half...middle + half
    case .double: return min(middle, middle + second) - half...max(middle, middle + second) + half
    case .wavy: return middle - waveHeight - half...middle + waveHeight + half
    }
  }

  /// - Parameter middle: the middle of a solid line.
  init(style: TextStyle.DecorationStyle, middle: Double, thickness: Double, side: Side) {
    self.style = style
    self.thickness = thickness
    self.side = side
    // As in Chromium, waves start where a solid line would: otherwise they would reach into the letters, where lines are
    // interrupted.
    let offset = style == .wavy ? Self.waveHeight * thickness : 0
    self.middle =
      switch side {
      case .below: middle + offset
      case .above: middle - offset
      case .through: middle
      }
  }

  /// Returns the outline of the line from one position to another.
  mutating func path(from start: Double, to end: Double) -> Path {
    guard end > start, thickness > 0 else { return Path() }
    let period =
      switch style {
      case .solid, .double: Double.infinity
      case .dotted: 2 * thickness
      case .dashed: 4 * thickness
      case .wavy: waveLength
      }
    let count = (end - start) / period
    guard period.isFinite, count < remainingCount else {
      var path = bar(start, end, middle)
      if style == .double { path.append(bar(start, end, middle + second)) }
      return path
    }
    remainingCount -= count + 1
    return switch style {
    case .dotted: dots(start, end)
    case .dashed: dashes(start, end)
    default: wave(start, end)
    }
  }

  private func bar(_ start: Double, _ end: Double, _ middle: Double) -> Path {
    Path(Rect(x: start, y: middle - thickness / 2, width: end - start, height: thickness))
  }

  /// Dots with gaps of their size, which are adjusted so that the line ends with a dot.
  private func dots(_ start: Double, _ end: Double) -> Path {
    var path = Path()
    let count = max(0, ((end - start - thickness) / (2 * thickness)).rounded())
    let step = count > 0 ? (end - start - thickness) / count : 0
    for number in 0...Int(count) {
      path.addEllipse(
        center: Point(x: start + thickness / 2 + Double(number) * step, y: middle), radiusX: thickness / 2,
        radiusY: thickness / 2)
    }
    return path
  }

  /// Dashes twice as long as the gaps would make them round, adjusted so that the line ends with a dash.
  private func dashes(_ start: Double, _ end: Double) -> Path {
    var path = Path()
    let dash = min(2 * thickness, end - start)
    let count = max(0, ((end - start - dash) / (2 * dash)).rounded())
    let step = count > 0 ? (end - start - dash) / count : 0
    for number in 0...Int(count) {
      let x = start + Double(number) * step
      path.append(bar(x, x + dash, middle))
    }
    return path
  }

  /// A wavy stroke of whole half waves.
  private func wave(_ start: Double, _ end: Double) -> Path {
    let count = max(1, (2 * (end - start) / waveLength).rounded())
    let half = (end - start) / count
    // The extremum of a curve is at three quarters of the height of its control points.
    let control = waveHeight * 4 / 3
    var line = Path()
    line.move(to: Point(x: start, y: middle))
    for number in 0..<Int(count) {
      let from = start + Double(number) * half
      let y = middle + (number.isMultiple(of: 2) ? -control : control)
      line.cubic(
        to: Point(x: from + half, y: middle), control1: Point(x: from + half * 0.4, y: y),
        control2: Point(x: from + half * 0.6, y: y))
    }
    var budget = RasterBudget(segmentCount: 1_000_000)
    let stroke = try? line.stroked(
      StrokeStyle(width: thickness, join: .round), precision: .fine(scale: 10 / thickness), budget: &budget)
    return stroke ?? bar(start, end, middle)
  }
}
