// Dashing: cuts contours by arc length.

internal import ImageCore

/// Alternating lengths of dashes and gaps, starting at the beginning of a subpath.
struct DashPattern {
  private let lengths: [Double]
  private let period: Double
  /// The entry at the start of a subpath, and how much of it remains.
  private let firstIndex: Int
  private let firstRest: Double

  /// Returns `nil` if the stroke is solid.
  init?(_ style: StrokeStyle) {
    guard !style.dashes.isEmpty, style.dashes.allSatisfy({ $0 >= 0 && $0.isFinite }) else { return nil }
    lengths = style.dashes.count % 2 == 0 ? style.dashes : style.dashes + style.dashes
    period = lengths.reduce(0, +)
    guard period > 0, period.isFinite else { return nil }
    var rest = style.dashOffset.isFinite ? style.dashOffset.truncatingRemainder(dividingBy: period) : 0
    if rest < 0 { rest += period }
    var index = 0
    // Exactly at the start of a zero-length dash there is a dot.
    while index < lengths.count - 1, rest > 0, rest >= lengths[index] {
      rest -= lengths[index]
      index += 1
    }
    firstIndex = index
    firstRest = max(0, lengths[index] - rest)
  }

  /// The approximate number of dashes in a length.
  func dashCount(_ length: Double) -> Int {
    let count = length / period * Double(lengths.count / 2) + 1
    return count < 1e15 ? Int(count) : Int.max
  }

  /// Draws the dashes of a subpath. If a closed subpath starts within a dash, the first and the last dash are joined.
  ///
  /// - Parameter willFind: called before each dash.
  func dash(
    _ contour: ContourMeasure, into outline: inout StrokeOutline, willFind: () throws(CodecError) -> Void
  ) throws(CodecError) {
    guard contour.length > 0 else {
      // A zero-length subpath has a dash if the pattern starts with one.
      guard let start = contour.start, contour.hasSegments, firstIndex % 2 == 0 else { return }
      outline.move(to: start)
      outline.line(to: start)
      return
    }
    let joinsEnds = contour.isClosed && firstIndex % 2 == 0
    if joinsEnds, firstRest >= contour.length {
      contour.draw(0, contour.length, moves: true, into: &outline)
      outline.close()
      return
    }
    var index = firstIndex
    var rest = firstRest
    var distance = 0.0
    // The first dash of a closed subpath is drawn last, because it may continue a dash that reaches the end.
    var isAwaited = joinsEnds
    var reachesEnd = false
    while distance < contour.length, !outline.isFull {
      reachesEnd = false
      if index % 2 == 0, !isAwaited {
        try willFind()
        contour.draw(distance, distance + rest, moves: true, into: &outline)
        reachesEnd = true
      }
      distance += rest
      isAwaited = false
      index = index + 1 == lengths.count ? 0 : index + 1
      rest = lengths[index]
    }
    if joinsEnds { contour.draw(0, firstRest, moves: !reachesEnd, into: &outline) }
    outline.finish()
  }
}
