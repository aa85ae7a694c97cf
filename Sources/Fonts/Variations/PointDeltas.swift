// The accumulated deltas of a glyph's points, and the interpolation of points that a tuple omits.

/// The points that a tuple moves.
enum TuplePoints {
  case all
  case some([Int])

  /// The number of points; `nil` if the tuple moves all.
  var count: Int? {
    if case .some(let indices) = self { return indices.count }
    return nil
  }
}

/// The deltas of a glyph's points and its four phantom points.
struct PointDeltas {
  private let points: [OutlinePoints.Element]
  private let contourEnds: [Int]
  private(set) var x: [Double]
  private(set) var y: [Double]

  init(_ points: [OutlinePoints.Element], contourEnds: [Int]) {
    self.points = points
    self.contourEnds = contourEnds
    x = [Double](repeating: 0, count: points.count + 4)
    y = x
  }

  /// The number of points, including phantom points.
  var count: Int { x.count }

  var phantoms: GlyphVariations.PhantomDeltas {
    GlyphVariations.PhantomDeltas(
      left: x[count - 4], right: x[count - 3], top: y[count - 2], bottom: y[count - 1])
  }

  /// Adds the deltas of a tuple.
  mutating func add(_ dx: [Int], _ dy: [Int], _ which: TuplePoints, _ scalar: Double) {
    guard case .some(let indices) = which else {
      for index in 0..<min(count, dx.count, dy.count) {
        x[index] += Double(dx[index]) * scalar
        y[index] += Double(dy[index]) * scalar
      }
      return
    }
    var moved = [Bool](repeating: false, count: count)
    var tupleX = [Double](repeating: 0, count: count)
    var tupleY = tupleX
    for (number, index) in indices.enumerated() where index < count && number < min(dx.count, dy.count) {
      moved[index] = true
      tupleX[index] += Double(dx[number])
      tupleY[index] += Double(dy[number])
    }
    var start = 0
    for end in contourEnds {
      interpolate(start..<end, moved, &tupleX, isVertical: false)
      interpolate(start..<end, moved, &tupleY, isVertical: true)
      start = end
    }
    for index in 0..<count {
      x[index] += tupleX[index] * scalar
      y[index] += tupleY[index] * scalar
    }
  }

  /// Infers the deltas of a contour's unmoved points from their moved neighbours.
  private func interpolate(
    _ contour: Range<Int>, _ moved: [Bool], _ deltas: inout [Double], isVertical: Bool
  ) {
    func coordinate(_ index: Int) -> Double { isVertical ? points[index].y : points[index].x }
    let anchors = contour.filter { moved[$0] }
    guard let first = anchors.first, anchors.count < contour.count else { return }
    if anchors.count == 1 {
      for index in contour { deltas[index] = deltas[first] }
      return
    }
    for (number, anchor) in anchors.enumerated() {
      let next = anchors[(number + 1) % anchors.count]
      let (from, to) = (coordinate(anchor), coordinate(next))
      var index = anchor + 1 == contour.upperBound ? contour.lowerBound : anchor + 1
      while index != next {
        deltas[index] = PointDeltas.interpolated(coordinate(index), from, to, deltas[anchor], deltas[next])
        index = index + 1 == contour.upperBound ? contour.lowerBound : index + 1
      }
    }
  }

  /// Between two moved points, a point moves in proportion; outside, it moves with the nearer one.
  private static func interpolated(
    _ value: Double, _ from: Double, _ to: Double, _ fromDelta: Double, _ toDelta: Double
  ) -> Double {
    if from == to { return fromDelta == toDelta ? fromDelta : 0 }
    let (low, high) = from < to ? ((from, fromDelta), (to, toDelta)) : ((to, toDelta), (from, fromDelta))
    if value <= low.0 { return low.1 }
    if value >= high.0 { return high.1 }
    return low.1 + (value - low.0) / (high.0 - low.0) * (high.1 - low.1)
  }
}

/// Unpacks the numbers of tuples.
struct PackedReader {
  private let data: TableBytes
  var position: Int

  init(_ data: TableBytes, at position: Int) {
    self.data = data
    self.position = position
  }

  private mutating func byte() -> Int {
    defer { position += 1 }
    return data.uint8(at: position)
  }

  /// Reads point numbers, each stored as the difference from the previous one.
  mutating func readPoints(limit: Int) -> TuplePoints {
    var count = byte()
    if count == 0 { return .all }
    if count & 0x80 != 0 { count = (count & 0x7F) << 8 | byte() }
    var result: [Int] = []
    var last = 0
    while result.count < count, position < data.count {
      let control = byte()
      for _ in 0..<min((control & 0x7F) + 1, count - result.count) {
        if control & 0x80 != 0 {
          last += data.uint16(at: position)
          position += 2
        } else {
          last += byte()
        }
        result.append(last)
      }
    }
    return .some(result)
  }

  /// Reads runs of zeros, bytes, words and long words.
  mutating func readDeltas(_ count: Int) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(count)
    while result.count < count, position < data.count {
      let control = byte()
      let runCount = min((control & 0x3F) + 1, count - result.count)
      switch control & 0xC0 {
      case 0x80: result.append(contentsOf: repeatElement(0, count: runCount))
      case 0x40:
        for index in 0..<runCount { result.append(data.int16(at: position + index * 2)) }
        position += runCount * 2
      case 0xC0:
        for index in 0..<runCount { result.append(data.int32(at: position + index * 4)) }
        position += runCount * 4
      default:
        for index in 0..<runCount { result.append(data.int8(at: position + index)) }
        position += runCount
      }
    }
    return result
  }
}
