// The frames that later frames refer to (ISO/IEC 18181-1, F.2).

internal import ImageCoding

/// Four slots for frames.
struct ReferenceSlots: Sendable {
  /// A saved frame.
  struct Slot: Sendable {
    var frame: RenderedFrame
    /// Whether the frame was saved before its colours were transformed, so that patches can be copied from it.
    var isBeforeColorTransform: Bool
  }

  private var slots: [Slot?] = [nil, nil, nil, nil]

  /// Saves a frame, and frees the one that it replaces. The memory of the frame is charged already.
  mutating func save(_ slot: Slot, at index: Int, budget: inout ResourceBudget) {
    if let old = slots[index] { budget.release(old.frame.byteCount) }
    slots[index] = slot
  }

  /// The memory of all frames.
  var byteCount: Int { slots.reduce(0) { $0 + ($1?.frame.byteCount ?? 0) } }

  /// The frame in a slot; `nil` if none was saved, which means zeros.
  func frame(_ index: Int) -> RenderedFrame? { slots[index]?.frame }

  /// The frame in a slot from which patches can be copied.
  func patchSource(_ index: Int) -> RenderedFrame? {
    guard let slot = slots[index], slot.isBeforeColorTransform else { return nil }
    return slot.frame
  }
}
