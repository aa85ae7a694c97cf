// Dashes: contours cut by arc length.

/// Lengths of dashes and gaps in turn, from the place where a subpath starts.
struct DashPattern {
  private let lengths: [Double]
  private let period: Double
  /// The entry and how much of it is left at the start of a subpath.
  private let firstIndex: Int
  private let firstRest: Double

  /// `nil` when the stroke is solid.
  init?(_ style: StrokeStyle) {
    guard !style.dashes.isEmpty, style.dashes.allSatisfy({ $0 >= 0 && $0.isFinite }) else { return nil }
    lengths = style.dashes.count % 2 == 0 ? style.dashes : style.dashes + style.dashes
    period = lengths.reduce(0, +)
    guard period > 0, period.isFinite else { return nil }
    var rest = style.dashOffset.isFinite ? style.dashOffset.truncatingRemainder(dividingBy: period) : 0
    if rest < 0 { rest += period }
    var index = 0
    // At the very start of a dash without length, there is a dot.
    while index < lengths.count - 1, rest > 0, rest >= lengths[index] {
      rest -= lengths[index]
      index += 1
    }
    firstIndex = index
    firstRest = max(0, lengths[index] - rest)
  }

  /// About how many dashes there will be.
  func dashCount(_ contours: [StrokeContour]) -> Int {
    var total = 0.0
    for contour in contours { total += contour.length / period * Double(lengths.count / 2) + 1 }
    return total < 1e15 ? Int(total) : Int.max
  }

  /// Gives out the dashes of a contour. On a closed one that starts within a dash the first and the last are one.
  func dash(_ contour: StrokeContour, _ body: (StrokeContour) -> Void) {
    let vertices = contour.vertices
    guard vertices.count > 1 else {
      // Without length there is a dash where the pattern starts with one.
      if contour.dot != nil, firstIndex % 2 == 0 { body(contour) }
      return
    }
    var walk = DashWalk(isOn: firstIndex % 2 == 0, joinsEnds: contour.isClosed)
    var index = firstIndex
    var rest = firstRest
    walk.start(at: vertices[0].leavingOnly)
    let lineCount = contour.isClosed ? vertices.count : vertices.count - 1
    for line in 0..<lineCount {
      let from = vertices[line]
      let to = vertices[line + 1 == vertices.count ? 0 : line + 1]
      let length = (to.point - from.point).length
      var position = 0.0
      while length - position > rest {
        position += rest
        walk.cut(at: from.interpolated(to: to, at: position / length), body)
        index = index + 1 == lengths.count ? 0 : index + 1
        rest = lengths[index]
      }
      rest -= length - position
      walk.pass(to)
    }
    walk.finish(body)
  }
}

/// The dash that is being drawn, and the first one of a closed contour, which may have to wait for the last.
private struct DashWalk {
  private var isOn: Bool
  private let joinsEnds: Bool
  private var current = StrokeContour()
  private var first: StrokeContour?
  private var isFirst = true

  init(isOn: Bool, joinsEnds: Bool) {
    self.isOn = isOn
    self.joinsEnds = joinsEnds && isOn
  }

  mutating func start(at vertex: StrokeVertex) {
    if isOn { current.vertices = [vertex] }
  }

  mutating func cut(at vertex: StrokeVertex, _ body: (StrokeContour) -> Void) {
    if isOn {
      append(vertex)
      if isFirst, joinsEnds {
        first = current
      } else {
        body(current)
      }
      isFirst = false
      current.vertices.removeAll()
    } else {
      current.vertices = [vertex]
    }
    isOn.toggle()
  }

  /// Passes a vertex of the contour.
  mutating func pass(_ vertex: StrokeVertex) {
    if isOn { append(vertex) }
  }

  mutating func finish(_ body: (StrokeContour) -> Void) {
    if isOn, isFirst, joinsEnds {
      // Never cut: the whole contour.
      current.vertices[0] = current.vertices.removeLast()
      current.isClosed = current.vertices.count > 1
      body(current)
      return
    }
    if isOn, let first {
      current.vertices.append(contentsOf: first.vertices.dropFirst())
      body(current)
      return
    }
    if let first { body(first) }
    if isOn { body(current) }
  }

  private mutating func append(_ vertex: StrokeVertex) {
    if let last = current.vertices.last, last.point == vertex.point, current.vertices.count > 1 {
      current.vertices[current.vertices.count - 1].leaving = vertex.leaving
    } else {
      current.vertices.append(vertex)
    }
  }
}

extension StrokeVertex {
  /// The vertex as the first of a contour.
  var leavingOnly: StrokeVertex { StrokeVertex(point: point, arriving: leaving, leaving: leaving, isCorner: false) }

  /// A place on the line to the next vertex. The direction changes along the line as it does along the curve.
  func interpolated(to next: StrokeVertex, at fraction: Double) -> StrokeVertex {
    let direction = leaving.interpolated(to: next.arriving, at: fraction).normalized ?? leaving
    return StrokeVertex(
      point: point.interpolated(to: next.point, at: fraction), arriving: direction, leaving: direction,
      isCorner: false)
  }
}

extension StrokeContour {
  /// The length of all lines.
  var length: Double {
    var total = 0.0
    for index in vertices.indices.dropFirst() { total += (vertices[index].point - vertices[index - 1].point).length }
    if isClosed, let first = vertices.first, let last = vertices.last { total += (first.point - last.point).length }
    return total
  }
}
