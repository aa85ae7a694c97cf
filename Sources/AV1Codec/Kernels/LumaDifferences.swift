// The luma from which chroma is predicted (section 7.11.5), eight values at once.

internal import VectorLanes

/// The luma of a block of chroma.
package struct LumaSource {
  /// The index of the first sample.
  let index: Int
  let stride: Int
  /// The logarithms of luma columns and rows for each of chroma.
  let shiftX: Int
  let shiftY: Int
  /// The columns and rows of chroma whose luma is decoded: multiples of 4 from the first one on, or of 2 for 4:2:0.
  let columns: Int
  let rows: Int

  package init(index: Int, stride: Int, shiftX: Int, shiftY: Int, columns: Int, rows: Int) {
    (self.index, self.stride, self.shiftX, self.shiftY) = (index, stride, shiftX, shiftY)
    (self.columns, self.rows) = (columns, rows)
  }
}

/// Computes the sums of the luma samples of each chroma sample, in eighths, less their mean. The last column and row
/// that are decoded are repeated.
///
/// - Parameter values: ``lumaStride`` values in each of 32 rows.
@inline(never)
package func loadLumaDifferences(
  _ source: LumaSource, _ samples: Span<UInt16>, log2Width: Int, log2Height: Int, _ values: inout MutableSpan<Int16>
) {
  let (width, height) = (1 &<< log2Width, 1 &<< log2Height)
  let lastRow = (source.rows &<< source.shiftY) &- 1
  precondition(
    log2Width >= 2 && log2Width <= 5 && log2Height >= 2 && log2Height <= 5 && source.columns > 0 && source.rows > 0
      && source.columns <= width && source.rows <= height && source.shiftX >= 0 && source.shiftX <= 1
      && source.shiftY >= 0 && source.shiftY <= source.shiftX && values.count >= 32 * lumaStride && source.index >= 0
      && source.stride >= 0 && source.stride < 1 << 24
      && source.index <= samples.count &- lastRow &* source.stride &- 64, "the luma is present")
  // SAFETY: at most 32 columns of values, which are sums of at most 64 columns, are loaded from rows before the last
  // one, which is in the samples by the precondition. Values are stored for at most 32 columns and rows.
  unsafe samples.withUnsafeBufferPointer { samples in
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let input = samples.baseAddress, let output = values.baseAddress else { return }
      let pitch = source.stride &* 2
      var total = Int32x4()
      for row in 0..<height {
        let target = unsafe UnsafeMutableRawPointer(output + row &* lumaStride)
        let line = unsafe UnsafeRawPointer(
          input + (source.index &+ (min(row, source.rows &- 1) &<< source.shiftY) &* source.stride))
        var column = 0
        while column < width {
          let value = unsafe eighths(line + column &<< (1 &+ source.shiftX), pitch, source)
          unsafe (target + column &* 2).storeBytes(of: value, as: Int16x8.self)
          column &+= 8
        }
        if source.columns < width {
          let last = unsafe output[row &* lumaStride &+ source.columns &- 1]
          for column in source.columns..<width { unsafe output[row &* lumaStride &+ column] = last }
        }
        unsafe total &+= sum(target, width)
      }
      let shift = Int32(truncatingIfNeeded: log2Width &+ log2Height)
      let mean = (total[0] &+ total[1] &+ total[2] &+ total[3] &+ (1 &<< shift) &>> 1) &>> shift
      let means = Int16x8(repeating: Int16(truncatingIfNeeded: mean))
      for row in 0..<height {
        for column in stride(from: 0, to: width, by: 8) {
          let target = unsafe UnsafeMutableRawPointer(output + (row &* lumaStride &+ column))
          unsafe target.storeBytes(of: target.loadUnaligned(as: Int16x8.self) &- means, as: Int16x8.self)
        }
      }
    }
  }
}

/// Eight sums of luma samples.
@inline(__always)
@unsafe private func eighths(_ line: UnsafeRawPointer, _ pitch: Int, _ source: LumaSource) -> Int16x8 {
  var first = unsafe line.loadUnaligned(as: Int16x8.self)
  guard source.shiftX == 1 else { return first &<< 3 }
  var second = unsafe line.loadUnaligned(fromByteOffset: 16, as: Int16x8.self)
  if source.shiftY == 1 {
    unsafe first &+= line.loadUnaligned(fromByteOffset: pitch, as: Int16x8.self)
    unsafe second &+= line.loadUnaligned(fromByteOffset: pitch &+ 16, as: Int16x8.self)
  }
  let ones = Int16x8(repeating: 1)
  let sums = packSaturating(multiplyAddPairs(first, ones), multiplyAddPairs(second, ones))
  return source.shiftY == 1 ? sums &+ sums : sums &<< 2
}

/// Sums of the values of a row.
@inline(__always)
@unsafe private func sum(_ row: UnsafeMutableRawPointer, _ width: Int) -> Int32x4 {
  if width == 4 {
    let values = unsafe Int16x8(lowHalf: row.loadUnaligned(as: SIMD4<Int16>.self), highHalf: SIMD4())
    return multiplyAddPairs(values, Int16x8(repeating: 1))
  }
  var sums = Int32x4()
  for column in stride(from: 0, to: width, by: 8) {
    let values = unsafe row.loadUnaligned(fromByteOffset: column &* 2, as: Int16x8.self)
    sums &+= multiplyAddPairs(values, Int16x8(repeating: 1))
  }
  return sums
}
