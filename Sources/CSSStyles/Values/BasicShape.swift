// The basic shapes of `clip-path` (CSS Shapes 1, section 3): circle(), ellipse(), inset(), rect(), xywh(), polygon() and
// path().

package import VectorGraphics
internal import XMLDocuments

/// A basic shape, whose lengths refer to a box.
package indirect enum BasicShape: Sendable {
  /// A radius of a circle or an ellipse.
  package enum Radius: Sendable {
    case length(Length)
    case closestSide
    case farthestSide
  }

  case circle(Radius, TransformOrigin)
  case ellipse(Radius, Radius, TransformOrigin)
  /// The distances of the edges from those of the box, and the radii of the corners.
  case inset(top: Length, right: Length, bottom: Length, left: Length, CornerRadii)
  /// A rectangle by its position and size.
  case box(x: Length, y: Length, width: Length, height: Length, CornerRadii)
  /// A rectangle by its edges, measured from the top left of the box; `nil` for those of the box.
  case rect(top: Length?, right: Length?, bottom: Length?, left: Length?, CornerRadii)
  case polygon([(Length, Length)], Fill.Rule)
  case path(Path, Fill.Rule)

  /// The horizontal and vertical radii of the corners, clockwise from the top left.
  package struct CornerRadii: Sendable {
    var horizontal: [Length] = []
    var vertical: [Length] = []
  }

  /// The maximum number of points of a polygon and of segments of a path.
  private static let maximumPointCount = 100_000

  /// The fill rule of the shape.
  package var fillRule: Fill.Rule {
    switch self {
    case .polygon(_, let rule), .path(_, let rule): rule
    default: .nonZero
    }
  }

  // MARK: Parsing

  /// Reads a shape. Returns `nil` if there is none or it is malformed.
  init?(scanning scanner: inout TextScanner) {
    let name = scanner.word()
    guard scanner.take(UInt8(ascii: "(")) else { return nil }
    scanner.skipSpace()
    let shape: BasicShape?
    if isKeyword(name, "circle") {
      shape = Self.circle(&scanner)
    } else if isKeyword(name, "ellipse") {
      shape = Self.ellipse(&scanner)
    } else if isKeyword(name, "inset") {
      shape = Self.inset(&scanner)
    } else if isKeyword(name, "xywh") {
      shape = Self.box(&scanner)
    } else if isKeyword(name, "rect") {
      shape = Self.rect(&scanner)
    } else if isKeyword(name, "polygon") {
      shape = Self.polygon(&scanner)
    } else {
      shape = isKeyword(name, "path") ? Self.path(&scanner) : nil
    }
    guard let shape else { return nil }
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: ")")) else { return nil }
    self = shape
  }

  private static func radius(_ scanner: inout TextScanner) -> Radius? {
    let start = scanner.position
    if let length = Length(scanning: &scanner) { return length.value < 0 ? nil : .length(length) }
    let word = scanner.word()
    if isKeyword(word, "closest-side") { return .closestSide }
    if isKeyword(word, "farthest-side") { return .farthestSide }
    scanner.position = start
    return nil
  }

  /// Reads `at` and a position, if there is one.
  private static func position(_ scanner: inout TextScanner) -> TransformOrigin? {
    scanner.skipSpace()
    if scanner.next == UInt8(ascii: ")") { return TransformOrigin() }
    guard isKeyword(scanner.word(), "at") else { return nil }
    let start = scanner.position
    while !scanner.isAtEnd, scanner.next != UInt8(ascii: ")") { scanner.position += 1 }
    return TransformOrigin(parsing: scanner.bytes.extracting(start..<scanner.position))
  }

  private static func circle(_ scanner: inout TextScanner) -> BasicShape? {
    let radius = radius(&scanner) ?? .closestSide
    return position(&scanner).map { .circle(radius, $0) }
  }

  private static func ellipse(_ scanner: inout TextScanner) -> BasicShape? {
    var radii = (Radius.closestSide, Radius.closestSide)
    if let first = radius(&scanner) {
      scanner.skipSpace()
      guard let second = radius(&scanner) else { return nil }
      radii = (first, second)
    }
    return position(&scanner).map { .ellipse(radii.0, radii.1, $0) }
  }

  private static func lengths(_ scanner: inout TextScanner, maximumCount: Int) -> [Length] {
    var list: [Length] = []
    scanner.skipSpace()
    while list.count < maximumCount {
      let start = scanner.position
      guard let length = Length(scanning: &scanner) else {
        scanner.position = start
        break
      }
      list.append(length)
      scanner.skipSpace()
    }
    return list
  }

  /// Returns one value for each side, of one to four values.
  private static func four(_ list: [Length]) -> [Length]? {
    switch list.count {
    case 1: [list[0], list[0], list[0], list[0]]
    case 2: [list[0], list[1], list[0], list[1]]
    case 3: [list[0], list[1], list[2], list[1]]
    case 4: list
    default: nil
    }
  }

  private static func inset(_ scanner: inout TextScanner) -> BasicShape? {
    guard let sides = four(lengths(&scanner, maximumCount: 4)), let radii = corners(&scanner) else { return nil }
    return .inset(top: sides[0], right: sides[1], bottom: sides[2], left: sides[3], radii)
  }

  private static func box(_ scanner: inout TextScanner) -> BasicShape? {
    let list = lengths(&scanner, maximumCount: 4)
    guard list.count == 4, let radii = corners(&scanner) else { return nil }
    return .box(x: list[0], y: list[1], width: list[2], height: list[3], radii)
  }

  private static func rect(_ scanner: inout TextScanner) -> BasicShape? {
    var edges: [Length?] = []
    while edges.count < 4 {
      scanner.skipSpace()
      let start = scanner.position
      if isKeyword(scanner.word(), "auto") {
        edges.append(nil)
        continue
      }
      scanner.position = start
      guard let length = Length(scanning: &scanner) else { return nil }
      edges.append(length)
    }
    guard let radii = corners(&scanner) else { return nil }
    return .rect(top: edges[0], right: edges[1], bottom: edges[2], left: edges[3], radii)
  }

  /// Reads `round` and radii, if there are any.
  private static func corners(_ scanner: inout TextScanner) -> CornerRadii? {
    scanner.skipSpace()
    if scanner.next == UInt8(ascii: ")") { return CornerRadii() }
    guard isKeyword(scanner.word(), "round"), let horizontal = four(lengths(&scanner, maximumCount: 4)) else {
      return nil
    }
    var vertical = horizontal
    if scanner.take(UInt8(ascii: "/")) {
      guard let list = four(lengths(&scanner, maximumCount: 4)) else { return nil }
      vertical = list
    }
    return CornerRadii(horizontal: horizontal, vertical: vertical)
  }

  private static func rule(_ scanner: inout TextScanner) -> Fill.Rule? {
    let start = scanner.position
    let word = scanner.word()
    let rule: Fill.Rule? = isKeyword(word, "evenodd") ? .evenOdd : isKeyword(word, "nonzero") ? .nonZero : nil
    scanner.skipSpace()
    if rule == nil || !scanner.take(UInt8(ascii: ",")) {
      scanner.position = start
      return nil
    }
    scanner.skipSpace()
    return rule
  }

  private static func polygon(_ scanner: inout TextScanner) -> BasicShape? {
    let rule = rule(&scanner) ?? .nonZero
    var points: [(Length, Length)] = []
    while points.count < maximumPointCount {
      guard let x = Length(scanning: &scanner) else { return nil }
      scanner.skipSpace()
      guard let y = Length(scanning: &scanner) else { return nil }
      points.append((x, y))
      scanner.skipSpace()
      guard scanner.take(UInt8(ascii: ",")) else { break }
      scanner.skipSpace()
    }
    return .polygon(points, rule)
  }

  private static func path(_ scanner: inout TextScanner) -> BasicShape? {
    let rule = rule(&scanner) ?? .nonZero
    let quote = scanner.next
    guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
    scanner.position += 1
    let start = scanner.position
    while !scanner.isAtEnd, scanner.next != quote { scanner.position += 1 }
    let data = scanner.bytes.extracting(start..<scanner.position)
    guard scanner.take(quote) else { return nil }
    return .path(PathDataParser.parse(data, maximumSegmentCount: maximumPointCount), rule)
  }

  // MARK: Geometry

  /// Returns the outline of the shape in a box.
  ///
  /// - Parameter lengths: the context of lengths, whose percentages refer to the box.
  package func path(in box: Rect, _ lengths: LengthContext) -> Path {
    var lengths = lengths
    lengths.viewportWidth = box.width
    lengths.viewportHeight = box.height
    func x(_ length: Length) -> Double { lengths.resolve(length, .horizontal) }
    func y(_ length: Length) -> Double { lengths.resolve(length, .vertical) }
    var path = Path()
    switch self {
    case .circle(let radius, let origin):
      let center = Point(x: box.x + x(origin.x), y: box.y + y(origin.y))
      let sides = [center.x - box.minX, box.maxX - center.x, center.y - box.minY, box.maxY - center.y].map { abs($0) }
      let value = Self.resolve(radius, sides) { lengths.resolve($0, .other) }
      if value > 0 { path.addEllipse(center: center, radiusX: value, radiusY: value) }
    case .ellipse(let horizontal, let vertical, let origin):
      let center = Point(x: box.x + x(origin.x), y: box.y + y(origin.y))
      let radiusX = Self.resolve(horizontal, [abs(center.x - box.minX), abs(box.maxX - center.x)], x)
      let radiusY = Self.resolve(vertical, [abs(center.y - box.minY), abs(box.maxY - center.y)], y)
      if radiusX > 0, radiusY > 0 { path.addEllipse(center: center, radiusX: radiusX, radiusY: radiusY) }
    case .inset(let top, let right, let bottom, let left, let radii):
      add(
        Rect(
          x: box.x + x(left), y: box.y + y(top), width: max(0, box.width - x(left) - x(right)),
          height: max(0, box.height - y(top) - y(bottom))), radii, lengths, to: &path)
    case .box(let left, let top, let width, let height, let radii):
      add(
        Rect(x: box.x + x(left), y: box.y + y(top), width: max(0, x(width)), height: max(0, y(height))), radii,
        lengths, to: &path)
    case .rect(let top, let right, let bottom, let left, let radii):
      let minX = left.map(x) ?? 0
      let minY = top.map(y) ?? 0
      add(
        Rect(
          x: box.x + minX, y: box.y + minY, width: max(0, (right.map(x) ?? box.width) - minX),
          height: max(0, (bottom.map(y) ?? box.height) - minY)), radii, lengths, to: &path)
    case .polygon(let points, _):
      for (index, point) in points.enumerated() {
        let place = Point(x: box.x + x(point.0), y: box.y + y(point.1))
        if index == 0 { path.move(to: place) } else { path.line(to: place) }
      }
      path.close()
    case .path(let data, _):
      path = box.x == 0 && box.y == 0 ? data : data.transformed(by: .translation(x: box.x, y: box.y))
    }
    return path
  }

  private static func resolve(_ radius: Radius, _ sides: [Double], _ length: (Length) -> Double) -> Double {
    switch radius {
    case .length(let value): length(value)
    case .closestSide: sides.min() ?? 0
    case .farthestSide: sides.max() ?? 0
    }
  }

  /// Adds a rectangle whose corners are quarters of ellipses, reduced if they do not fit (CSS Backgrounds 3, 5.5).
  private func add(_ rect: Rect, _ radii: CornerRadii, _ lengths: LengthContext, to path: inout Path) {
    guard rect.width > 0, rect.height > 0 else { return }
    var x = radii.horizontal.map { max(0, lengths.resolve($0, .horizontal)) }
    var y = radii.vertical.map { max(0, lengths.resolve($0, .vertical)) }
    guard x.count == 4, y.count == 4, zip(x, y).contains(where: { $0 > 0 && $1 > 0 }) else {
      path.append(Path(rect), transform: .identity)
      return
    }
    let sums = [
      (x[0] + x[1], rect.width), (x[2] + x[3], rect.width), (y[0] + y[3], rect.height), (y[1] + y[2], rect.height),
    ]
    let factor = sums.reduce(1) { $1.0 > $1.1 ? min($0, $1.1 / $1.0) : $0 }
    x = x.map { $0 * factor }
    y = y.map { $0 * factor }
    // The distance of control points from the ends of a quarter of a circle.
    let kappa = 0.5522847498307936
    func corner(_ index: Int, _ from: Point, _ tip: Point, _ to: Point) {
      path.line(to: from)
      guard x[index] > 0, y[index] > 0 else { return path.line(to: tip) }
      func toward(_ point: Point) -> Point {
        Point(x: point.x + (tip.x - point.x) * kappa, y: point.y + (tip.y - point.y) * kappa)
      }
      path.cubic(to: to, control1: toward(from), control2: toward(to))
    }
    path.move(to: Point(x: rect.minX + x[0], y: rect.minY))
    let right = rect.maxX
    let bottom = rect.maxY
    corner(
      1, Point(x: right - x[1], y: rect.minY), Point(x: right, y: rect.minY), Point(x: right, y: rect.minY + y[1]))
    corner(2, Point(x: right, y: bottom - y[2]), Point(x: right, y: bottom), Point(x: right - x[2], y: bottom))
    corner(
      3, Point(x: rect.minX + x[3], y: bottom), Point(x: rect.minX, y: bottom), Point(x: rect.minX, y: bottom - y[3]))
    corner(
      0, Point(x: rect.minX, y: rect.minY + y[0]), Point(x: rect.minX, y: rect.minY),
      Point(x: rect.minX + x[0], y: rect.minY))
    path.close()
  }
}

