// Markers (SVG 2, section 13.7): their positions, their directions, and their content as groups.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

extension TreeBuilder {
  /// The marker elements of a shape.
  struct Markers {
    var start: NodeIndex?
    var middle: NodeIndex?
    var end: NodeIndex?
  }

  /// The markers of a shape that are being converted.
  struct MarkerRun {
    struct Instance {
      var marker: NodeIndex
      var position: Point
      /// The direction of the path, in radians.
      var angle: Double
      var isStart: Bool
    }

    var instances: [Instance]
    var next = 0
    /// The transform from the shape's user space to the group's.
    var transform: AffineTransform
    var strokeWidth: Double
    /// The shape drawn after the markers.
    var last: RenderTree.Shape?
    /// The number of bytes charged to the account.budget.
    var byteCount: Int
  }

  /// Returns the markers that a shape references; `nil` if none of them can be drawn.
  mutating func markers(_ style: ComputedStyle) throws(CodecError) -> Markers? {
    func marker(_ reference: ElementReference) throws(CodecError) -> NodeIndex? {
      guard reference != .none, let node = try draft.element(reference),
        draft.document.xml[node].element == .marker,
        !draft.isOpen(node)
      else { return nil }
      return node
    }
    let markers = Markers(
      start: try marker(style.markerStart), middle: try marker(style.markerMid), end: try marker(style.markerEnd))
    return markers.start == nil && markers.middle == nil && markers.end == nil ? nil : markers
  }

  /// Pushes a frame that enters the markers one after the other.
  mutating func pushMarkers(
    _ markers: Markers, _ shape: RenderTree.Shape, _ style: ComputedStyle, _ context: ContextPaint, _ frame: Frame,
    _ groupNode: Int32, last: RenderTree.Shape?
  ) throws(CodecError) {
    // Vertices are released before the markers are entered; instances are kept until then.
    let vertexBytes = 2 * MemoryLayout<PathVertex>.stride + 2 * MemoryLayout<MarkerRun.Instance>.stride
    let held = try draft.account.budget.allocate(count: shape.path.verbs.count, bytesEach: vertexBytes)
    let vertices = PathVertex.vertices(of: shape.path)
    var instances: [MarkerRun.Instance] = []
    for (index, vertex) in vertices.enumerated() {
      func add(_ marker: NodeIndex?, isStart: Bool = false) {
        guard let marker else { return }
        instances.append(
          MarkerRun.Instance(marker: marker, position: vertex.point, angle: vertex.angle, isStart: isStart))
      }
      if index == 0 { add(markers.start, isStart: true) }
      // No mid marker at a point that closes a subpath, as in resvg.
      if index > 0, index < vertices.count - 1, !vertex.isClosing { add(markers.middle) }
      if index == vertices.count - 1 { add(markers.end) }
    }
    var next = frame
    next.next = XMLDocument.noNode
    next.groupNode = groupNode
    next.context = context
    next.target = XMLDocument.noNode
    next.sizeOverride = nil
    next.markerRuns = [
      MarkerRun(
        instances: instances, transform: shape.transform, strokeWidth: shape.strokeStyle.width, last: last,
        byteCount: held)
    ]
    try draft.push(next)
  }

  /// Enters the next marker of the top frame, or ends the frame.
  mutating func enterNextMarker() throws(CodecError) {
    let top = draft.frames.count - 1
    guard let run = draft.frames[top].markerRuns.first else { return }
    guard run.next < run.instances.count else {
      if let last = run.last { try draft.append(last) }
      draft.account.budget.release(run.byteCount)
      let frame = draft.frames.removeLast()
      draft.closeGroup(frame.groupNode)
      return
    }
    draft.frames[top].markerRuns[0].next += 1
    try draft.spendReference()
    let instance = run.instances[run.next]
    guard !draft.isOpen(instance.marker) else { return }
    try enter(instance, run, draft.frames[top])
  }

