// The inverse of PNG's Paeth filter. Each pixel depends on its left neighbour, so a single row leaves the processor
// idle. If two consecutive rows use Paeth, they are decoded together, with the lower one a pixel behind in the upper
// half of the lanes.

internal import VectorLanes

/// Reverses filter 4, Paeth, on one row.
func unfilterPaeth(_ strip: inout MutableSpan<UInt8>, row: Int, prior: Int, count: Int, distance: Int) {
  checkRows(strip, row: row, prior: prior, count: count, distance: distance)
  // SAFETY: both rows are within the strip, as checked.
  unsafe strip.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let current = unsafe base + row
    let above = unsafe base + prior
    switch distance {
    case 1: unsafe addPaethSingles(current, above, count: count)
    case 2: unsafe addPaethPairs(current, above, count: count)
    case 3: unsafe addPaeth(current, above, count: count, distance: 3)
    case 4: unsafe addPaeth(current, above, count: count, distance: 4)
    case 6: unsafe addPaeth(current, above, count: count, distance: 6)
    case 8: unsafe addPaeth(current, above, count: count, distance: 8)
    default: unsafe addPaethBytes(current, above, from: 0, count: count, distance: distance)
    }
  }
}

/// Reverses filter 4, Paeth, on two consecutive rows of pixels of one, three or four bytes; `next` is the offset of the lower
/// one.
func unfilterPaethPair(
  _ strip: inout MutableSpan<UInt8>, row: Int, next: Int, prior: Int, count: Int, distance: Int
) {
  checkRows(strip, row: row, prior: prior, count: count, distance: distance)
  checkRows(strip, row: next, prior: row, count: count, distance: distance)
  precondition(distance == 1 || distance == 3 || distance == 4, "the pixels do not have one, three or four bytes")
  // SAFETY: the three rows are within the strip, one after the other, as checked.
  unsafe strip.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    switch distance {
    case 1: unsafe addPaethSinglesPair(base + row, base + next, base + prior, count: count)
    case 3: unsafe addPaethPair(base + row, base + next, base + prior, count: count, distance: 3)
    default: unsafe addPaethPair(base + row, base + next, base + prior, count: count, distance: 4)
    }
  }
}

/// One row in vector lanes, one pixel per step.
@inline(__always)
private func addPaeth(
  _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int, distance: Int
) {
  var left = PixelLanes.zero
  var corner = PixelLanes.zero
  let index = unsafe replacePixels(row, count: count, distance: distance) { index, word in
    let up = unsafe widened(loadPixel(above + index, distance: distance))
    let predicted = paethPredictor(
      left: left, above: up, aboveLeft: corner, tripleMinusAbove: corner &+ corner &+ corner &- up)
    left = addLowBytes(predicted, widened(word))
    corner = up
    return narrowed(left)
  }
  unsafe addPaethBytes(row, above, from: index, count: count, distance: distance)
}

/// Two rows: the low lanes hold a pixel of the upper row; the high lanes hold the pixel of the lower row one column to
/// the left.
@inline(__always)
private func addPaethPair(
  _ upper: UnsafeMutablePointer<UInt8>, _ lower: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>,
  count: Int, distance: Int
) {
  guard count >= 2 &* distance &+ 4 else {
    unsafe addPaethBytes(upper, above, from: 0, count: count, distance: distance)
    unsafe addPaethBytes(lower, upper, from: 0, count: count, distance: distance)
    return
  }
  unsafe addPaethBytes(upper, above, from: 0, count: distance, distance: distance)
  let mask = pixelMask(distance: distance)
  // The left and upper-left neighbours of the lower row's first pixel are zero.
  var left = unsafe widened(loadPixel(upper, distance: distance))
  var corner = unsafe widened(loadPixel(above, distance: distance))
  var upperWord = unsafe loadPixel(upper + distance, distance: distance)
  var lowerWord = unsafe loadPixel(lower, distance: distance)
  var index = distance
  while index &+ distance &+ 4 <= count {
    // The next pixels are loaded before the stores; see `replacePixels`.
    let nextUpper = unsafe loadPixel(upper + (index &+ distance), distance: distance)
    let nextLower = unsafe loadPixel(lower + index, distance: distance)
    // The previous pixel of the upper row is directly above the current pixel of the lower row.
    let up = unsafe interleaveLow64(widened(loadPixel(above + index, distance: distance)), left)
    let predicted = paethPredictor(
      left: left, above: up, aboveLeft: corner, tripleMinusAbove: corner &+ corner &+ corner &- up)
    left = addLowBytes(predicted, widened(upperWord | lowerWord &<< 32))
    corner = up
    let result = narrowed(left)
    unsafe storePixel(result & mask | upperWord & ~mask, distance: distance, to: upper + index)
    unsafe storePixel(
      result &>> 32 & mask | lowerWord & ~mask, distance: distance, to: lower + (index &- distance))
    (upperWord, lowerWord) = (nextUpper, nextLower)
    index &+= distance
  }
  unsafe addPaethBytes(upper, above, from: index, count: count, distance: distance)
  unsafe addPaethBytes(lower, upper, from: index &- distance, count: count, distance: distance)
}

