// Decodes binary decisions from arithmetic-coded segments. ITU-T T.81, section D.2.

/// Decodes binary decisions up to the next marker. After the marker it supplies zero bytes indefinitely, as the
/// specification requires.
struct ArithmeticReader {
  /// The part of the code inside the interval (Cx), above bits that are still to be shifted in.
  private var code: Int64 = 0
  /// The size of the interval (A).
  private var interval: Int64 = 0
  /// The number of times the interval can be doubled before the next byte is needed; negative at the start, when two
  /// bytes are.
  private var shiftCount = -16
  /// The index of the next byte.
  private(set) var position: Int
  /// Whether bytes past the end of the input were requested in a segment that no marker ended.
  private(set) var reachedEndOfInput = false
  /// Whether a marker ended the segment. It may have any number of fill bytes before it, which are examined once.
  private var reachedMarker = false

  init(position: Int) {
    self.position = position
  }

  /// Decodes one decision and adapts its estimate.
  ///
  /// - Parameters:
  ///   - estimates: for each context the number of its state, with the more probable symbol in bit 7.
  ///   - states: ``ArithmeticProbability/states``.
  mutating func decide(
    _ estimates: inout [UInt8], at index: Int, _ states: [UInt32], _ bytes: Span<UInt8>
  ) -> Bool {
    while interval < 0x8000 {
      shiftCount -= 1
      if shiftCount < 0 {
        code = code << 8 | Int64(nextByte(bytes))
        shiftCount += 8
        if shiftCount < 0 {
          shiftCount += 1
          // After the second of the two initial bytes, the interval becomes 0x10000 below.
          if shiftCount == 0 { interval = 0x8000 }
        }
      }
      interval <<= 1
    }
    let estimate = estimates[index]
    let state = states[Int(estimate & 0x7F)]
    let probability = Int64(state >> 16)
    interval -= probability
    let threshold = interval << Int64(shiftCount)
    let isBelow = code < threshold
    if isBelow, interval >= 0x8000 { return estimate & 0x80 != 0 }
    // The smaller part of the interval belongs to the less probable symbol, whichever side it is on.
    let isLessProbable = isBelow == (interval < probability)
    if !isBelow {
      code -= threshold
      interval = probability
    }
    if isLessProbable {
      // Bit 7 of the next state swaps the symbols.
      estimates[index] = (estimate & 0x80) ^ UInt8(truncatingIfNeeded: state >> 8)
      return estimate & 0x80 == 0
    }
    estimates[index] = (estimate & 0x80) | UInt8(truncatingIfNeeded: state & 0x7F)
    return estimate & 0x80 != 0
  }

  private mutating func nextByte(_ bytes: Span<UInt8>) -> UInt8 {
    if reachedMarker || reachedEndOfInput { return 0 }
    guard position < bytes.count else {
      reachedEndOfInput = true
      return 0
    }
    let byte = bytes[position]
    if byte != 0xFF {
      position += 1
      return byte
    }
    var next = position + 1
    while next < bytes.count, bytes[next] == 0xFF { next += 1 }
    guard next < bytes.count else {
      reachedEndOfInput = true
      return 0
    }
    // A marker is not consumed.
    guard bytes[next] == 0 else {
      reachedMarker = true
      return 0
    }
    position = next + 1
    return 0xFF
  }
}
