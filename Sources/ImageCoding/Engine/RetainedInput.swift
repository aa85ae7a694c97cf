// The end of the input of a session, as far as its decoder has not used it.

package import ImageCore

/// The tail of the input that the core must see again. Storage grows geometrically, and each byte is moved a bounded
/// number of times.
package struct RetainedInput {
  private var bytes: [UInt8] = []
  /// The file offset of the first retained byte.
  package private(set) var baseOffset = 0
  /// The number of bytes charged to the budget.
  private var chargedByteCount = 0

  package init() {}

  /// Moving fewer bytes than this is not worthwhile.
  private static let minimumDroppedByteCount = 4096

  /// Whether no bytes are retained.
  package var isEmpty: Bool { bytes.isEmpty }
  /// The file offset of the end of the retained bytes.
  package var endOffset: Int { baseOffset + bytes.count }

  /// Skips bytes that need not be retained. Called only while nothing is retained.
  package mutating func skip(_ count: Int) {
    baseOffset += count
  }

  /// Appends bytes, and charges the budget for the storage.
  package mutating func append(_ part: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    guard !part.isEmpty else { return }
    let needed = bytes.count + part.count
    if needed > chargedByteCount {
      let capacity = max(needed, chargedByteCount * 2)
      try budget.allocate(capacity - chargedByteCount, byteOffset: endOffset)
      chargedByteCount = capacity
      bytes.reserveCapacity(capacity)
    }
    for index in part.indices { bytes.append(part[index]) }
  }

  /// Drops the bytes before `offset` once they are all of the retained bytes or the larger part.
  package mutating func drop(upTo offset: Int, _ budget: inout ResourceBudget) {
    let count = min(max(offset - baseOffset, 0), bytes.count)
    if count == bytes.count {
      bytes = []
      budget.release(chargedByteCount)
      chargedByteCount = 0
      baseOffset += count
    } else if count > Self.minimumDroppedByteCount, count > bytes.count / 2 {
      bytes.removeSubrange(0..<count)
      baseOffset += count
    }
  }

  /// Moves the bytes out, so that they have one owner while they are decoded; ``putBack(_:)`` returns them.
  package mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes = []
    return taken
  }

  /// Moves the bytes back.
  package mutating func putBack(_ taken: [UInt8]) {
    bytes = taken
  }
}