  private mutating func enter(
    _ instance: MarkerRun.Instance, _ run: MarkerRun, _ frame: Frame
  ) throws(CodecError) {
    let node = instance.marker
    try draft.chargeReading(node)
    let style = try draft.documentStyle(of: node)
    let context = draft.lengths(style, frame.viewport)
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, default: Double) -> Double {
      draft.length(name, of: node).map { context.resolve($0, direction) } ?? `default`
    }
    let width = value(.markerWidth, .horizontal, default: 3)
    let height = value(.markerHeight, .vertical, default: 3)
    guard width > 0, height > 0 else { return }
    var scale = run.strokeWidth
    if let units = draft.document.xml.value(.markerUnits, of: node), draft.document.xml.equals(units, "userSpaceOnUse")
    {
      scale = 1
    }
    guard scale > 0, scale.isFinite else { return }
    let viewBox = draft.viewBox(of: node)
    let fitted =
      viewBox.map {
        draft.aspectRatio(of: node).transform(from: $0, to: Rect(x: 0, y: 0, width: width, height: height))
      } ?? .identity
    let reference = fitted.apply(
      Point(x: value(.refX, .horizontal, default: 0), y: value(.refY, .vertical, default: 0)))
    let placed =
      run.transform * .translation(x: instance.position.x, y: instance.position.y)
      * .rotation(angle(of: instance)) * .scale(x: scale, y: scale)
      * .translation(x: -reference.x, y: -reference.y)
    guard placed.isFinite, placed.inverted != nil else { return }
    var group = RenderTree.Group(transform: placed * fitted)
    if style.overflow != .visible {
      let visible = Rect(x: 0, y: 0, width: width, height: height)
      group.clipRect = fitted.inverted.map { $0.apply(visible) } ?? visible
    }
    let viewport =
      viewBox.map { Viewport(width: $0.width, height: $0.height) } ?? Viewport(width: width, height: height)
    let groupNode = try draft.openGroup(group)
    try draft.push(
      Frame(
        next: draft.document.xml[node].firstChild, isSingle: false, style: style, viewport: viewport, mode: frame.mode,
        groupNode: groupNode, context: frame.context, target: node))
  }

  /// Returns the angle according to `orient`, in radians.
  private func angle(of instance: MarkerRun.Instance) -> Double {
    guard let slice = draft.document.xml.value(.orient, of: instance.marker) else { return 0 }
    let bytes = draft.document.xml.text.span.extracting(slice.range)
    if isKeyword(bytes, "auto") { return instance.angle }
    if isKeyword(bytes, "auto-start-reverse") { return instance.isStart ? instance.angle + .pi : instance.angle }
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    return (parseAngle(&scanner) ?? 0).truncatingRemainder(dividingBy: 360) * .pi / 180
  }
}

/// A vertex of a path, at which markers are placed.
struct PathVertex {
  var point: Point
  /// The directions of the incoming and the outgoing segment.
  var incoming: Point?
  var outgoing: Point?
  /// Whether the vertex closes a subpath.
  var isClosing = false

  /// The direction of a marker: the bisector of both directions (SVG 2, section 13.7.4). If they are opposite, half of
  /// the difference of their angles, each in 0…2π, decides.
  var angle: Double {
    switch (incoming, outgoing) {
    case (let a?, let b?):
      func angle(_ direction: Point) -> Double {
        let value = ElementaryFunctions.angle(x: direction.x, y: direction.y)
        return value < 0 ? value + 2 * .pi : value
      }
      let half = (angle(b) - angle(a)) / 2
      return angle(a) + (abs(half) > .pi / 2 ? half - .pi : half)
    case (let a?, nil), (nil, let a?): return ElementaryFunctions.angle(x: a.x, y: a.y)
    case (nil, nil): return 0
    }
  }

  static func vertices(of path: Path) -> [PathVertex] {
    var vertices: [PathVertex] = []
    var start = 0
    for segment in path.segments {
      let leaving = segment.startDirection
      let arriving = segment.endDirection
      switch segment {
      case .move(let point):
        start = vertices.count
        vertices.append(PathVertex(point: point))
        continue
      case .line(_, let end), .quad(_, _, let end), .cubic(_, _, _, let end):
        if !vertices.isEmpty { vertices[vertices.count - 1].outgoing = leaving }
        vertices.append(PathVertex(point: end, incoming: arriving))
      case .close(_, let end):
        guard start < vertices.count else { continue }
        vertices[vertices.count - 1].outgoing = leaving ?? vertices[start].outgoing
        vertices.append(
          PathVertex(point: end, incoming: leaving ?? vertices[vertices.count - 1].incoming, isClosing: true))
      }
    }
    return vertices
  }
}

extension PathSegment {
  /// The direction at the start; `nil` if the segment has no length.
  var startDirection: Point? {
    switch self {
    case .move: nil
    case .line(let from, let to), .close(let from, let to): (to - from).normalized
    case .quad(let from, let control, let to): (control - from).normalized ?? (to - from).normalized
    case .cubic(let from, let control1, let control2, let to):
      (control1 - from).normalized ?? (control2 - from).normalized ?? (to - from).normalized
    }
  }

  /// The direction at the end; `nil` if the segment has no length.
  var endDirection: Point? {
    switch self {
    case .move: nil
    case .line(let from, let to), .close(let from, let to): (to - from).normalized
    case .quad(let from, let control, let to): (to - control).normalized ?? (to - from).normalized
    case .cubic(let from, let control1, let control2, let to):
      (to - control2).normalized ?? (to - control1).normalized ?? (to - from).normalized
    }
  }
}
