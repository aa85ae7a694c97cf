// Finds the end of an LZW stream without writing what it represents.

/// Follows the codes of a stream up to its end, or to the end of the output that is needed.
///
/// The bytes after that are not read by any decoder.
package struct LZWExtent: Sendable {
  private let coding: LZWCoding
  private var state: LZWState
  /// The length of the string of each code, and a spare entry that is overwritten while the table is full.
  private var lengths: [UInt32]
  private var previousLength: UInt32 = 0
  /// The number of bytes that the stream must still represent.
  private var remaining: Int
  /// Whether the rest of the input is not used.
  package private(set) var hasEnded = false
  /// Whether a code was read that is not in the table, after which nothing is known.
  package private(set) var isDamaged = false

  /// - Parameter outputByteCount: the number of bytes that the stream represents if it is valid.
  package init(_ coding: LZWCoding, outputByteCount: Int) {
    self.coding = coding
    state = LZWState(coding)
    lengths = [UInt32](repeating: 0, count: LZWCoding.maximumCodeCount + 1)
    for code in 0..<coding.clearCode { lengths[code] = 1 }
    remaining = outputByteCount
  }

  /// Returns the number of bytes at the start of the next part of the input that belong to the stream. After damage,
  /// these are all.
  package mutating func usedByteCount(of input: Span<UInt8>) -> Int {
    var position = 0
    while !hasEnded, !isDamaged {
      let start = position
      guard let code = state.readCode(input, &position, bitOrder: coding.bitOrder) else { return input.count }
      if code == coding.clearCode {
        state.clear(coding)
        continue
      }
      if code == coding.endCode {
        hasEnded = true
        return position
      }
      guard state.hasPrevious ? code <= state.nextCode : code < coding.clearCode else {
        isDamaged = true
        break
      }
      if remaining == 0 {
        // The picture is complete, but its data has another code, of which the first bits may be in the byte before.
        hasEnded = true
        return start
      }
      let length = code == state.nextCode ? previousLength &+ 1 : lengths[code]
      if state.hasPrevious {
        lengths[state.nextCode] = previousLength &+ 1
        state.advance()
      } else {
        state.advancePastFirstCode()
      }
      previousLength = length
      state.hasPrevious = true
      remaining -= min(remaining, Int(clamping: length))
    }
    return isDamaged ? input.count : 0
  }
}
