// Which earlier frame each frame depends on, and which frames are worth keeping.

internal import ImageCore

/// The dependencies of an animation's frames and its checkpoints, computed once when it is opened.
struct FrameDependencies: Sendable {
  /// The frame whose composed picture is needed before a frame is drawn; -1 if there is none.
  private let requiredFrames: [Int32]
  /// Whether to keep a frame once it is composed.
  private let checkpoints: [Bool]

  /// - Parameter interval: the maximum number of frames drawn from one checkpoint; `nil` for no checkpoints.
  init(of frames: [AnimationFrameInfo], canvas: PixelSize, checkpointInterval interval: Int?) {
    let whole = PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height)
    var requiredFrames: [Int32] = []
    var checkpoints: [Bool] = []
    var costs: [Int] = []
    requiredFrames.reserveCapacity(frames.count)
    // A frame that restores the previous picture leaves no trace.
    var lastLasting = -1
    for (index, frame) in frames.enumerated() {
      var required = lastLasting
      if frame.covers(canvas) { required = -1 }
      if required >= 0, frames[required].disposal == .clear, frames[required].region == whole { required = -1 }
      let cost = required < 0 ? 1 : (checkpoints[required] ? 0 : costs[required]) + 1
      let isLasting = frame.disposal != .restorePrevious
      requiredFrames.append(Int32(truncatingIfNeeded: required))
      costs.append(cost)
      // The frame after it then costs one more than this, or one if this frame is kept.
      checkpoints.append(isLasting && interval.map { cost >= $0 } ?? false)
      if isLasting { lastLasting = index }
    }
    self.requiredFrames = requiredFrames
    self.checkpoints = checkpoints
  }

  /// Returns the frame whose composed picture, after its disposal, a frame is drawn on; `nil` if the frame can start
  /// from an empty canvas.
  func requiredFrame(for index: Int) -> Int? {
    let frame = Int(requiredFrames[index])
    return frame < 0 ? nil : frame
  }

  /// Whether a frame is kept once it is composed.
  func isCheckpoint(_ index: Int) -> Bool { checkpoints[index] }
}
