// Eight bytes of text in one word, the first in its lowest byte, for scanning attribute values and numbers.

/// The bytes at `index` to `index + 7`, and what they are.
@usableFromInline
package struct EightBytes {
  @usableFromInline let word: UInt64

  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  @inlinable @inline(__always)
  package init(_ bytes: Span<UInt8>, at index: Int) {
    // One check and, after the optimiser has combined them, one load.
    let part = bytes.extracting(index..<index &+ 8)
    var word: UInt64 = 0
    for lane in 0..<8 { word |= UInt64(part[lane]) &<< UInt64(8 &* lane) }
    self.word = word
  }

  /// Whether one of the bytes is `byte`.
  @inlinable @inline(__always)
  package func contains(_ byte: UInt8) -> Bool {
    let difference = word ^ (Self.ones &* UInt64(byte))
    return (difference &- Self.ones) & ~difference & Self.highBits != 0
  }

  /// Whether one of the bytes is less than `limit`, which is at most 128.
  @inlinable @inline(__always)
  package func contains(lessThan limit: UInt8) -> Bool {
    (word &- Self.ones &* UInt64(limit)) & ~word & Self.highBits != 0
  }

  /// A number without sign and exponent.
  @usableFromInline
  package struct ShortDecimal {
    /// The digits.
    @usableFromInline package var mantissa: Int64
    /// The number of digits after the point.
    @usableFromInline package var fractionLength: Int
    /// The number of bytes.
    @usableFromInline package var length: Int

    @inlinable init(mantissa: Int64, fractionLength: Int, length: Int) {
      self.mantissa = mantissa
      self.fractionLength = fractionLength
      self.length = length
    }
  }

  /// The number at the start: digits, or a point with digits after it and perhaps before it. `nil` if there is none, or
  /// if what follows the digits is an `e` or is not in the eight bytes.
  package var shortDecimal: ShortDecimal? {
    @inlinable @inline(__always)
    get {
      let digits = word ^ (Self.ones &* 0x30)
      // The upper bits of the bytes that are not digits. A carry reaches only bytes after the first of them.
      let others = ((digits &+ Self.ones &* 0x76) | digits) & Self.highBits
      let wholeLength = others.trailingZeroBitCount &>> 3
      let hasPoint: UInt64 = (word &>> UInt64(8 &* wholeLength)) & 255 == 0x2E ? 1 : 0
      let afterPoint = others & (others &- hasPoint)
      guard afterPoint != 0 else { return nil }
      let length = afterPoint.trailingZeroBitCount &>> 3
      let digitCount = length &- Int(hasPoint)
      let fractionLength = digitCount &- wholeLength
      let next = (word &>> UInt64(8 &* length)) & 255
      guard digitCount > 0, fractionLength >= Int(hasPoint), next | 0x20 != 0x65 else { return nil }
      // The digits without the point, after zeros; then pairs, fours and eights of digits are combined.
      let whole: UInt64 = (1 &<< UInt64(8 &* wholeLength)) &- 1
      var value = (digits & whole) | ((digits &>> (8 &* hasPoint)) & ~whole)
      value &<<= UInt64(64 &- 8 &* digitCount)
      value = value &* 10 &+ (value &>> 8)
      let mask: UInt64 = 0x0000_00FF_0000_00FF
      let upperFactors: UInt64 = 100 | 1_000_000 << 32
      let lowerFactors: UInt64 = 1 | 10_000 << 32
      let upper = (value & mask) &* upperFactors
      let lower = ((value &>> 16) & mask) &* lowerFactors
      return ShortDecimal(
        mantissa: Int64(truncatingIfNeeded: (upper &+ lower) &>> 32), fractionLength: fractionLength, length: length)
    }
  }
}