/// The predictor on single samples; see `paethPredictor`.
@inline(__always)
private func predict(_ left: Int32, _ above: Int32, _ corner: Int32) -> Int32 {
  let threshold = corner &* 3 &- above &- left
  let low = left < above ? left : above
  let high = left < above ? above : left
  let middle = high <= threshold ? low : corner
  return threshold <= low ? high : middle
}

/// Pixels of one byte, the last of which stay in registers.
@inline(__always)
private func addPaethSingles(_ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int) {
  var (left, corner): (Int32, Int32) = (0, 0)
  for index in 0..<count {
    let up = unsafe Int32(above[index])
    left = unsafe (Int32(row[index]) &+ predict(left, up, corner)) & 255
    unsafe row[index] = UInt8(truncatingIfNeeded: left)
    corner = up
  }
}

/// Two rows of pixels of one byte, the lower one a pixel behind.
@inline(__always)
private func addPaethSinglesPair(
  _ upper: UnsafeMutablePointer<UInt8>, _ lower: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>,
  count: Int
) {
  var (left, corner): (Int32, Int32) = (0, 0)
  // The pixel to the left in the lower row; `left` is above the next one, and this one above `lowerLeft`.
  var (lowerLeft, lowerCorner): (Int32, Int32) = (0, 0)
  for index in 0..<count {
    let up = unsafe Int32(above[index])
    let pixel = unsafe (Int32(upper[index]) &+ predict(left, up, corner)) & 255
    unsafe upper[index] = UInt8(truncatingIfNeeded: pixel)
    if index > 0 {
      lowerLeft = unsafe (Int32(lower[index &- 1]) &+ predict(lowerLeft, left, lowerCorner)) & 255
      unsafe lower[index &- 1] = UInt8(truncatingIfNeeded: lowerLeft)
    }
    (lowerCorner, left, corner) = (left, pixel, up)
  }
  if count > 0 {
    lowerLeft = unsafe (Int32(lower[count &- 1]) &+ predict(lowerLeft, left, lowerCorner)) & 255
    unsafe lower[count &- 1] = UInt8(truncatingIfNeeded: lowerLeft)
  }
}

/// Two samples per pixel, as two independent chains.
@inline(__always)
private func addPaethPairs(_ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int) {
  var (left0, left1): (Int32, Int32) = (0, 0)
  var (corner0, corner1): (Int32, Int32) = (0, 0)
  var index = 0
  while index < count {
    let up0 = unsafe Int32(above[index])
    let up1 = unsafe Int32(above[index &+ 1])
    left0 = unsafe (Int32(row[index]) &+ predict(left0, up0, corner0)) & 255
    left1 = unsafe (Int32(row[index &+ 1]) &+ predict(left1, up1, corner1)) & 255
    unsafe row[index] = UInt8(truncatingIfNeeded: left0)
    unsafe row[index &+ 1] = UInt8(truncatingIfNeeded: left1)
    (corner0, corner1) = (up0, up1)
    index &+= 2
  }
}

@inline(__always)
private func addPaethBytes(
  _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, from start: Int, count: Int, distance: Int
) {
  var index = start
  while index < count {
    let left = unsafe index < distance ? 0 : Int32(row[index &- distance])
    let corner = unsafe index < distance ? 0 : Int32(above[index &- distance])
    let predicted = unsafe predict(left, Int32(above[index]), corner)
    unsafe row[index] = row[index] &+ UInt8(truncatingIfNeeded: predicted)
    index &+= 1
  }
}
