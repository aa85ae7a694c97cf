// The hand-over of state from one chunk of rows to the next, which another thread may decode.

internal import Threading

/// Slots for the chunks of a picture, and for what follows the last chunk. A chunk takes once what it is passed.
///
/// Chunks are taken from top to bottom: the chunk that a thread waits for has been taken before its own, so that none
/// waits for ever.
///
/// If there are n slots, each serves every n-th chunk. One slot for each thread suffices if a chunk passes a value on only
/// after it has taken its own: chunks that wait then follow one another, and have different slots.
final class ChunkSlots<Value: Sendable>: Sendable {
  private final class Slot: Sendable {
    let value = Mutex<Value?>(nil)
    let isFilled = CountingSemaphore()
  }

  /// The number of times that a thread looks at a slot before it sleeps, which takes a few tenths of a millisecond. To
  /// wake it would take as long as to decode a row.
  private static var attemptCount: Int { 4000 }

  private let slots: [Slot]

  /// Creates empty slots.
  init(count: Int) {
    slots = (0..<count).map { _ in Slot() }
  }

  /// The memory that the slots take, without the values that are in them.
  static func byteCount(slotCount: Int) -> Int { slotCount * (MemoryLayout<Value>.stride + 256) }

  /// Fills the slot of a chunk: with `nil` if the chunk before it was abandoned.
  func pass(_ value: consuming Value?, to chunk: Int) {
    let slot = slots[chunk % slots.count]
    var passed = value
    slot.value.withLock { $0 = passed.take() }
    slot.isFilled.signal()
  }

  /// Waits until the slot of a chunk is filled, and empties it.
  func take(_ chunk: Int) -> Value? {
    let slot = slots[chunk % slots.count]
    var attempts = 0
    while !slot.isFilled.waitIfReady() {
      attempts += 1
      if attempts == Self.attemptCount {
        slot.isFilled.wait()
        break
      }
    }
    return slot.value.withLock { $0.take() }
  }
}
