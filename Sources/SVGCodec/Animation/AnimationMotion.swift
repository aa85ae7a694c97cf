// animateMotion: places along a path (SVG Animations 2, section 2.15).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// The motion of an element along a path.
struct AnimationMotion: Sendable {
  enum Rotation: Sendable {
    case angle(Double)
    /// Along the path, with an angle added to its direction.
    case automatic(Double)
  }

  /// The translation and rotation of an element.
  struct Place: Hashable, Sendable {
    var x: Double
    var y: Double
    /// Degrees.
    var angle: Double
  }

  private let path: Path
  /// The points of `values`, or of `from`, `to` and `by`; empty for a path.
  private let points: [Point]
  /// The parts of the path's length at each of the key times.
  private let keyPoints: [Double]?
  private let rotation: Rotation
  let isAdditive: Bool

  /// Reads an element; `nil` if it has no path.
  init?(_ reader: AnimationReader, maximumSegmentCount: Int) {
    var points: [Point] = []
    var path = Path()
    if let data = Self.pathData(reader) {
      path = PathDataParser.parse(data.span, maximumSegmentCount: maximumSegmentCount)
    } else {
      // Two numbers are mixed like the attribute `points`.
      guard let values = reader.values(of: []) else { return nil }
      if values.startsAtBase || values.values.count == 2 && reader.bytes(.from) == nil && reader.bytes(.values) == nil {
        points.append(.zero)
      }
      for value in values.values.suffix(points.isEmpty ? values.values.count : 1) {
        guard let numbers = AnimationReader.numbers(value.span), numbers.count == 2 else { return nil }
        points.append(Point(x: numbers[0], y: numbers[1]))
      }
      for (index, point) in points.enumerated() {
        if index == 0 { path.move(to: point) } else { path.line(to: point) }
      }
    }
    guard !path.isEmpty else { return nil }
    self.path = path
    self.points = points
    keyPoints = reader.bytes(.keyPoints).flatMap { bytes in
      let items = AnimationText.items(of: bytes.span)
      return items.compactMap { AnimationReader.numbers(bytes.span.extracting($0))?.first }
    }
    let rotate = reader.bytes(.rotate) ?? []
    if rotate.elementsEqual("auto".utf8) {
      rotation = .automatic(0)
    } else if rotate.elementsEqual("auto-reverse".utf8) {
      rotation = .automatic(180)
    } else {
      rotation = .angle(AnimationReader.numbers(rotate.span)?.first ?? 0)
    }
    isAdditive = reader.bytes(.additive)?.elementsEqual("sum".utf8) ?? false
  }

  /// Returns the path data of an `mpath` element's target, or of the attribute `path`.
  private static func pathData(_ reader: AnimationReader) -> [UInt8]? {
    if let target = reader.motionPathElement, let data = reader.document.value(.d, of: target) {
      return Array(reader.document.text[data.range])
    }
    return reader.bytes(.path)
  }

  /// Returns the place for a part of the duration.
  func place(at fraction: Double, _ pacing: AnimationPacing) -> Place? {
    let measure = PathMeasure(path)
    var location: (point: Point, tangent: Point)?
    func measured(_ fraction: Double) -> (point: Point, tangent: Point)? {
      measure.location(at: min(max(fraction, 0), 1) * measure.length).map { ($0.point, $0.tangent) }
    }
    if let keyPoints {
      guard !keyPoints.isEmpty, pacing.fits(keyPoints.count) else { return nil }
      var pacing = pacing
      if pacing.mode == .paced { pacing.mode = .linear }
      let place = pacing.position(at: fraction, count: keyPoints.count) { _ in nil }
      let start = keyPoints[place.index]
      let end = place.fraction > 0 ? keyPoints[place.index + 1] : start
      location = measured(start + (end - start) * place.fraction)
    } else if pacing.mode == .paced || points.isEmpty {
      location = measured(fraction)
    } else {
      guard pacing.fits(points.count) else { return nil }
      let place = pacing.position(at: fraction, count: points.count) { _ in nil }
      let next = points[min(place.index + 1, points.count - 1)]
      let direction = next - points[place.index]
      let length = direction.dot(direction).squareRoot()
      location = (
        points[place.index].interpolated(to: next, at: place.fraction),
        length > 0 ? direction * (1 / length) : Point(x: 1, y: 0)
      )
    }
    // A path of a single point has no length.
    guard let location = location ?? path.points.first.map({ ($0, Point(x: 1, y: 0)) }) else { return nil }
    var angle = 0.0
    switch rotation {
    case .angle(let fixed): angle = fixed
    case .automatic(let added):
      angle = ElementaryFunctions.angle(x: location.tangent.x, y: location.tangent.y) * 180 / .pi + added
    }
    return Place(x: location.point.x, y: location.point.y, angle: angle)
  }
}
