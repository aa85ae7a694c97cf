// The samples of a picture before and during filtering: 16 bits each, whatever their depth, in one allocation.

internal import ImageCore

/// The planes of a picture in decoding.
struct SampleBuffer {
  /// Samples after the last plane, for loads of whole vectors.
  private static let padding: Int64 = 64

  var samples: [UInt16]
  /// Where each plane starts, and the distance of its rows: multiples of 16 samples.
  let starts: InlineArray<3, Int>
  let strides: InlineArray<3, Int>

  /// Planes of black luma and neutral chroma.
  init(_ parameters: CodingParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    var starts = InlineArray<3, Int>(repeating: 0)
    var strides = InlineArray<3, Int>(repeating: 0)
    // Filters load the rows above and below a plane, and use nothing of them.
    var count = Int64(((parameters.width + 31) & ~15) + 16)
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      strides[component] = ((parameters.width >> shifts.x) + 31) & ~15
      starts[component] = Int(clamping: count)
      count += Int64(strides[component]) * Int64((parameters.height >> shifts.y) + 1)
    }
    count += Self.padding
    try budget.allocate(count: Int(clamping: count), bytesEach: MemoryLayout<UInt16>.size)
    self.starts = starts
    self.strides = strides
    samples = [UInt16](repeating: 0, count: Int(count))
    guard parameters.componentCount > 1 else { return }
    var span = samples.mutableSpan
    for index in starts[1]..<span.count { span[index] = 1 << UInt16(parameters.bitDepth - 1) }
  }

  /// The index of a sample.
  @inline(__always)
  func index(_ component: Int, x: Int, y: Int) -> Int {
    starts[component] &+ y &* strides[component] &+ x
  }
}
