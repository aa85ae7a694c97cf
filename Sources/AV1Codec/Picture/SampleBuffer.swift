// The samples of a frame before and during filtering: 16 bits each, whatever their depth, in one allocation.

internal import ImageCoding

/// The planes of a frame in decoding.
///
/// Transform blocks that extend past the coded units write there, so that planes have up to 60 additional columns and
/// rows.
struct SampleBuffer {
  /// Samples before the first and after the last plane, for loads of whole vectors.
  private static let padding = 64

  var samples: [UInt16]
  /// The start of each plane, and the distance of its rows: multiples of 16 samples. A plane of which there is only a
  /// window starts before its samples.
  private(set) var starts: InlineArray<3, Int>
  let strides: InlineArray<3, Int>
  /// The start of the samples of each plane.
  private let origins: InlineArray<3, Int>
  /// The positions at which the last rows of the superblocks above are kept as they were before filtering.
  private let edgeStarts: InlineArray<3, Int>
  /// Whether superblocks are predicted from the rows that are kept.
  var keepsEdges = false

  /// Planes of zeros.
  ///
  /// - Parameters:
  ///   - columns: those of luma that are stored at least.
  ///   - rows: those of luma that are stored, an even number.
  init(
    columns: Int, rows: Int, _ parameters: FrameParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var starts = InlineArray<3, Int>(repeating: 0)
    var strides = InlineArray<3, Int>(repeating: 0)
    var count = Int64(Self.padding)
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      strides[plane] = ((columns + 63) & ~63) >> shiftX + 16
      starts[plane] = Int(clamping: count)
      count += Int64(strides[plane]) * Int64(rows >> shiftY)
    }
    var edgeStarts = InlineArray<3, Int>(repeating: 0)
    for plane in 0..<parameters.planeCount {
      edgeStarts[plane] = Int(clamping: count)
      count += Int64(strides[plane])
    }
    count += Int64(Self.padding)
    try budget.allocate(count: Int(clamping: count), bytesEach: MemoryLayout<UInt16>.size)
    try budget.chargeWorkInParts(count: Int(clamping: count), unitsEach: 1)
    (self.starts, origins, self.strides, self.edgeStarts) = (starts, starts, strides, edgeStarts)
    samples = [UInt16](repeating: 0, count: Int(count))
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

  /// Keeps a row of a plane before it is filtered.
  mutating func keepEdge(_ plane: Int, y: Int) {
    let (from, to, count) = (index(plane, x: 0, y: y), edgeStarts[plane], strides[plane])
    var span = samples.mutableSpan
    moveSamples(&span, from: from, to: to, count: count)
  }

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

/// A buffer of some rows of superblocks, which moves down a frame.
extension SampleBuffer {
  /// Luma rows of superblocks in a window.
  static let windowRowCount = 256

  /// Luma rows above the superblocks of a window: more than filters of the next row change or read.
  static func carriedRowCount(_ parameters: FrameParameters) -> Int {
    parameters.restoration.isEnabled ? 80 : parameters.cdef.isEnabled ? 32 : 16
  }

  /// A window at the top of a frame.
  init(windowOf parameters: FrameParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    let rows = min(Self.windowRowCount, (parameters.rows * 4 + 127) & ~127)
    try self.init(
      columns: parameters.columns * 4, rows: rows + Self.carriedRowCount(parameters), parameters, &budget)
    for plane in 0..<parameters.planeCount {
      starts[plane] += Self.carriedRowCount(parameters) >> parameters.shifts(plane).y * strides[plane]
    }
  }

  /// Makes the first row of a buffer that of a luma row, whatever it contains.
  mutating func start(atRow top: Int, _ parameters: FrameParameters) {
    for plane in 0..<parameters.planeCount {
      starts[plane] = origins[plane] - top >> parameters.shifts(plane).y * strides[plane]
    }
  }

  /// Moves a window down to the superblocks that start with a luma row, and keeps the rows above them.
  ///
  /// - Parameter previous: the first luma row of the window's superblocks.
  mutating func moveWindow(toRow top: Int, from previous: Int, _ parameters: FrameParameters) {
    for plane in 0..<parameters.planeCount {
      let shift = parameters.shifts(plane).y
      let count = Self.carriedRowCount(parameters) >> shift * strides[plane]
      let (from, to) = (index(plane, x: 0, y: top >> shift) - count, index(plane, x: 0, y: previous >> shift) - count)
      var span = samples.mutableSpan
      moveSamples(&span, from: from, to: to, count: count)
      starts[plane] -= (top - previous) >> shift * strides[plane]
    }
  }
}
