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

  /// About how many dashes there will be in a length.
  func dashCount(_ length: Double) -> Int {
    let count = length / period * Double(lengths.count / 2) + 1
    return count < 1e15 ? Int(count) : Int.max
  }

  /// Draws the dashes of a subpath. On a closed one that starts within a dash the first and the last are
  /// one.
  func dash<Sink: SegmentSink>(_ contour: ContourMeasure, into sink: inout Sink) {
    guard contour.length > 0 else {
      // Without length there is a dash where the pattern starts with one.
      guard let start = contour.start, contour.hasSegments, firstIndex % 2 == 0 else { return }
      sink.move(to: start)
      sink.line(to: start)
      return
    }
    let joinsEnds = contour.isClosed && firstIndex % 2 == 0
    if joinsEnds, firstRest >= contour.length {
      contour.draw(0, contour.length, moves: true, into: &sink)
      sink.close()
      return
    }
    var index = firstIndex
    var rest = firstRest
    var distance = 0.0
    // The first dash of a closed subpath comes last, where it may go on from one that reaches the end.
    var isAwaited = joinsEnds
    var reachesEnd = false
    while distance < contour.length, !sink.isFull {
      reachesEnd = false
      if index % 2 == 0, !isAwaited {
        contour.draw(distance, distance + rest, moves: true, into: &sink)
        reachesEnd = true
      }
      distance += rest
      isAwaited = false
      index = index + 1 == lengths.count ? 0 : index + 1
      rest = lengths[index]
    }
    if joinsEnds { contour.draw(0, firstRest, moves: !reachesEnd, into: &sink) }
    sink.finish()
  }
}
