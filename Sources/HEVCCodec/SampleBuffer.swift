// The samples of a picture before and during filtering: 16 bits each, whatever their depth, in one allocation.

internal import ImageCore

/// The planes of a picture in decoding.
struct SampleBuffer {
  /// Samples after the last plane, for loads of whole vectors.
  private static let padding: Int64 = 64

  var samples: [UInt16]
  /// Where each plane starts, and the distance of its rows: multiples of 16 samples.
  private(set) var starts: InlineArray<3, Int>
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

extension SampleBuffer {
  /// Rows of a component in a window: those of a row of tree blocks, and the one above them.
  private static func windowRowCount(_ parameters: CodingParameters, _ component: Int) -> Int {
    (parameters.treeBlockSize >> parameters.shifts(component).y) + 2
  }

  /// The memory of a window.
  static func windowByteCount(_ parameters: CodingParameters) -> Int {
    (parameters.width + 48) * (windowRowCount(parameters, 0) * 3 + 2) * MemoryLayout<UInt16>.size
  }

  /// A buffer for one row of tree blocks at a time, and for the samples above it.
  init(windowOf parameters: CodingParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    var strides = InlineArray<3, Int>(repeating: 0)
    var count = ((parameters.width + 31) & ~15) + 16
    for component in 0..<parameters.componentCount {
      strides[component] = ((parameters.width >> parameters.shifts(component).x) + 31) & ~15
      count += strides[component] * Self.windowRowCount(parameters, component)
    }
    count += Int(Self.padding)
    try budget.allocate(count: count, bytesEach: MemoryLayout<UInt16>.size)
    samples = [UInt16](repeating: 0, count: count)
    starts = InlineArray(repeating: 0)
    self.strides = strides
  }

  /// Makes the window that of the row of tree blocks that starts with a luma row.
  mutating func moveWindow(toRow top: Int, _ parameters: CodingParameters) {
    var first = ((parameters.width + 31) & ~15) + 16
    for component in 0..<parameters.componentCount {
      let rowAbove = top >> parameters.shifts(component).y - 1
      starts[component] = first - rowAbove * strides[component]
      first += strides[component] * Self.windowRowCount(parameters, component)
    }
  }

  /// Copies luma rows and their chroma.
  mutating func copyRows(_ rows: Range<Int>, of other: SampleBuffer, _ parameters: CodingParameters) {
    let source = other.samples.span
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      for y in rows.lowerBound >> shifts.y..<rows.upperBound >> shifts.y {
        let (from, to) = (other.index(component, x: 0, y: y), index(component, x: 0, y: y))
        var target = samples.mutableSpan
        for x in 0..<parameters.width >> shifts.x { target[to &+ x] = source[from &+ x] }
      }
    }
  }
}
