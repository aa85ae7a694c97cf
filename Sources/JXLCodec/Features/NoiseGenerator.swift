// The pseudo-random numbers of noise (ISO/IEC 18181-1, K.5.2).

/// Eight generators of xorshift128+ side by side, for one group of a frame.
struct NoiseGenerator {
  private var first = SIMD8<UInt64>()
  private var second = SIMD8<UInt64>()

  /// The increment of SplitMix64, by which seeds are changed.
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// - Parameters:
  ///   - frame: the numbers of shown frames so far and of frames since the last one.
  ///   - x: the position of the group.
  init(frame: (visible: UInt32, invisible: UInt32), x: Int, y: Int) {
    first[0] = Self.mixed(UInt64(frame.visible) << 32 &+ UInt64(frame.invisible) &+ Self.increment)
    second[0] = Self.mixed(UInt64(x) << 32 &+ UInt64(y) &+ Self.increment)
    for lane in 1..<8 {
      first[lane] = Self.mixed(first[lane - 1])
      second[lane] = Self.mixed(second[lane - 1])
    }
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// Fills a row with numbers from 1 to 2, 16 at a time; the rest of the last ones is dropped.
  mutating func fill(_ row: inout MutableSpan<Float>) {
    var start = 0
    while start < row.count {
      let words = next()
      for lane in 0..<8 where start &+ 2 &* lane < row.count {
        let index = start &+ 2 &* lane
        row[index] = Self.number(UInt32(truncatingIfNeeded: words[lane]))
        if index &+ 1 < row.count { row[index &+ 1] = Self.number(UInt32(truncatingIfNeeded: words[lane] >> 32)) }
      }
      start += 16
    }
  }

  @inline(__always)
  private static func number(_ word: UInt32) -> Float { Float(bitPattern: word >> 9 | 0x3F80_0000) }

  private mutating func next() -> SIMD8<UInt64> {
    var a = first
    let b = second
    let sum = a &+ b
    first = b
    a ^= a &<< 23
    second = a ^ b ^ (a &>> 18) ^ (b &>> 5)
    return sum
  }
}
