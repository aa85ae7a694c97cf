// The samples of a frame before and during filtering: 16 bits each, whatever their depth, in one allocation.

internal import ImageCoding

/// The planes of a frame in decoding.
///
/// Transform blocks that extend past the coded units write there, so that planes have up to 60 additional columns and
/// rows.
struct SampleBuffer {
  var samples: [UInt16]
  /// The start of each plane, and the distance of its rows: multiples of 16 samples. A plane of which there is only a
  /// window starts before its samples.
  private(set) var starts: InlineArray<3, Int>
  /// The positions at which the last rows of the superblocks above are kept as they were before filtering.
  private var edgeStarts: InlineArray<3, Int>
  private let layout: SampleLayout
  /// Whether superblocks are predicted from the rows that are kept.
  var keepsEdges = false

  var strides: InlineArray<3, Int> { layout.strides }

  /// Planes of zeros.
  ///
  /// - Parameters:
  ///   - columns: those of luma that are stored at least.
  ///   - rows: those of luma that are stored, an even number.
  init(
    columns: Int, rows: Int, _ parameters: FrameParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let layout = SampleLayout(columns: columns, rows: rows, parameters)
    try budget.allocate(count: Int(clamping: layout.count), bytesEach: MemoryLayout<UInt16>.size)
    try budget.chargeWorkInParts(count: Int(clamping: layout.count), unitsEach: 1)
    self.init(layout)
  }

  /// Planes of zeros, whose memory has been charged.
  init(_ layout: SampleLayout) {
    self.layout = layout
    (starts, edgeStarts) = (layout.starts, layout.edgeStarts)
    samples = [UInt16](repeating: 0, count: Int(layout.count))
  }

  /// The index of a sample.
  @inline(__always)
  func index(_ plane: Int, x: Int, y: Int) -> Int { starts[plane] &+ y &* strides[plane] &+ x }

  /// The index of the sample above one, which is in another row if it belongs to the superblock above.
  ///
  /// - Parameter log2Superblock: the rows of a superblock in the plane.
  @inline(__always)
  func indexAbove(_ plane: Int, x: Int, y: Int, log2Superblock: Int) -> Int {
    let isFirstRow = y & (1 &<< log2Superblock &- 1) == 0
    return keepsEdges && isFirstRow ? edgeStarts[plane] &+ x : index(plane, x: x, y: y &- 1)
  }

  /// Makes the first sample of a buffer that of a luma row and column, whatever it contains.
  mutating func start(atRow top: Int, column left: Int = 0, _ parameters: FrameParameters) {
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      starts[plane] = layout.starts[plane] - top >> shiftY * strides[plane] - left >> shiftX
      edgeStarts[plane] = layout.edgeStarts[plane] - left >> shiftX
    }
  }

  /// Moves the start of a plane by a number of rows.
  mutating func moveStart(_ plane: Int, byRows count: Int) { starts[plane] += count * strides[plane] }

  /// Copies a part of a plane from another buffer.
  mutating func copyRows(_ rows: Range<Int>, _ columns: Range<Int>, of plane: Int, from source: borrowing SampleBuffer)
  {
    for y in rows {
      let to = index(plane, x: columns.lowerBound, y: y)
      var span = samples.mutableSpan
      copySamples(
        source.samples.span, from: source.index(plane, x: columns.lowerBound, y: y), to: &span, at: to,
        count: columns.count)
    }
  }

  /// Copies rows of a plane from a buffer with the same strides.
  mutating func copyRows(_ rows: Range<Int>, of plane: Int, from source: borrowing SampleBuffer) {
    guard !rows.isEmpty else { return }
    let (to, count) = (index(plane, x: 0, y: rows.lowerBound), rows.count * strides[plane])
    var span = samples.mutableSpan
    copySamples(
      source.samples.span, from: source.index(plane, x: 0, y: rows.lowerBound), to: &span, at: to, count: count)
  }
}

/// The last rows of superblocks, from which the next ones are predicted.
extension SampleBuffer {
  /// Keeps a row of a plane before it is filtered.
  mutating func keepEdge(_ plane: Int, y: Int) {
    let to = layout.edgeStarts[plane]
    let from = index(plane, x: to - edgeStarts[plane], y: y)
    let count = strides[plane]
    var span = samples.mutableSpan
    moveSamples(&span, from: from, to: to, count: count)
  }

  /// Copies the rows that are kept to the start of an array.
  func copyEdges(to edges: inout [UInt16]) {
    var span = edges.mutableSpan
    copySamples(samples.span, from: layout.edgeStarts[0], to: &span, at: 0, count: layout.edgeCount)
  }

  /// Replaces the rows that are kept.
  mutating func setEdges(_ edges: borrowing [UInt16]) {
    let (to, count) = (layout.edgeStarts[0], layout.edgeCount)
    var span = samples.mutableSpan
    copySamples(edges.span, from: 0, to: &span, at: to, count: count)
  }
}

/// The places of planes in a buffer.
struct SampleLayout {
  /// Samples before the first and after the last plane, for loads of whole vectors.
  private static let padding = 64

  /// The start of each plane, and of the row of it that is kept.
  private(set) var starts = InlineArray<3, Int>(repeating: 0)
  private(set) var edgeStarts = InlineArray<3, Int>(repeating: 0)
  private(set) var strides = InlineArray<3, Int>(repeating: 0)
  /// The samples of all planes.
  private(set) var count = Int64(padding)
  /// The samples of the rows that are kept, which follow one another.
  private(set) var edgeCount = 0

  init(columns: Int, rows: Int, _ parameters: FrameParameters) {
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      strides[plane] = ((columns + 63) & ~63) >> shiftX + 16
      starts[plane] = Int(clamping: count)
      count += Int64(strides[plane]) * Int64(rows >> shiftY)
    }
    for plane in 0..<parameters.planeCount {
      edgeStarts[plane] = Int(clamping: count)
      count += Int64(strides[plane])
      edgeCount += strides[plane]
    }
    count += Int64(Self.padding)
  }
}
