// The bits of raw coding passes (ITU-T T.800, D.6).

/// Reads bits, most significant first. A byte after 0xFF has seven. Exhausted input reads as ones.
struct RawBitReader {
  private var position: Int
  private let end: Int
  private var current: UInt8 = 0
  private var bitCount: UInt8 = 0

  init(_ segment: Range<Int>) {
    position = segment.lowerBound
    end = segment.upperBound
  }

  @inline(__always)
  mutating func read(_ bytes: Span<UInt8>) -> UInt32 {
    if bitCount == 0 {
      bitCount = current == 0xFF ? 7 : 8
      current = position < end ? bytes[position] : 0xFF
      position &+= 1
    }
    bitCount &-= 1
    return UInt32(current &>> bitCount) & 1
  }
}
