// A buffer of some rows of superblocks, which moves down a frame.

internal import ImageCoding

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
      moveStart(plane, byRows: Self.carriedRowCount(parameters) >> parameters.shifts(plane).y)
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
      moveStart(plane, byRows: (previous - top) >> shift)
    }
  }
}
