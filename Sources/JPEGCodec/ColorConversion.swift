// YCbCr to RGB for single pixels and rows of them, in libjpeg's fixed point. ITU-T T.871, section 7. The kernels
// compute the same sums for sixteen pixels at a time.

/// Red, green and blue of one YCbCr pixel.
package enum ColorConversion {
  /// Converts one pixel: `R = Y + 1.402 Cr`, `G = Y − 0.344136 Cb − 0.714136 Cr`, `B = Y + 1.772 Cb`.
  ///
  /// The factors have 16 fraction bits; the products are rounded to nearest.
  @inline(__always)
  package static func rgb(y: UInt8, cb: UInt8, cr: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let luma = Int32(y)
    let b = Int32(cb) &- 128
    let r = Int32(cr) &- 128
    let red = luma &+ ((91881 &* r &+ 32768) &>> 16)
    let green = luma &+ ((-22554 &* b &- 46802 &* r &+ 32768) &>> 16)
    let blue = luma &+ ((116130 &* b &+ 32768) &>> 16)
    return (clamp(red), clamp(green), clamp(blue))
  }

  @inline(__always)
  private static func clamp(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value, 0), 255))
  }
}
