// Samples of one channel.

internal import ImageCoding

/// A plane of samples.
package struct SamplePlane: Sendable {
  package let width: Int
  package let height: Int
  private(set) var samples: [Float]

  /// Creates a plane of zeros, whose memory is charged.
  package init(width: Int, height: Int, budget: inout ResourceBudget) throws(CodecError) {
    (self.width, self.height) = (width, height)
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    try budget.allocate(count: overflow ? .max : count, bytesEach: 4)
    try budget.chargeWork(count / 4)
    samples = [Float](repeating: 0, count: count)
  }

  /// Creates a plane of samples, row by row, whose memory is charged already.
  init(width: Int, height: Int, samples: [Float]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  package var byteCount: Int { samples.count * 4 }

  /// Stores a rectangle of samples, of which the part outside the plane is cut off.
  package mutating func store(_ source: [Float], width sourceWidth: Int, height sourceHeight: Int, x: Int, y: Int) {
    let count = min(sourceWidth, width - x)
    guard count > 0 else { return }
    for row in 0..<max(0, min(sourceHeight, height - y)) {
      let from = source.span.extracting(row * sourceWidth..<row * sourceWidth + count)
      let start = (y + row) * width + x
      var all = samples.mutableSpan
      var target = all._mutatingExtracting(start..<start + count)
      for index in 0..<count { target[index] = from[index] }
    }
  }

  /// Copies a part of a row.
  func copy(row y: Int, columns: Range<Int>, into target: inout MutableSpan<Float>, at start: Int) {
    let source = samples.span.extracting(y * width + columns.lowerBound..<y * width + columns.upperBound)
    var part = target._mutatingExtracting(start..<start + source.count)
    for index in 0..<source.count { part[index] = source[index] }
  }
}
