// The size, position and repetition of an image in a box (CSS Backgrounds 3, sections 3.5 to 3.9).

internal import CSSStyles
internal import VectorGraphics

/// The tiles of an image, in user space.
struct ImageTiling {
  /// The tiles in one direction.
  struct Axis {
    /// The start of one tile.
    var start: Double
    var length: Double
    /// The distance between the starts of two tiles.
    var period: Double
    var isRepeated: Bool

    /// Returns the numbers of the tiles between two places.
    func range(in first: Double, _ last: Double) -> Range<Int> {
      guard isRepeated else { return start < last && start + length > first ? 0..<1 : 0..<0 }
      let from = ((first - start - length) / period).rounded(.down) + 1
      let to = ((last - start) / period).rounded(.up)
      guard from < to, abs(from) < 1e9, abs(to) < 1e9 else { return 0..<0 }
      return Int(from)..<Int(to)
    }
  }

  var x: Axis
  var y: Axis

  /// Returns the place of a tile.
  func rect(_ column: Int, _ row: Int) -> Rect {
    Rect(
      x: x.start + Double(column) * x.period, y: y.start + Double(row) * y.period, width: x.length, height: y.length)
  }

  /// Returns `nil` if the image has no size.
  ///
  /// - Parameter box: the box in which the image is placed.
  init?(_ layer: RenderTree.ImageLayer, in box: Rect) {
    var lengths = layer.lengths
    lengths.viewportWidth = box.width
    lengths.viewportHeight = box.height
    var size = Self.size(layer, box, lengths)
    let isFixed: (width: Bool, height: Bool) =
      if case .lengths(let width, let height) = layer.size { (width != nil, height != nil) } else { (true, true) }
    guard size.x > 0, size.y > 0, size.isFinite else { return nil }
    // Rounding changes the other side too, if that follows from the aspect ratio.
    let ratio = size.y / size.x
    let roundedX = layer.repetition.x == .rounded
    let roundedY = layer.repetition.y == .rounded
    if roundedX { size.x = box.width / max(1, (box.width / size.x).rounded()) }
    if roundedY { size.y = box.height / max(1, (box.height / size.y).rounded()) }
    if roundedX, !roundedY, !isFixed.height { size.y = size.x * ratio }
    if roundedY, !roundedX, !isFixed.width { size.x = size.y / ratio }
    x = Self.axis(layer.repetition.x, layer.position.x, size.x, box.minX, box.width, lengths, .horizontal)
    y = Self.axis(layer.repetition.y, layer.position.y, size.y, box.minY, box.height, lengths, .vertical)
    guard x.period > 0, y.period > 0, x.start.isFinite, y.start.isFinite else { return nil }
  }

  private static func axis(
    _ repetition: ImageRepetition, _ offset: ImagePosition.Offset, _ length: Double, _ start: Double, _ whole: Double,
    _ lengths: LengthContext, _ direction: LengthContext.Direction
  ) -> Axis {
    var lengths = lengths
    lengths.viewportWidth = whole - length
    lengths.viewportHeight = whole - length
    let distance = lengths.resolve(offset.length, direction)
    let place = start + (offset.isFromEnd ? whole - length - distance : distance)
    switch repetition {
    case .once: return Axis(start: place, length: length, period: length, isRepeated: false)
    case .repeated, .rounded: return Axis(start: place, length: length, period: length, isRepeated: true)
    case .spaced:
      let count = (whole / length + 1e-9).rounded(.down)
      guard count > 1 else { return Axis(start: place, length: length, period: length, isRepeated: false) }
      return Axis(
        start: start, length: length, period: length + (whole - count * length) / (count - 1), isRepeated: true)
    }
  }

  private static func size(_ layer: RenderTree.ImageLayer, _ box: Rect, _ lengths: LengthContext) -> Point {
    var natural: Point?
    if case .picture(let content, _) = layer.image {
      natural = Point(x: content.size.width, y: content.size.height)
    }
    switch layer.size {
    case .contain, .cover:
      guard let natural, natural.x > 0, natural.y > 0 else { return Point(x: box.width, y: box.height) }
      let factors = (box.width / natural.x, box.height / natural.y)
      if case .contain = layer.size { return natural * min(factors.0, factors.1) }
      return natural * max(factors.0, factors.1)
    case .lengths(let width, let height):
      let width = width.map { lengths.resolve($0, .horizontal) }
      let height = height.map { lengths.resolve($0, .vertical) }
      switch (width, height) {
      case (let width?, let height?): return Point(x: width, y: height)
      case (let width?, nil): return Point(x: width, y: natural.map { width * $0.y / $0.x } ?? box.height)
      case (nil, let height?): return Point(x: natural.map { height * $0.x / $0.y } ?? box.width, y: height)
      case (nil, nil): return natural ?? Point(x: box.width, y: box.height)
      }
    }
  }
}
