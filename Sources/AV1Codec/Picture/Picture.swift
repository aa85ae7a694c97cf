// A frame in decoding.

internal import ImageCoding

/// The samples of a frame, its blocks and its units of loop restoration.
struct Picture {
  var buffer: SampleBuffer
  var map: BlockMap
  var restoration: RestorationUnits

  /// - Parameter isWindow: whether there are samples for some rows of superblocks at a time.
  init(_ parameters: FrameParameters, isWindow: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    buffer =
      isWindow
      ? try SampleBuffer(windowOf: parameters, &budget)
      : try SampleBuffer(columns: parameters.columns * 4, rows: parameters.rows * 4, parameters, &budget)
    map = try BlockMap(parameters, &budget)
    restoration = try RestorationUnits(parameters, &budget)
  }
}
