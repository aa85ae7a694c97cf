// The paths of basic shapes from their attributes and geometry properties (SVG 2, chapters 9 and 10).

internal import VectorGraphics

extension StyledDocument {
  /// Returns the path of a shape; empty if it draws nothing.
  ///
  /// A method of the document, since a method of the tree builder would copy the builder for each shape.
  func geometry(
    of node: XMLDocument.NodeIndex, _ element: ElementName, _ lengths: LengthContext, maximumSegmentCount: Int
  ) -> Path {
    var path = Path()
    let text = xml.text.span
    switch element {
    case .path:
      if let slice = pathData(of: node) {
        path = PathDataParser.parse(
          text.extracting(slice.range), maximumSegmentCount: maximumSegmentCount)
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
    case .rect: addRect(node, lengths, to: &path)
    case .circle: addCircle(node, lengths, to: &path)
    case .ellipse: addEllipse(node, lengths, to: &path)
    case .line:
      path.move(to: Point(x: value(.x1, node, lengths, .horizontal), y: value(.y1, node, lengths, .vertical)))
      path.line(to: Point(x: value(.x2, node, lengths, .horizontal), y: value(.y2, node, lengths, .vertical)))
    default: break
    }
    return path
  }

  /// Returns the data of a path: the property `d`, a string in `path()`, takes precedence over the attribute (SVG 2,
  /// section 9.3.2).
  private func pathData(of node: XMLDocument.NodeIndex) -> TextSlice? {
    guard let declared = declaredValue(.d, of: node) else { return xml.value(.d, of: node) }
    var scanner = CSSScanner(xml.text.span, range: declared.range)
    guard let name = scanner.identifier(), name.elementsEqual("path".utf8), scanner.take(UInt8(ascii: "(")) else {
      return nil
    }
    scanner.skipSpace()
    let start = scanner.position + 1
    guard scanner.string() != nil else { return nil }
    return TextSlice(start..<max(start, scanner.position - 1))
  }

  private func value(
    _ name: AttributeName, _ node: XMLDocument.NodeIndex, _ lengths: LengthContext, _ direction: LengthContext.Direction
  ) -> Double {
    length(name, of: node).map { lengths.resolve($0, direction) } ?? 0
  }

  private func addPolygon(_ points: [Point], to path: inout Path, isClosed: Bool) {
    guard points.count > 1 else { return }
    path.move(to: points[0])
    for point in points.dropFirst() { path.line(to: point) }
    if isClosed { path.close() }
  }

  private func addRect(_ node: XMLDocument.NodeIndex, _ lengths: LengthContext, to path: inout Path) {
    let width = value(.width, node, lengths, .horizontal)
    let height = value(.height, node, lengths, .vertical)
    guard width > 0, height > 0 else { return }
    // A missing or invalid radius equals the other one (SVG 2, section 10.2).
    var rx = length(.rx, of: node).map { lengths.resolve($0, .horizontal) }
    var ry = length(.ry, of: node).map { lengths.resolve($0, .vertical) }
    if let value = rx, value < 0 { rx = nil }
    if let value = ry, value < 0 { ry = nil }
    let rect = Rect(
      x: value(.x, node, lengths, .horizontal), y: value(.y, node, lengths, .vertical), width: width, height: height)
    path.addRoundedRect(rect, radiusX: rx ?? ry ?? 0, radiusY: ry ?? rx ?? 0)
  }

  private func addCircle(_ node: XMLDocument.NodeIndex, _ lengths: LengthContext, to path: inout Path) {
    let radius = value(.r, node, lengths, .other)
    guard radius > 0 else { return }
    let center = Point(x: value(.cx, node, lengths, .horizontal), y: value(.cy, node, lengths, .vertical))
    path.addEllipse(center: center, radiusX: radius, radiusY: radius)
  }

  private func addEllipse(_ node: XMLDocument.NodeIndex, _ lengths: LengthContext, to path: inout Path) {
    var rx = length(.rx, of: node).map { lengths.resolve($0, .horizontal) }
    var ry = length(.ry, of: node).map { lengths.resolve($0, .vertical) }
    if let value = rx, value < 0 { rx = nil }
    if let value = ry, value < 0 { ry = nil }
    guard let radiusX = rx ?? ry, let radiusY = ry ?? rx, radiusX > 0, radiusY > 0 else { return }
    let center = Point(x: value(.cx, node, lengths, .horizontal), y: value(.cy, node, lengths, .vertical))
    path.addEllipse(center: center, radiusX: radiusX, radiusY: radiusY)
  }
}
