// The inverse of PNG's filters, section 9.2, on rows within one strip of memory. `prior` and `row` are the offsets of
// the row above and of the row itself, both after their filter bytes. The result replaces the row.

internal import VectorLanes

/// Reverses filter 2, Up: adds the byte above.
func unfilterUp(_ strip: inout MutableSpan<UInt8>, row: Int, prior: Int, count: Int) {
  checkRows(strip, row: row, prior: prior, count: count, distance: 1)
  // SAFETY: both rows are within the strip, as checked.
  unsafe strip.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let current = unsafe base + row
    let above = unsafe base + prior
    var index = 0
    while index < count {
      unsafe current[index] = current[index] &+ above[index]
      index &+= 1
    }
  }
}

/// Reverses filter 1, Sub: adds the byte one pixel to the left.
func unfilterSub(_ strip: inout MutableSpan<UInt8>, row: Int, prior: Int, count: Int, distance: Int) {
  checkRows(strip, row: row, prior: prior, count: count, distance: distance)
  // SAFETY: the row is within the strip, as checked.
  unsafe strip.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let current = unsafe base + row
    switch distance {
    case 3: unsafe addLeft(current, count: count, distance: 3)
    case 4: unsafe addLeftPrefix(current, count: count)
    case 6: unsafe addLeft(current, count: count, distance: 6)
    case 8: unsafe addLeft(current, count: count, distance: 8)
    default: unsafe addLeftBytes(current, from: distance, count: count, distance: distance)
    }
  }
}

@inline(__always)
private func addLeft(_ row: UnsafeMutablePointer<UInt8>, count: Int, distance: Int) {
  var left = UInt8x16()
  let index = unsafe replacePixels(row, count: count, distance: distance) { _, word in
    left = left &+ lanes(word)
    return firstWord(left)
  }
  unsafe addLeftBytes(row, from: max(index, distance), count: count, distance: distance)
}

/// Adds sixteen bytes lane by lane.
@inline(__always)
private func bytewiseSum(_ x: SIMD4<UInt32>, _ y: SIMD4<UInt32>) -> SIMD4<UInt32> {
  // SAFETY: both types are sixteen bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(
    unsafeBitCast(x, to: SIMD16<UInt8>.self) &+ unsafeBitCast(y, to: SIMD16<UInt8>.self), to: SIMD4<UInt32>.self)
}

/// Four-byte pixels, four at a time: prefix sums of one to four pixels, plus the last pixel of the previous step.
@inline(__always)
private func addLeftPrefix(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
  var last = SIMD4<UInt32>.zero
  var index = 0
  while index &+ 16 <= count {
    let raw = unsafe UnsafeMutableRawPointer(row + index)
    let pixels = unsafe raw.loadUnaligned(as: SIMD4<UInt32>.self)
    let pairs = bytewiseSum(pixels, SIMD4<UInt32>(0, pixels[0], pixels[1], pixels[2]))
    let quads = bytewiseSum(pairs, SIMD4<UInt32>(0, 0, pairs[0], pairs[1]))
    let result = bytewiseSum(quads, last)
    unsafe raw.storeBytes(of: result, as: SIMD4<UInt32>.self)
    last = SIMD4<UInt32>(repeating: result[3])
    index &+= 16
  }
  unsafe addLeftBytes(row, from: max(index, 4), count: count, distance: 4)
}

@inline(__always)
private func addLeftBytes(_ row: UnsafeMutablePointer<UInt8>, from start: Int, count: Int, distance: Int) {
  var index = start
  while index < count {
    unsafe row[index] = row[index] &+ row[index &- distance]
    index &+= 1
  }
}

/// Reverses filter 3, Average: adds the mean, rounded down, of the bytes to the left and above.
func unfilterAverage(_ strip: inout MutableSpan<UInt8>, row: Int, prior: Int, count: Int, distance: Int) {
  checkRows(strip, row: row, prior: prior, count: count, distance: distance)
  // SAFETY: both rows are within the strip, as checked.
  unsafe strip.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let current = unsafe base + row
    let above = unsafe base + prior
    switch distance {
    case 1: unsafe addAverageSingles(current, above, count: count)
    case 3: unsafe addAverage(current, above, count: count, distance: 3)
    case 4: unsafe addAverage(current, above, count: count, distance: 4)
    case 6: unsafe addAverage(current, above, count: count, distance: 6)
    case 8: unsafe addAverage(current, above, count: count, distance: 8)
    default: unsafe addAverageBytes(current, above, from: 0, count: count, distance: distance)
    }
  }
}

/// One pixel per step. The complement of a pixel is the mean of the complements of those to the left and above, which is
/// then rounded up, minus the byte of the row: two instructions from one pixel to the next.
@inline(__always)
private func addAverage(
  _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int, distance: Int
) {
  let ones = UInt8x16(repeating: 255)
  var left = ones
  let index = unsafe replacePixels(row, count: count, distance: distance) { index, word in
    // The compiler takes complements of lanes apart if they come from words of eight bytes.
    let above = unsafe loadPixel(above + index, distance: distance)
    let up = distance <= 4 ? lanes(above) ^ ones : lanes(~above)
    left = averageRoundingUp(left, up) &- lanes(word)
    return ~firstWord(left)
  }
  unsafe addAverageBytes(row, above, from: index, count: count, distance: distance)
}

/// One byte per step.
@inline(__always)
private func addAverageBytes(
  _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, from start: Int, count: Int, distance: Int
) {
  var index = start
  while index < count {
    let left = unsafe index < distance ? 0 : UInt32(row[index &- distance])
    unsafe row[index] = row[index] &+ UInt8(truncatingIfNeeded: (left &+ UInt32(above[index])) &>> 1)
    index &+= 1
  }
}

/// Pixels of one byte, the last of which stays in a register.
@inline(__always)
private func addAverageSingles(
  _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int
) {
  var left: UInt32 = 0
  for index in 0..<count {
    left = unsafe (UInt32(row[index]) &+ (left &+ UInt32(above[index])) &>> 1) & 255
    unsafe row[index] = UInt8(truncatingIfNeeded: left)
  }
}
