// A frame as its rows of superblocks are decoded, from top to bottom.

internal import ImageCoding
internal import PixelPlanes

/// The samples of a frame and, if only a window of them is kept, the stages that follow decoding.
struct FrameRows: ~Copyable, Sendable {
  let parameters: FrameParameters
  var picture: Picture
  private var finisher: FrameFinisher?

  init(
    _ parameters: FrameParameters, _ color: ColorConfiguration, isWindow: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var picture = try Picture(parameters, isWindow: isWindow, &budget)
    picture.buffer.keepsEdges = parameters.loopFilter.isEnabled
    let finisher = isWindow ? try FrameFinisher(parameters, color, &budget) : nil
    (self.parameters, self.picture, self.finisher) = (parameters, picture, finisher)
  }

  /// The work of finishing a row of superblocks, for each of its luma columns.
  var finishingWork: Int {
    let deblocking = parameters.loopFilter.isEnabled ? FrameWork.deblocking : 0
    let work = finisher != nil ? FrameWork.filters(parameters) : FrameWork.copying + deblocking
    return work << parameters.log2Superblock
  }

  /// Moves a window to the row of superblocks that starts with a unit, unless it contains that row.
  mutating func moveWindow(toRow first: Int) {
    finisher?.moveWindow(toRow: first * 4, &picture)
  }

  /// Filters the row of superblocks that starts with a unit, as far as that does not need the whole frame.
  mutating func finishRow(_ first: Int, _ interruption: Interruption) throws(CodecError) {
    if finisher != nil {
      try finisher?.finishRow(first, &picture, interruption)
    } else if parameters.loopFilter.isEnabled {
      DeblockingFilter(parameters).filterSuperblocks(first, &picture)
    }
  }

  /// Makes all superblocks from a unit on black.
  mutating func blacken(fromRow start: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let units = parameters.superblockUnits
    for first in stride(from: start, to: parameters.rows, by: units) {
      moveWindow(toRow: first)
      picture.blacken(
        columns: 0..<parameters.columns, rows: first..<min(first + units, parameters.rows), parameters)
      try budget.chargeWorkInParts(count: parameters.columns * 4, unitsEach: finishingWork)
      try finishRow(first, budget.interruption)
    }
  }

  /// Finishes the last rows.
  ///
  /// - Returns: the frame; `nil` if it is filtered as a whole.
  mutating func finishFrame(_ interruption: Interruption) throws(CodecError) -> PlanarPicture? {
    try finisher?.finishFrame(picture, interruption)
  }
}
