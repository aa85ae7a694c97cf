// The samples of a frame in floating point, as stages after decoding change them.

internal import ImageCoding

/// The colour and extra channels of a frame or of the canvas, all of its size. A full sample is 1.
package struct RenderedFrame: Sendable {
  package let width: Int
  package let height: Int
  /// The planes, row by row: one or three colours, then the extra channels.
  package var planes: [[Float]]

  /// Creates a frame of zeros, whose memory is charged.
  package init(_ size: PixelSize, planeCount: Int, budget: inout ResourceBudget) throws(CodecError) {
    (width, height) = (size.width, size.height)
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    let (total, isHuge) = count.multipliedReportingOverflow(by: planeCount)
    try budget.allocate(count: overflow || isHuge ? .max : total, bytesEach: 4)
    try budget.chargeWork(total / 4)
    planes = (0..<planeCount).map { _ in [Float](repeating: 0, count: count) }
  }

  /// Creates a frame of planes, whose memory is charged already.
  init(_ size: PixelSize, planes: [[Float]]) {
    (width, height, self.planes) = (size.width, size.height, planes)
  }

  /// The memory of the planes.
  package var byteCount: Int { planes.reduce(0) { $0 + $1.count * 4 } }

  /// Replaces a row of a plane.
  package mutating func withRow(_ plane: Int, _ y: Int, _ body: (inout MutableSpan<Float>) -> Void) {
    var samples = planes[plane].mutableSpan
    var row = samples._mutatingExtracting(y * width..<(y + 1) * width)
    body(&row)
  }

  /// Replaces a rectangle of a plane.
  mutating func store(_ part: SamplePlane, plane: Int, x: Int, y: Int) {
    for row in 0..<part.height {
      withRow(plane, y + row) { samples in part.copy(row: row, columns: 0..<part.width, into: &samples, at: x) }
    }
  }

  /// Replaces a row of the three colours.
  package mutating func withColorRows(
    _ y: Int,
    _ body: (_ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>)
      -> Void
  ) {
    // Moved out while in use, so that nothing is copied.
    var (first, second, third) = (planes[0], planes[1], planes[2])
    (planes[0], planes[1], planes[2]) = ([], [], [])
    let range = y * width..<(y + 1) * width
    var samples0 = first.mutableSpan
    var samples1 = second.mutableSpan
    var samples2 = third.mutableSpan
    var row0 = samples0._mutatingExtracting(range)
    var row1 = samples1._mutatingExtracting(range)
    var row2 = samples2._mutatingExtracting(range)
    body(&row0, &row1, &row2)
    (planes[0], planes[1], planes[2]) = (first, second, third)
  }
}

/// A step of rendering that changes a frame row by row.
///
/// Stages run one after the other on each row, which needs no other row of the frame: conversion of samples, patches,
/// composition.
protocol RowStage {
  /// The work for a sample, in the units of the budget.
  var unitsPerSample: Int { get }

  /// Changes a row of the frame.
  mutating func process(row y: Int, of frame: inout RenderedFrame)
}

extension RowStage {
  /// Changes all rows.
  mutating func run(on frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    for y in 0..<frame.height {
      try budget.chargeWork(count: frame.width * frame.planes.count, unitsEach: unitsPerSample)
      process(row: y, of: &frame)
    }
  }
}
