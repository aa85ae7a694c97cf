// Who takes in a path segment by segment.

/// Takes in the segments of subpaths.
protocol SegmentSink {
  mutating func move(to point: Point)
  mutating func line(to point: Point)
  mutating func quad(to point: Point, control: Point)
  mutating func cubic(to point: Point, control1: Point, control2: Point)
  mutating func close()
  /// Ends the last subpath, open.
  mutating func finish()
  /// Whether no more can be taken in.
  var isFull: Bool { get }
}

extension Path: SegmentSink {
  mutating func finish() {}
  var isFull: Bool { points.count > StrokeOutline.maximumPointCount }
}
