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

  /// Removes the samples, for changes without copies.
  mutating func takeSamples() -> [Float] {
    let taken = samples
    samples = []
    return taken
  }

  /// Stores a rectangle of samples, of which the part outside the plane is cut off.
  package mutating func store(_ source: [Float], width sourceWidth: Int, height sourceHeight: Int, x: Int, y: Int) {
    let count = min(sourceWidth, width - x)
    guard count > 0 else { return }
    for row in 0..<max(0, min(sourceHeight, height - y)) {
      let start = (y + row) * width + x
      var target = samples.mutableSpan
      copySamples(source.span, from: row * sourceWidth, to: &target, at: start, count: count)
    }
  }

  /// Copies a part of a row.
  func copy(row y: Int, columns: Range<Int>, into target: inout MutableSpan<Float>, at start: Int) {
    copySamples(samples.span, from: y * width + columns.lowerBound, to: &target, at: start, count: columns.count)
  }
}
