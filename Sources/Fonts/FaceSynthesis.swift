// The synthesis of faces: sizes that match another face, and bold and oblique letters that a family lacks
// (CSS Fonts 4, sections 2.5 and 2.7; CSS Fonts 5, section 2.1).

internal import ImageCore
package import VectorGraphics

/// The changes to a face beyond what its font provides.
package struct FaceSynthesis: Hashable, Sendable {
  /// The face as it is in the font.
  package static let none = FaceSynthesis()

  /// The factor by which the face is larger than its size says; positive.
  package var sizeScale = 1.0
  /// The width in ems by which strokes of letters are widened; 0 for none.
  package var boldWidth = 0.0
  /// Whether letters are slanted.
  package var isOblique = false

  /// Creates a synthesis.
  package init(sizeScale: Double = 1, boldWidth: Double = 0, isOblique: Bool = false) {
    // A face of no size has glyphs of no size.
    self.sizeScale = max(sizeScale.isFinite ? sizeScale : 1, 1e-6)
    self.boldWidth = boldWidth
    self.isOblique = isOblique
  }

  /// The width of synthesised bold letters as in Skia: 1/24 of the size up to 9 pixels, 1/32 from 36 pixels on, and
  /// interpolated between them.
  package static func boldWidth(ofSize size: Double) -> Double {
    let place = min(max((size - 9) / 27, 0), 1)
    return 1.0 / 24 + (1.0 / 32 - 1.0 / 24) * place
  }
}

extension FontFace {
  /// Returns the face with other synthesised properties.
  package func synthesised(_ synthesis: FaceSynthesis) -> FontFace {
    FontFace(
      tables, coordinates: coordinates, metricsDeltas: metricsDeltas, adjustment: adjustment, synthesis: synthesis)
  }

  /// The transform that slants glyphs, by a quarter of the height as in browsers; identity unless the slope is
  /// synthesised.
  package var slant: AffineTransform { synthesis.isOblique ? AffineTransform(1, 0, 0.25, 1, 0, 0) : .identity }

  /// Returns a glyph's outline with the synthesised properties.
  func synthesised(_ outline: Path, _ budget: inout ResourceBudget) throws(GlyphFailure) -> Path {
    if synthesis == .none { return outline }
    var outline = outline
    if synthesis.boldWidth > 0 {
      outline = try outline.emboldened(
        by: synthesis.boldWidth * designUnitsPerEm, unitsPerEm: designUnitsPerEm, budget: &budget)
    }
    return synthesis.isOblique ? outline.transformed(by: slant) : outline
  }
}

extension Path {
  /// The number of parts of an em to which widened outlines are exact.
  private static let emboldeningPrecision = 2_000.0
  /// The maximum number of lines of a stroke that widens a glyph.
  private static let maximumLineCount = 1 << 18
  /// The work units for a point of an outline and its stroke, besides those of the stroke itself.
  private static let workPerPoint = 60

  /// Returns the path with its stroke of some width, for the nonzero rule; the path itself if the stroke is too
  /// complex.
  fileprivate func emboldened(
    by width: Double, unitsPerEm: Double, budget: inout ResourceBudget
  ) throws(GlyphFailure) -> Path {
    try budget.chargeGlyphWork(points.count * Path.workPerPoint)
    // The stroke has separate limits, which bound it to a fraction of a checkpoint's interval. Its cost is charged.
    var stroking = RasterBudget(segmentCount: Path.maximumLineCount)
    let scale = Path.emboldeningPrecision / unitsPerEm
    let stroke = try? stroked(
      StrokeStyle(width: width, join: .miter, miterLimit: 4), transform: .scale(x: scale, y: scale), budget: &stroking)
    try budget.chargeGlyphWork(Int(clamping: stroking.resources.work))
    guard var result = stroke else { return self }
    try budget.chargeGlyphWork(result.points.count * Path.workPerPoint)
    // In opposite directions they would cancel each other.
    result.append(result.signedArea * signedArea < 0 ? reversed() : self)
    return result
  }

  /// The area of the polygon of all points, with the sign of its direction.
  private var signedArea: Double {
    var sum = 0.0
    var (first, last) = (Point.zero, Point.zero)
    func area(_ a: Point, _ b: Point) -> Double { a.cross(b) / 2 }
    for segment in segments {
      switch segment {
      case .move(let to):
        sum += area(last, first)
        (first, last) = (to, to)
      case .line(_, let to):
        sum += area(last, to)
        last = to
      case .quad(_, let control, let to):
        sum += area(last, control) + area(control, to)
        last = to
      case .cubic(_, let control1, let control2, let to):
        sum += area(last, control1) + area(control1, control2) + area(control2, to)
        last = to
      case .close:
        sum += area(last, first)
        last = first
      }
    }
    return sum + area(last, first)
  }

  /// Returns the path in the opposite direction, all subpaths closed.
  private func reversed() -> Path {
    var result = Path()
    var subpath: [PathSegment] = []
    var end = Point.zero
    func finish() {
      if subpath.isEmpty { return }
      result.move(to: end)
      for segment in subpath.reversed() {
        switch segment {
        case .line(let from, _): result.line(to: from)
        case .quad(let from, let control, _): result.quad(to: from, control: control)
        case .cubic(let from, let control1, let control2, _):
          result.cubic(to: from, control1: control2, control2: control1)
        case .move, .close: break
        }
      }
      result.close()
      subpath = []
    }
    for segment in segments {
      switch segment {
      case .move, .close: finish()
      case .line(_, let to), .quad(_, _, let to), .cubic(_, _, _, let to):
        subpath.append(segment)
        end = to
      }
    }
    finish()
    return result
  }
}
