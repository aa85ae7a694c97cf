// Exactly rounded sample arithmetic. `maximum` is the largest sample value: 255 or 65535.

/// Products and quotients of samples, rounded to nearest.
@usableFromInline
package enum PixelArithmetic {
  /// `round(value · alpha / 255)` for 8-bit samples.
  @inlinable @inline(__always)
  package static func premultiply8(_ value: UInt32, _ alpha: UInt32) -> UInt32 {
    let product = value &* alpha &+ 128
    return (product &+ (product &>> 8)) &>> 8
  }

  /// `round(value · alpha / maximum)`.
  @inlinable @inline(__always)
  package static func premultiply(_ value: UInt32, _ alpha: UInt32, maximum: UInt32) -> UInt32 {
    if maximum == 255 { return premultiply8(value, alpha) }
    // 65535² + 32767 still fits in 32 bits.
    return (value &* alpha &+ 32767) / 65535
  }

  /// `min(maximum, round(value · maximum / alpha))`; 0 where alpha is 0.
  @inlinable @inline(__always)
  package static func unpremultiply(_ value: UInt32, _ alpha: UInt32, maximum: UInt32) -> UInt32 {
    if alpha == 0 { return 0 }
    if value >= alpha { return maximum }
    return (value &* maximum &+ alpha &>> 1) / alpha
  }

  /// Converts a 16-bit sample to 8 bits: `round(value / 257)`.
  @inlinable @inline(__always)
  package static func narrow(_ value: UInt32) -> UInt32 {
    (value &* 255 &+ 32895) &>> 16
  }

  /// Converts an 8-bit sample to 16 bits: `value · 257`.
  @inlinable @inline(__always)
  package static func widen(_ value: UInt32) -> UInt32 {
    value &* 257
  }

  /// Rec. 601 luma of full-range samples, with the 16-bit weights of Pillow's conversion to `L`.
  @inlinable @inline(__always)
  package static func luma(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> UInt32 {
    // 65535 · 65536 + 32768 exceeds 32 bits.
    let sum = UInt64(red) &* 19595 &+ UInt64(green) &* 38470 &+ UInt64(blue) &* 7471 &+ 0x8000
    return UInt32(truncatingIfNeeded: sum &>> 16)
  }
}
