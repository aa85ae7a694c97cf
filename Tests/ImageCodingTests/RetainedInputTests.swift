// The input that sessions retain: the right bytes, charged, and moved a bounded number of times.

import ImageCoding
import TestSupport
import Testing

@Suite struct RetainedInputTests {
  /// Appends pieces, after each of which the decoder wants to see its last bytes again. Returns the number of bytes
  /// that were moved.
  private func movedByteCount(pieces: [Int], lookingBack: (Int) -> Int) throws -> Int {
    var budget = ResourceBudget(.default)
    var input = RetainedInput()
    var (end, moved) = (0, 0)
    for (index, count) in pieces.enumerated() {
      let piece = (end..<end + count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      try input.append(piece.span, &budget)
      end += count
      let before = input.baseOffset
      let wanted = max(0, end - lookingBack(index))
      input.drop(upTo: wanted, &budget)
      #expect(input.endOffset == end && input.baseOffset <= max(wanted, before))
      if input.baseOffset != before { moved += end - input.baseOffset }
      let bytes = input.takeBytes()
      #expect(bytes.count == end - input.baseOffset)
      #expect(bytes.first.map { $0 == UInt8(truncatingIfNeeded: input.baseOffset &* 31 >> 3) } ?? true)
      #expect(bytes.last.map { $0 == UInt8(truncatingIfNeeded: (end - 1) &* 31 >> 3) } ?? true)
      input.putBack(bytes)
      #expect(budget.heldByteCount >= bytes.count)
    }
    input.drop(upTo: .max, &budget)
    #expect(input.isEmpty && input.baseOffset == end && budget.heldByteCount == 0)
    return moved
  }

  @Test func eachByteIsMovedABoundedNumberOfTimes() throws {
    let small = [Int](repeating: 1_400, count: 300)
    let total = 420_000
    // A fixed tail, a growing one, nothing, and everything.
    #expect(try movedByteCount(pieces: small) { _ in 3_000 } <= 2 * total)
    #expect(try movedByteCount(pieces: small) { $0 * 1_300 } <= 2 * total)
    #expect(try movedByteCount(pieces: small) { _ in 0 } == 0)
    #expect(try movedByteCount(pieces: small) { _ in .max } == 0)
    var random = TestRandom(7)
    let pieces = (0..<300).map { _ in Int(random.next() % 3_000) }
    #expect(try movedByteCount(pieces: pieces) { $0 * $0 % 40_000 } <= 2 * pieces.reduce(0, +))
  }

  @Test func skippedBytesAreNotKept() throws {
    var budget = ResourceBudget(.default)
    var input = RetainedInput()
    input.skip(10)
    try input.append([1, 2, 3].span, &budget)
    #expect(input.baseOffset == 10 && input.endOffset == 13 && input.takeBytes() == [1, 2, 3])
  }

  @Test func storageIsLimited() throws {
    var budget = ResourceBudget(DecodingLimits(maximumByteCount: 1_000))
    var input = RetainedInput()
    try input.append([UInt8](repeating: 0, count: 900).span, &budget)
    let error = #expect(throws: CodecError.self) {
      try input.append([UInt8](repeating: 0, count: 101).span, &budget)
    }
    #expect(error?.kind == .limitExceeded && error?.byteOffset == 900)
  }
}
