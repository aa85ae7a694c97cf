// Arithmetic on whole pixels: four samples of 8 bits in a word, computed in the 16-bit lanes of a 64-bit one.

/// Functions of premultiplied pixels, red in the lowest byte. All products are rounded to nearest.
enum PixelWord {
  private static let lanes: UInt64 = 0x00FF_00FF_00FF_00FF
  private static let halves: UInt64 = 0x0080_0080_0080_0080

  /// Each sample times `factor` / 255.
  @inline(__always)
  static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
    let wide = UInt64(pixel)
    // Samples 0 and 2 in the low half, 1 and 3 in the high half. Lanes hold at most 255 · 255 + 128 + 254 < 2^16.
    let spread = (wide | (wide &<< 24)) & lanes
    let product = spread &* UInt64(factor) &+ halves
    let rounded = ((product &+ ((product &>> 8) & lanes)) &>> 8) & lanes
    return UInt32(truncatingIfNeeded: rounded | (rounded &>> 24))
  }

  /// Source over backdrop. Valid premultiplied pixels never overflow.
  @inline(__always)
  static func over(_ source: UInt32, _ backdrop: UInt32) -> UInt32 {
    addSaturating(source, scaled(backdrop, by: 255 &- (source &>> 24)))
  }

  /// The sum; rounding may pass 255 by one where samples exceed their alpha, so it is cut there.
  @inline(__always)
  static func addSaturating(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let sum = a &+ b
    // Carries out of a byte: nothing to do in the usual case.
    let carries = ((a & b) | ((a | b) & ~sum)) & 0x8080_8080
    if carries == 0 { return sum }
    let full = (carries &>> 7) &* 255
    let low = (a & 0x7F7F_7F7F) &+ (b & 0x7F7F_7F7F)
    return (low ^ ((a ^ b) & 0x8080_8080)) | full
  }

  /// The alpha sample.
  @inline(__always)
  static func alpha(_ pixel: UInt32) -> UInt32 { pixel &>> 24 }
}
