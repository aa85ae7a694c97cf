// Arithmetic on whole pixels: four 8-bit samples in a word, processed two at a time in its 16-bit halves. Branchless,
// so that loops are vectorised.

/// Functions on premultiplied pixels, red in the lowest byte. All products are rounded to nearest.
enum PixelWord {
  /// Multiplies each sample by `factor` / 255.
  @inline(__always)
  static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
    // Each half is at most 255 · 255 + 128 + 254 < 2^16.
    let even = (pixel & 0x00FF_00FF) &* factor &+ 0x0080_0080
    let odd = ((pixel &>> 8) & 0x00FF_00FF) &* factor &+ 0x0080_0080
    let low = ((even &+ ((even &>> 8) & 0x00FF_00FF)) &>> 8) & 0x00FF_00FF
    let high = (odd &+ ((odd &>> 8) & 0x00FF_00FF)) & 0xFF00_FF00
    return low | high
  }

  /// Source over backdrop. No sample exceeds 255, because those of a premultiplied pixel are at most its alpha.
  @inline(__always)
  static func over(_ source: UInt32, _ backdrop: UInt32) -> UInt32 {
    source &+ scaled(backdrop, by: 255 &- (source &>> 24))
  }

  /// The alpha sample.
  @inline(__always)
  static func alpha(_ pixel: UInt32) -> UInt32 { pixel &>> 24 }
}
