// The six codes of a pixel: index, difference, luma difference, run, RGB and RGBA.

internal import ImageCoding

/// Decodes codes to pixels, row by row.
struct PixelRuns: Sendable {
  /// Red, green, blue and alpha as one integer, red in the lowest byte.
  private var pixel: UInt32 = 0xFF00_0000
  private var recent = InlineArray<64, UInt32>(repeating: 0)
  /// The number of times that the pixel remains to be repeated.
  private var runLength = 0

  /// The length of the longest code in bytes.
  static let maximumCodeByteCount = 5

  /// Decodes pixels to a row.
  ///
  /// - Parameters:
  ///   - bytes: the codes. A code that is incomplete is left unread.
  ///   - position: the index of the next code; moved past those that have been decoded.
  ///   - row: receives the pixels.
  ///   - x: the next column; moved past the pixels that have been decoded.
  mutating func decode(
    _ bytes: Span<UInt8>, position: inout Int, into row: inout MutableSpan<UInt8>, x: inout Int, width: Int,
    hasAlpha: Bool
  ) {
    let step = hasAlpha ? 4 : 3
    var pixel = pixel
    var recent = recent
    var runLength = runLength
    var index = position
    pixels: while x < width {
      if runLength > 0 {
        runLength &-= 1
      } else {
        guard index < bytes.count else { break pixels }
        let code = bytes[index]
        if code == 0xFE || code == 0xFF {
          let count = code == 0xFE ? 3 : 4
          guard index &+ count < bytes.count else { break pixels }
          let color = UInt32(bytes[index &+ 1]) | UInt32(bytes[index &+ 2]) &<< 8 | UInt32(bytes[index &+ 3]) &<< 16
          pixel = color | (count == 4 ? UInt32(bytes[index &+ 4]) &<< 24 : pixel & 0xFF00_0000)
          index &+= count &+ 1
        } else {
          switch code &>> 6 {
          case 0: pixel = recent[Int(code)]
          case 1:
            // Differences of -2…1, with wraparound.
            pixel = Self.adding(
              Int(code &>> 4) & 3 &- 2, Int(code &>> 2) & 3 &- 2, Int(code) & 3 &- 2, to: pixel)
          case 2:
            guard index &+ 1 < bytes.count else { break pixels }
            let green = Int(code & 63) &- 32
            let other = Int(bytes[index &+ 1])
            pixel = Self.adding(green &- 8 &+ (other &>> 4), green, green &- 8 &+ (other & 15), to: pixel)
            index &+= 1
          default: runLength = Int(code & 63)
          }
          index &+= 1
        }
        recent[Self.hash(pixel)] = pixel
      }
      let target = x &* step
      row[target] = UInt8(truncatingIfNeeded: pixel)
      row[target &+ 1] = UInt8(truncatingIfNeeded: pixel &>> 8)
      row[target &+ 2] = UInt8(truncatingIfNeeded: pixel &>> 16)
      if hasAlpha { row[target &+ 3] = UInt8(truncatingIfNeeded: pixel &>> 24) }
      x &+= 1
    }
    self.pixel = pixel
    self.recent = recent
    self.runLength = runLength
    position = index
  }

  @inline(__always)
  private static func adding(_ red: Int, _ green: Int, _ blue: Int, to pixel: UInt32) -> UInt32 {
    let newRed = UInt32(truncatingIfNeeded: Int(pixel & 255) &+ red) & 255
    let newGreen = UInt32(truncatingIfNeeded: Int((pixel &>> 8) & 255) &+ green) & 255
    let newBlue = UInt32(truncatingIfNeeded: Int((pixel &>> 16) & 255) &+ blue) & 255
    return newRed | newGreen &<< 8 | newBlue &<< 16 | pixel & 0xFF00_0000
  }

  /// The position of a pixel among the recent ones: (3r + 5g + 7b + 11a) mod 64.
  @inline(__always)
  private static func hash(_ pixel: UInt32) -> Int {
    let (red, green, blue, alpha) = (pixel & 255, (pixel &>> 8) & 255, (pixel &>> 16) & 255, pixel &>> 24)
    return Int((red &* 3 &+ green &* 5 &+ blue &* 7 &+ alpha &* 11) & 63)
  }
}
