// The inverse of PNG's Paeth filter. Each pixel depends on its left neighbour, so a single row leaves the processor
// idle. If two consecutive rows use Paeth, they are decoded together, with the lower one a pixel behind in the upper
// half of the lanes.

/// Reverses filter 4, Paeth, on one row.
func unfilterPaeth(_ strip: inout MutableSpan<UInt8>, row: Int, prior: Int, count: Int, distance: Int) {
  checkRows(strip, row: row, prior: prior, count: count, distance: distance)
  // SAFETY: both rows are within the strip, as checked.
  unsafe strip.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let current = unsafe base + row
    let above = unsafe base + prior
    switch distance {
    case 1: unsafe addPaethBytes(current, above, from: 0, count: count, distance: 1)
    case 2: unsafe addPaethPairs(current, above, count: count)
    case 3: unsafe addPaethTriples(current, above, count: count)
    case 4: unsafe addPaeth(current, above, count: count, distance: 4)
    case 6: unsafe addPaeth(current, above, count: count, distance: 6)
    case 8: unsafe addPaeth(current, above, count: count, distance: 8)
    default: unsafe addPaethBytes(current, above, from: 0, count: count, distance: distance)
    }
  }
}

/// Reverses filter 4, Paeth, on two consecutive rows of three- or four-byte pixels; `next` is the offset of the lower
/// one.
func unfilterPaethPair(
  _ strip: inout MutableSpan<UInt8>, row: Int, next: Int, prior: Int, count: Int, distance: Int
) {
  checkRows(strip, row: row, prior: prior, count: count, distance: distance)
  checkRows(strip, row: next, prior: row, count: count, distance: distance)
  precondition(distance == 3 || distance == 4, "the pixels do not have three or four bytes")
  // SAFETY: the three rows are within the strip, one after the other, as checked.
  unsafe strip.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    if distance == 3 {
      unsafe addPaethPair(base + row, base + next, base + prior, count: count, distance: 3)
    } else {
      unsafe addPaethPair(base + row, base + next, base + prior, count: count, distance: 4)
    }
  }
}

/// One row in vector lanes, one pixel per step.
@inline(__always)
private func addPaeth(
  _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int, distance: Int
) {
  let byteMask = PixelLanes(repeating: 255)
  var left = PixelLanes.zero
  var corner = PixelLanes.zero
  var index = 0
  while index &+ 8 <= count {
    let up = unsafe widened(loadEight(above + index))
    let residual = unsafe widened(loadEight(row + index))
    let predicted = paethPredictor(
      left: left, above: up, aboveLeft: corner, tripleMinusAbove: corner &+ corner &+ corner &- up)
    left = (predicted &+ residual) & byteMask
    corner = up
    unsafe storePixel(narrowed(left), count: distance, to: row + index)
    index &+= distance
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
  guard count >= distance &+ 8 else {
    unsafe addPaethBytes(upper, above, from: 0, count: count, distance: distance)
    unsafe addPaethBytes(lower, upper, from: 0, count: count, distance: distance)
    return
  }
  let byteMask = PixelLanes(repeating: 255)
  unsafe addPaethBytes(upper, above, from: 0, count: distance, distance: distance)
  var left = unsafe widened(loadFour(upper) & (distance == 3 ? 0xFF_FFFF : 0xFFFF_FFFF))
  // The left and upper-left neighbours of the lower row's first pixel are zero.
  var corner = unsafe widened(loadFour(above) & (distance == 3 ? 0xFF_FFFF : 0xFFFF_FFFF))
  var index = distance
  while index &+ 4 <= count {
    // The previous pixel of the upper row is directly above the current pixel of the lower row.
    let upperAbove = unsafe loadFour(above + index)
    let lowerAbove = narrowed(left) & 0xFFFF_FFFF
    let up = widened(upperAbove | lowerAbove &<< 32)
    let residual = unsafe widened(loadFour(upper + index) | loadFour(lower + (index &- distance)) &<< 32)
    let predicted = paethPredictor(
      left: left, above: up, aboveLeft: corner, tripleMinusAbove: corner &+ corner &+ corner &- up)
    left = (predicted &+ residual) & byteMask
    corner = up
    let result = narrowed(left)
    unsafe storePixel(result, count: distance, to: upper + index)
    unsafe storePixel(result &>> 32, count: distance, to: lower + (index &- distance))
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

/// Three samples per pixel, as three independent chains that the processor runs in parallel.
@inline(__always)
private func addPaethTriples(_ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int) {
  var (left0, left1, left2): (Int32, Int32, Int32) = (0, 0, 0)
  var (corner0, corner1, corner2): (Int32, Int32, Int32) = (0, 0, 0)
  var index = 0
  while index < count {
    let up0 = unsafe Int32(above[index])
    let up1 = unsafe Int32(above[index &+ 1])
    let up2 = unsafe Int32(above[index &+ 2])
    left0 = unsafe (Int32(row[index]) &+ predict(left0, up0, corner0)) & 255
    left1 = unsafe (Int32(row[index &+ 1]) &+ predict(left1, up1, corner1)) & 255
    left2 = unsafe (Int32(row[index &+ 2]) &+ predict(left2, up2, corner2)) & 255
    unsafe row[index] = UInt8(truncatingIfNeeded: left0)
    unsafe row[index &+ 1] = UInt8(truncatingIfNeeded: left1)
    unsafe row[index &+ 2] = UInt8(truncatingIfNeeded: left2)
    (corner0, corner1, corner2) = (up0, up1, up2)
    index &+= 3
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
