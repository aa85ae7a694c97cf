// Floyd and Steinberg, 1976: the error of each pixel is distributed over four later neighbours in shares of 7, 3, 5 and
// 1 sixteenths. Every other row runs backwards, which reduces visible patterns.

/// Dithers a picture by error diffusion.
struct ErrorDiffusion {
  let width: Int

  /// Returns the palette index of each pixel. Pixels of value 0 get the index `gap` and diffuse no error.
  func indices(of pixels: [UInt32], gap: UInt8, colors: [UInt32], matcher: inout ColorMatcher) -> [UInt8] {
    var indices = [UInt8](repeating: gap, count: pixels.count)
    // Errors in sixteenths, with one spare pixel on each side.
    var current = [SIMD4<Int32>](repeating: .zero, count: width + 2)
    var below = current
    for y in 0..<(width == 0 ? 0 : pixels.count / width) {
      let isForward = y % 2 == 0
      let step = isForward ? 1 : -1
      var x = isForward ? 0 : width - 1
      while x >= 0, x < width {
        let position = y * width + x
        if pixels[position] != 0 {
          let wanted = clamped(channels(of: pixels[position]) &+ (current[x + 1] &+ 8) &>> 4)
          let index = matcher.index(wanted.x, wanted.y, wanted.z)
          indices[position] = index
          let error = wanted &- channels(of: colors[Int(index)])
          current[x + 1 + step] &+= error &* 7
          below[x + 1 - step] &+= error &* 3
          below[x + 1] &+= error &* 5
          below[x + 1 + step] &+= error
        }
        x += step
      }
      swap(&current, &below)
      for x in below.indices { below[x] = .zero }
    }
    return indices
  }

  private func channels(of pixel: UInt32) -> SIMD4<Int32> {
    SIMD4<Int32>(Int32(pixel & 255), Int32(pixel >> 8 & 255), Int32(pixel >> 16 & 255), 0)
  }

  private func clamped(_ color: SIMD4<Int32>) -> SIMD4<Int32> {
    color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
  }
}
