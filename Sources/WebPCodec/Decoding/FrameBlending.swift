// Blending of a frame over the canvas in straight alpha, as in libwebp's animation decoder.

/// Blends a row of RGBA pixels over another one.
///
/// - Parameter replaced: the pixels that are copied instead of blended.
package func blendPixels(_ source: Span<UInt8>, over target: inout MutableSpan<UInt8>, except replaced: Range<Int>) {
  let count = min(source.count, target.count) / 4
  for pixel in 0..<count {
    let index = pixel &* 4
    let alpha = UInt32(source[index &+ 3])
    if alpha == 255 || replaced.contains(pixel) {
      for sample in index..<index &+ 4 { target[sample] = source[sample] }
    } else if alpha != 0 {
      let below = (UInt32(target[index &+ 3]) &* (256 &- alpha)) &>> 8
      let sum = alpha &+ below
      let scale = (1 << 24) / sum
      for sample in index..<index &+ 3 {
        let blended = UInt32(source[sample]) &* alpha &+ UInt32(target[sample]) &* below
        target[sample] = UInt8(truncatingIfNeeded: (blended &* scale) &>> 24)
      }
      target[index &+ 3] = UInt8(truncatingIfNeeded: sum)
    }
  }
}
