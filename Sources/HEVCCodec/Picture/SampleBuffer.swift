// The samples of a picture before and during filtering: 16 bits each, whatever their depth, in one allocation.

internal import ImageCoding

/// The planes of a picture in decoding, or a row of its CTBs and the samples above it.
struct SampleBuffer {
  /// Samples after the last plane, for loads of whole vectors.
  private static let padding: Int64 = 64

  var values: [UInt16]
  /// The index of the first sample of each plane, and the distance of its rows: multiples of 16 samples.
  private var starts = InlineArray<3, Int>(repeating: 0)
  let strides: InlineArray<3, Int>
  /// In a row of CTBs, the index of the samples above it.
  private let rowStarts: InlineArray<3, Int>

  /// Black luma and neutral chroma.
  ///
  /// - Parameter isRow: whether only one row of CTBs at a time, and the samples above it, have memory.
  init(
    _ parameters: CodingParameters, isRow: Bool = false, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var strides = InlineArray<3, Int>(repeating: 0)
    // Filters load the rows above and below a plane, and use nothing of them.
    var count = Int64(((parameters.width + 31) & ~15) + 16)
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      strides[component] = ((parameters.width >> shifts.x) + 31) & ~15
      starts[component] = Int(clamping: count)
      let height = isRow ? parameters.codingTreeBlockSize + 1 << shifts.y : parameters.height
      count += Int64(strides[component]) * Int64((height >> shifts.y) + 1)
    }
    count += Self.padding
    try budget.allocate(count: Int(clamping: count), bytesEach: MemoryLayout<UInt16>.size)
    (self.strides, rowStarts) = (strides, starts)
    values = [UInt16](repeating: 0, count: Int(count))
    guard parameters.componentCount > 1 else { return }
    let chromaStart = starts[1]
    var span = values.mutableSpan
    for index in chromaStart..<span.count { span[index] = parameters.missingSample(1) }
  }

  /// The index of a sample.
  @inline(__always)
  func index(_ component: Int, x: Int, y: Int) -> Int {
    starts[component] &+ y &* strides[component] &+ x
  }

  /// Makes the buffer that of another row of CTBs.
  mutating func moveToRow(_ row: Int, _ parameters: CodingParameters) {
    for component in 0..<parameters.componentCount {
      let rowAbove = (row << parameters.log2CodingTreeBlock) >> parameters.shifts(component).y - 1
      starts[component] = rowStarts[component] - rowAbove * strides[component]
    }
  }

  /// Copies luma rows and their chroma.
  mutating func copyRows(_ rows: Range<Int>, of other: SampleBuffer, _ parameters: CodingParameters) {
    let source = other.values.span
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      for y in rows.lowerBound >> shifts.y..<rows.upperBound >> shifts.y {
        let (from, to) = (other.index(component, x: 0, y: y), index(component, x: 0, y: y))
        var target = values.mutableSpan
        for x in 0..<parameters.width >> shifts.x { target[to &+ x] = source[from &+ x] }
      }
    }
  }
}
