// A frame in decoding.

internal import ImageCoding

/// The samples of a frame, its blocks and its units of loop restoration.
struct Picture: Sendable {
  var buffer: SampleBuffer
  var map: BlockMap
  var restoration: RestorationUnits
  /// The first luma row of the superblocks of a window.
  private var windowTop = 0

  /// - Parameter isWindow: whether there are samples for some rows of superblocks at a time.
  init(_ parameters: FrameParameters, isWindow: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    buffer =
      isWindow
      ? try SampleBuffer(windowOf: parameters, &budget)
      : try SampleBuffer(columns: parameters.columns * 4, rows: (parameters.rows * 4 + 63) & ~63, parameters, &budget)
    map = try BlockMap(parameters, &budget)
    restoration = try RestorationUnits(parameters, &budget)
  }

  /// Moves a window to the row of superblocks that starts with a luma row, unless it contains that row.
  ///
  /// - Returns: the first luma row of the window before; `nil` if it stays.
  mutating func moveWindow(toRow top: Int, _ parameters: FrameParameters) -> Int? {
    let previous = windowTop
    guard top + 1 << parameters.log2Superblock > previous + SampleBuffer.windowRowCount else { return nil }
    buffer.moveWindow(toRow: top, from: previous, parameters)
    windowTop = top
    return previous
  }
}
