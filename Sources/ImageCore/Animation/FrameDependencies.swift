// Which frame each one stands on, and which of them are worth keeping.

/// The required frames of an animation and its checkpoints, found once when it is opened.
struct FrameDependencies: Sendable {
  /// The frame whose composed picture must be there before a frame is drawn; -1 when there is none.
  private let requiredFrames: [Int32]
  /// Frames to keep once they are composed.
  private let checkpoints: [Bool]

  /// - Parameter interval: frames of the costliest jump from one checkpoint on; `nil` for no checkpoints.
  init(of frames: [AnimationFrameInfo], canvas: PixelSize, checkpointInterval interval: Int?) {
    let whole = PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height)
    var requiredFrames: [Int32] = []
    var checkpoints: [Bool] = []
    var costs: [Int] = []
    requiredFrames.reserveCapacity(frames.count)
    // A frame that restores what was before it leaves no trace.
    var lastLasting = -1
    for (index, frame) in frames.enumerated() {
      var required = lastLasting
      if frame.covers(canvas) { required = -1 }
      if required >= 0, frames[required].disposal == .clear, frames[required].region == whole { required = -1 }
      let cost = required < 0 ? 1 : (checkpoints[required] ? 0 : costs[required]) + 1
      let isLasting = frame.disposal != .restorePrevious
      requiredFrames.append(Int32(truncatingIfNeeded: required))
      costs.append(cost)
      // The frame behind it then costs one more than this, or one if this is kept.
      checkpoints.append(isLasting && interval.map { cost >= $0 } ?? false)
      if isLasting { lastLasting = index }
    }
    self.requiredFrames = requiredFrames
    self.checkpoints = checkpoints
  }

  /// The frame whose composed picture, after its disposal, a frame is drawn on; `nil` when the canvas may be empty.
  func requiredFrame(for index: Int) -> Int? {
    let frame = Int(requiredFrames[index])
    return frame < 0 ? nil : frame
  }

  /// Whether a composed frame is to be kept.
  func isCheckpoint(_ index: Int) -> Bool { checkpoints[index] }
}