extension OwnStyle.ClipPath {
  /// Parses a value: a reference, or a shape and a box in either order.
  init?(parsing bytes: Span<UInt8>) {
    if isWord(bytes, "none") {
      self = .none
      return
    }
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    if let reference = parseReference(&scanner) {
      scanner.skipSpace()
      guard scanner.isAtEnd else { return nil }
      self = .reference(reference)
      return
    }
    var shape: BasicShape?
    var box: OwnStyle.ReferenceBox?
    while !scanner.isAtEnd {
      let start = scanner.position
      let word = scanner.word()
      if scanner.next == UInt8(ascii: "(") {
        scanner.position = start
        guard shape == nil, let parsed = BasicShape(scanning: &scanner) else { return nil }
        shape = parsed
      } else {
        guard box == nil, let parsed = OwnStyle.ReferenceBox(word) else { return nil }
        box = parsed
      }
      scanner.skipSpace()
    }
    guard shape != nil || box != nil else { return nil }
    // The initial box of elements without CSS layout is that of the stroke.
    self = .shape(shape, box ?? .fill)
  }
}

extension OwnStyle.ReferenceBox {
  /// Creates a box from a keyword. The boxes of CSS layout correspond to those of SVG (CSS Masking 1, section 5.1).
  init?(_ word: Span<UInt8>) {
    if isKeyword(word, "fill-box") || isKeyword(word, "content-box") || isKeyword(word, "padding-box") {
      self = .fill
    } else if isKeyword(word, "stroke-box") || isKeyword(word, "border-box") || isKeyword(word, "margin-box") {
      self = .stroke
    } else if isKeyword(word, "view-box") {
      self = .view
    } else {
      return nil
    }
  }
}
