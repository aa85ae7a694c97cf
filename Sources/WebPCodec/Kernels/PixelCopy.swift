// Backward references: pixels copied from earlier positions of the same buffer, possibly overlapping.

/// Copies `count` pixels from one position to a later one with the effect of a copy pixel by pixel. Positions are
/// masked to buffer indices.
package func copyPixels(_ pixels: inout MutableSpan<UInt32>, from source: Int, to target: Int, count: Int, mask: Int) {
  let from = source & mask
  let to = target & mask
  guard from &+ count <= pixels.count, to &+ count <= pixels.count else {
    // The copy crosses the end of the ring.
    for index in 0..<count { pixels[(target &+ index) & mask] = pixels[(source &+ index) & mask] }
    return
  }
  precondition(from >= 0 && to >= 0 && count >= 0, "places are in the buffer")
  // SAFETY: both ranges are within the buffer, as checked above.
  unsafe pixels.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let input = unsafe base + from
    let output = unsafe base + to
    var index = 0
    if to &- from >= 4 || from > to {
      while index &+ 4 <= count {
        let four = unsafe UnsafeRawPointer(input + index).loadUnaligned(as: SIMD4<UInt32>.self)
        unsafe UnsafeMutableRawPointer(output + index).storeBytes(of: four, as: SIMD4<UInt32>.self)
        index &+= 4
      }
    } else if to &- from == 1 {
      let color = unsafe SIMD4<UInt32>(repeating: input[0])
      while index &+ 4 <= count {
        unsafe UnsafeMutableRawPointer(output + index).storeBytes(of: color, as: SIMD4<UInt32>.self)
        index &+= 4
      }
    }
    while index < count {
      unsafe output[index] = input[index]
      index &+= 1
    }
  }
}
