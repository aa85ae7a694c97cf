// The paths of basic shapes from their attributes and geometry properties (SVG 2, chapters 9 and 10).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

extension StyledDocument {
  // Methods of the document, since methods of the tree builder would copy the builder for each shape.

  /// Returns the path of a `path`, `polygon` or `polyline`, whose coordinates are a list; empty if it draws nothing.
  func coordinates(
    of node: XMLDocument.NodeIndex, _ element: ElementName, _ style: ComputedStyle, maximumSegmentCount: Int,
    interruption: Interruption
  ) throws(CodecError) -> Path {
    var path = Path()
    let text = xml.text.span
    switch element {
    case .path:
      // The property `d` takes precedence over the attribute (SVG 2, section 9.3.2).
      if let data = style.geometry?.pathData {
        path = try PathDataParser.parse(
          data.span, maximumSegmentCount: maximumSegmentCount, interruption: interruption)
      } else if let slice = xml.value(.d, of: node) {
        path = try PathDataParser.parse(
          text.extracting(slice.range), maximumSegmentCount: maximumSegmentCount, interruption: interruption)
      }
      // A path of a single point draws nothing.
      if path.verbs.count < 2 { path = Path() }
    case .polygon, .polyline:
      if let slice = xml.value(.points, of: node) {
        addPolygon(
          parsePoints(
            text.extracting(slice.range), maximumCount: maximumSegmentCount), to: &path,
          isClosed: element == .polygon)
      }
    default: break
    }
    return path
  }

  /// Returns the path of a shape that has a length for each coordinate; empty if it draws nothing.
  func geometry(
    of node: XMLDocument.NodeIndex, _ element: ElementName, _ style: ComputedStyle, _ lengths: LengthContext
  ) -> Path {
    let source = GeometrySource(document: self, node: node, style: style, lengths: lengths)
    var path = Path()
    switch element {
    case .rect: source.addRect(to: &path)
    case .circle: source.addCircle(to: &path)
    case .ellipse: source.addEllipse(to: &path)
    case .line:
      path.move(to: Point(x: source.value(.x1, .horizontal), y: source.value(.y1, .vertical)))
      path.line(to: Point(x: source.value(.x2, .horizontal), y: source.value(.y2, .vertical)))
    default: break
    }
    return path
  }

  private func addPolygon(_ points: [Point], to path: inout Path, isClosed: Bool) {
    guard points.count > 1 else { return }
    path.move(to: points[0])
    for point in points.dropFirst() { path.line(to: point) }
    if isClosed { path.close() }
  }
}

/// The geometry attributes and properties of an element.
private struct GeometrySource {
  let document: StyledDocument
  let node: XMLDocument.NodeIndex
  let style: ComputedStyle
  let lengths: LengthContext

  func length(_ name: AttributeName) -> Length? { document.length(name, of: node, style) }

  func value(_ name: AttributeName, _ direction: LengthContext.Direction) -> Double {
    length(name).map { lengths.resolve($0, direction) } ?? 0
  }

  func addRect(to path: inout Path) {
    let width = value(.width, .horizontal)
    let height = value(.height, .vertical)
    guard width > 0, height > 0 else { return }
    // A missing or invalid radius equals the other one (SVG 2, section 10.2).
    var rx = length(.rx).map { lengths.resolve($0, .horizontal) }
    var ry = length(.ry).map { lengths.resolve($0, .vertical) }
    if let value = rx, value < 0 { rx = nil }
    if let value = ry, value < 0 { ry = nil }
    let rect = Rect(
      x: value(.x, .horizontal), y: value(.y, .vertical), width: width, height: height)
    path.addRoundedRect(rect, radiusX: rx ?? ry ?? 0, radiusY: ry ?? rx ?? 0)
  }

  func addCircle(to path: inout Path) {
    let radius = value(.r, .other)
    guard radius > 0 else { return }
    let center = Point(x: value(.cx, .horizontal), y: value(.cy, .vertical))
    path.addEllipse(center: center, radiusX: radius, radiusY: radius)
  }

  func addEllipse(to path: inout Path) {
    var rx = length(.rx).map { lengths.resolve($0, .horizontal) }
    var ry = length(.ry).map { lengths.resolve($0, .vertical) }
    if let value = rx, value < 0 { rx = nil }
    if let value = ry, value < 0 { ry = nil }
    guard let radiusX = rx ?? ry, let radiusY = ry ?? rx, radiusX > 0, radiusY > 0 else { return }
    let center = Point(x: value(.cx, .horizontal), y: value(.cy, .vertical))
    path.addEllipse(center: center, radiusX: radiusX, radiusY: radiusY)
  }
}
