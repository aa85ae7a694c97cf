// The MQ decoder: adaptive binary arithmetic decoding (ITU-T T.800, annex C).

/// The contexts of the block coder (D.3).
enum BlockContext {
  /// Contexts 0…8 are those of zero coding, 9…13 those of sign coding.
  static let signCoding = 9
  static let refinement = 14
  static let runLength = 17
  static let uniform = 18
}

/// Decodes the symbols of codeword segments. Exhausted input reads as 0xFF.
package struct MQDecoder {
  /// The interval (A) and the code register (C).
  private var interval: UInt32 = 0x8000
  private var code: UInt32 = 0
  /// The number of bits in the code register before the next byte is due.
  private var bitCount: UInt32 = 0
  /// The position of the last byte that was read.
  private var position = 0
  private var end = 0
  /// The index of the packed probability state, by context.
  private var contexts = InlineArray<32, UInt8>(repeating: 0)

  /// Creates a decoder with the initial contexts.
  package init() {
    resetContexts()
  }

  /// Returns the contexts to their initial states (table D.7).
  mutating func resetContexts() {
    for index in 0..<19 { contexts[index] = 0 }
    contexts[0] = 4 * 2
    contexts[BlockContext.runLength] = 3 * 2
    contexts[BlockContext.uniform] = 46 * 2
  }

  /// Starts with a codeword segment. The contexts remain.
  package mutating func start(_ bytes: Span<UInt8>, _ segment: Range<Int>) {
    position = segment.lowerBound
    end = segment.upperBound
    code = UInt32(byte(bytes, position)) << 16
    interval = 0x8000
    readByte(bytes)
    code <<= 7
    bitCount -= 7
  }

  @inline(__always)
  private func byte(_ bytes: Span<UInt8>, _ index: Int) -> UInt8 { index < end ? bytes[index] : 0xFF }

  @inline(__always)
  private mutating func readByte(_ bytes: Span<UInt8>) {
    let next = UInt32(byte(bytes, position &+ 1))
    if byte(bytes, position) != 0xFF {
      position &+= 1
      code &+= next &<< 8
      bitCount = 8
    } else if next > 0x8F {
      // A marker, at which the data ends.
      code &+= 0xFF00
      bitCount = 8
    } else {
      position &+= 1
      code &+= next &<< 9
      bitCount = 7
    }
  }

  @inline(__always)
  private mutating func renormalize(_ bytes: Span<UInt8>) {
    repeat {
      if bitCount == 0 { readByte(bytes) }
      interval &<<= 1
      code &<<= 1
      bitCount &-= 1
    } while interval & 0x8000 == 0
  }

  /// Decodes a symbol.
  ///
  /// - Parameter states: ``ProbabilityStates/packed``.
  @inline(__always)
  package mutating func decode(_ context: Int, _ bytes: Span<UInt8>, _ states: Span<UInt32>) -> UInt32 {
    let index = contexts[context & 31]
    let state = states[Int(index)]
    let probability = state &>> 16
    let symbol = UInt32(index & 1)
    interval &-= probability
    if code &>> 16 < probability {
      // The lower part of the interval, which is that of the less probable symbol unless it is the larger one.
      let isMore = interval < probability
      contexts[context & 31] = UInt8(truncatingIfNeeded: isMore ? state &>> 8 : state)
      interval = probability
      renormalize(bytes)
      return isMore ? symbol : 1 &- symbol
    }
    code &-= probability &<< 16
    if interval & 0x8000 != 0 { return symbol }
    let isLess = interval < probability
    contexts[context & 31] = UInt8(truncatingIfNeeded: isLess ? state : state &>> 8)
    renormalize(bytes)
    return isLess ? 1 &- symbol : symbol
  }
}
