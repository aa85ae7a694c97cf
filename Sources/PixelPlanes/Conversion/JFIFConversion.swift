// Conversion between YCbCr and RGB for single pixels in libjpeg's fixed point (ITU-T T.871, section 7). The kernels
// compute the same sums for several pixels at a time.

/// The conversion of one pixel between RGB and full-range BT.601 YCbCr, as libjpeg computes it.
@usableFromInline
package enum JFIFConversion {
  /// Converts one pixel to RGB: `R = Y + 1.402 Cr`, `G = Y − 0.344136 Cb − 0.714136 Cr`, `B = Y + 1.772 Cb`.
  ///
  /// The factors have 16 fraction bits. Products are rounded to nearest.
  @inlinable @inline(__always)
  package static func rgb(y: UInt8, cb: UInt8, cr: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let luma = Int32(y)
    let b = Int32(cb) &- 128
    let r = Int32(cr) &- 128
    let red = luma &+ ((91881 &* r &+ 32768) &>> 16)
    let green = luma &+ ((-22554 &* b &- 46802 &* r &+ 32768) &>> 16)
    let blue = luma &+ ((116130 &* b &+ 32768) &>> 16)
    return (clamp(red), clamp(green), clamp(blue))
  }

  @inlinable @inline(__always)
  static func clamp(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value, 0), 255))
  }

  /// Converts one pixel to YCbCr: `Y = 0.299 R + 0.587 G + 0.114 B`, `Cb = (B − Y) / 1.772 + 128`, `Cr = (R − Y) /
  /// 1.402 + 128`.
  ///
  /// The factors have 16 fraction bits and add up to exactly 1 or 0. Luma is rounded to nearest; halves of chroma are
  /// rounded down, as in libjpeg.
  @inlinable @inline(__always)
  package static func yCbCr(red: UInt8, green: UInt8, blue: UInt8) -> (y: UInt8, cb: UInt8, cr: UInt8) {
    let (red, green, blue) = (Int32(red), Int32(green), Int32(blue))
    let center: Int32 = 128 &<< 16 &+ 32767
    let y = (19595 &* red &+ 38470 &* green &+ 7471 &* blue &+ 32768) &>> 16
    let cb = (32768 &* blue &- 11059 &* red &- 21709 &* green &+ center) &>> 16
    let cr = (32768 &* red &- 27439 &* green &- 5329 &* blue &+ center) &>> 16
    return (UInt8(truncatingIfNeeded: y), UInt8(truncatingIfNeeded: cb), UInt8(truncatingIfNeeded: cr))
  }
}
