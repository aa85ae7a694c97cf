// A frame in decoding.

internal import ImageCoding

/// The samples of a frame, its blocks and its units of loop restoration.
struct Picture {
  var buffer: SampleBuffer
  var map: BlockMap
  var restoration: RestorationUnits

  /// - Parameter isWindow: whether there are samples for one row of superblocks at a time.
  init(_ parameters: FrameParameters, isWindow: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    buffer = try SampleBuffer(
      columns: parameters.columns * 4,
      rows: isWindow ? SampleBuffer.windowRowCount(parameters) : parameters.rows * 4, parameters, &budget)
    if isWindow { buffer.startWindow(parameters) }
    map = try BlockMap(parameters, &budget)
    restoration = try RestorationUnits(parameters, &budget)
  }
}
