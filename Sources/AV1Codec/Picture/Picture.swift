// A frame in decoding.

internal import ImageCore

/// The samples of a frame, its blocks and its units of loop restoration.
struct Picture {
  var buffer: SampleBuffer
  var map: BlockMap
  var restoration: RestorationUnits

  init(_ parameters: FrameParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    buffer = try SampleBuffer(
      columns: parameters.columns * 4, rows: parameters.rows * 4, parameters, &budget)
    map = try BlockMap(parameters, &budget)
    restoration = try RestorationUnits(parameters, &budget)
  }
}
