// The frames that later frames refer to (ISO/IEC 18181-1, F.2).

internal import ImageCoding

/// Four slots for frames, and four for low-frequency frames.
struct ReferenceSlots: Sendable {
  /// A saved frame.
  struct Slot: Sendable {
    var frame: RenderedFrame
    /// Whether the frame was saved before its colours were transformed, so that patches can be copied from it.
    var isBeforeColorTransform: Bool
  }

  private var slots: [Slot?] = [nil, nil, nil, nil]
  /// The low-frequency frames of the levels 1 to 4.
  private var lowFrequencyFrames: [RenderedFrame?] = [nil, nil, nil, nil]

  /// Saves a frame, and frees the one that it replaces. The memory of the frame is charged already.
  mutating func save(_ slot: Slot, at index: Int, budget: inout ResourceBudget) {
    if let old = slots[index] { budget.release(old.frame.byteCount) }
    slots[index] = slot
  }

  /// Saves a low-frequency frame of a level from 1 on, and frees the one that it replaces.
  mutating func saveLowFrequency(_ frame: RenderedFrame, level: Int, budget: inout ResourceBudget) {
    if let old = lowFrequencyFrames[level - 1] { budget.release(old.byteCount) }
    lowFrequencyFrames[level - 1] = frame
  }

  /// The memory of all frames.
  var byteCount: Int {
    let held = slots.reduce(0) { $0 + ($1?.frame.byteCount ?? 0) }
    return lowFrequencyFrames.reduce(held) { $0 + ($1?.byteCount ?? 0) }
  }

  /// The latest low-frequency frame of a level from 1 on; `nil` if there is none.
  func lowFrequencyFrame(level: Int) -> RenderedFrame? {
    lowFrequencyFrames.indices.contains(level - 1) ? lowFrequencyFrames[level - 1] : nil
  }

  /// The frame in a slot; `nil` if none was saved, which means zeros.
  func frame(_ index: Int) -> RenderedFrame? { slots[index]?.frame }

  /// The frame in a slot from which patches can be copied.
  func patchSource(_ index: Int) -> RenderedFrame? {
    guard let slot = slots[index], slot.isBeforeColorTransform else { return nil }
    return slot.frame
  }
}
