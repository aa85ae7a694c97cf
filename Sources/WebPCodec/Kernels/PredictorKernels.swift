// The fourteen predictors (RFC 9649, section 3.5.1), applied to all samples of a pixel at once. Modes 14 and 15 do not
// exist; libwebp treats them as opaque black.

internal import VectorLanes

private typealias Pixels = UnsafeMutablePointer<UInt32>

/// Adds the predictions of one mode to the differences in a range of columns that does not include the first.
///
/// - Parameters:
///   - row: receives the pixels; those before the columns are already complete.
///   - upper: the row above, with one more pixel at the right.
package func addPredictions(_ row: inout MutableSpan<UInt32>, upper: Span<UInt32>, columns: Range<Int>, mode: UInt8) {
  precondition(
    columns.lowerBound >= 1 && columns.upperBound <= row.count && columns.upperBound < upper.count,
    "the columns or their neighbours are out of range")
  // SAFETY (all of this file): `row` is accessed from one pixel before the columns on, `upper` from one pixel before
  // them to one after them. Vectors of four pixels are read only if four columns are left.
  unsafe row.withUnsafeMutableBufferPointer { row in
    unsafe upper.withUnsafeBufferPointer { upper in
      guard let row = row.baseAddress, let upper = upper.baseAddress else { return }
      unsafe addPredictions(
        row + columns.lowerBound, upper + columns.lowerBound, count: columns.count, mode: mode)
    }
  }
}

@unsafe private func addPredictions(_ row: Pixels, _ upper: UnsafePointer<UInt32>, count: Int, mode: UInt8) {
  switch mode {
  case 1: unsafe addLeft(row, count: count)
  case 2: unsafe addAbove(row, upper, count: count) { top, _, _ in top }
  case 3: unsafe addAbove(row, upper, count: count) { _, topRight, _ in topRight }
  case 4: unsafe addAbove(row, upper, count: count) { _, _, topLeft in topLeft }
  case 5:
    unsafe addSerially(row, upper, count: count) { left, top, topRight, _ in average(average(left, topRight), top) }
  case 6: unsafe addSerially(row, upper, count: count) { left, _, _, topLeft in average(left, topLeft) }
  case 7: unsafe addSerially(row, upper, count: count) { left, top, _, _ in average(left, top) }
  case 8: unsafe addAbove(row, upper, count: count) { top, _, topLeft in average(topLeft, top) }
  case 9: unsafe addAbove(row, upper, count: count) { top, topRight, _ in average(top, topRight) }
  case 10:
    unsafe addSerially(row, upper, count: count) { left, top, topRight, topLeft in
      average(average(left, topLeft), average(top, topRight))
    }
  case 11: unsafe addSelected(row, upper, count: count)
  case 12: unsafe addSerially(row, upper, count: count) { left, top, _, topLeft in extrapolate(left, top, topLeft) }
  case 13: unsafe addSerially(row, upper, count: count) { left, top, _, topLeft in extrapolateHalf(left, top, topLeft) }
  default: unsafe addAbove(row, upper, count: count) { _, _, _ in bytes(SIMD4(repeating: 0xFF00_0000)) }
  }
}

// MARK: Arithmetic

@inline(__always)
private func bytes(_ pixels: SIMD4<UInt32>) -> UInt8x16 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(pixels, to: UInt8x16.self)
}

@inline(__always)
private func pixels(_ bytes: UInt8x16) -> SIMD4<UInt32> {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(bytes, to: SIMD4<UInt32>.self)
}

/// Returns one pixel in the lowest lanes; the others are zero.
@inline(__always)
private func single(_ pixel: UInt32) -> UInt8x16 { bytes(SIMD4(pixel, 0, 0, 0)) }

/// Returns the samples of two pixels as 16-bit lanes.
@inline(__always)
private func widened(_ samples: UInt8x16) -> SIMD8<Int16> {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(interleaveLow8(samples, UInt8x16()), to: SIMD8<Int16>.self)
}

/// Returns the means, rounded down.
@inline(__always)
private func average(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 {
  averageRoundingUp(a, b) &- ((a ^ b) & UInt8x16(repeating: 1))
}

/// Returns left + top − top left, clamped.
@inline(__always)
private func extrapolate(_ left: UInt8x16, _ top: UInt8x16, _ topLeft: UInt8x16) -> UInt8x16 {
  let sum = widened(left) &+ (widened(top) &- widened(topLeft))
  return packUnsignedSaturating(sum, sum)
}

/// Returns the mean of left and top plus half of its difference from top left, rounded towards zero; clamped.
@inline(__always)
private func extrapolateHalf(_ left: UInt8x16, _ top: UInt8x16, _ topLeft: UInt8x16) -> UInt8x16 {
  let mean = widened(average(left, top))
  let difference = mean &- widened(topLeft)
  // SAFETY (both casts): both types have 16 bytes, and every bit pattern is valid.
  let sign = unsafe unsafeBitCast(
    unsafeBitCast(difference, to: SIMD8<UInt16>.self) &>> 15, to: SIMD8<Int16>.self)
  let sum = mean &+ ((difference &+ sign) &>> 1)
  return packUnsignedSaturating(sum, sum)
}

// MARK: Rows

@inline(__always)
@unsafe private func load(_ pixels: UnsafePointer<UInt32>) -> UInt8x16 {
  unsafe UnsafeRawPointer(pixels).loadUnaligned(as: UInt8x16.self)
}

@inline(__always)
@unsafe private func store(_ samples: UInt8x16, _ pixels: Pixels) {
  unsafe UnsafeMutableRawPointer(pixels).storeBytes(of: samples, as: UInt8x16.self)
}

/// Predictions that need only the row above: four pixels at a time.
@inline(__always)
@unsafe private func addAbove(
  _ row: Pixels, _ upper: UnsafePointer<UInt32>, count: Int,
  _ prediction: (_ top: UInt8x16, _ topRight: UInt8x16, _ topLeft: UInt8x16) -> UInt8x16
) {
  var x = 0
  while x &+ 4 <= count {
    let predicted = unsafe prediction(load(upper + x), load(upper + x + 1), load(upper + x - 1))
    unsafe store(load(row + x) &+ predicted, row + x)
    x &+= 4
  }
  while x < count {
    let predicted = unsafe prediction(single(upper[x]), single(upper[x &+ 1]), single(upper[x &- 1]))
    unsafe row[x] = pixels(single(row[x]) &+ predicted)[0]
    x &+= 1
  }
}

/// Predictions that need the pixel to the left.
@inline(__always)
@unsafe private func addSerially(
  _ row: Pixels, _ upper: UnsafePointer<UInt32>, count: Int,
  _ prediction: (_ left: UInt8x16, _ top: UInt8x16, _ topRight: UInt8x16, _ topLeft: UInt8x16) -> UInt8x16
) {
  var left = unsafe single(row[-1])
  var x = 0
  while x < count {
    let (top, topRight, topLeft) = unsafe (single(upper[x]), single(upper[x &+ 1]), single(upper[x &- 1]))
    left = unsafe single(row[x]) &+ prediction(left, top, topRight, topLeft)
    unsafe row[x] = pixels(left)[0]
    x &+= 1
  }
}

/// Prefix sums from the left, four pixels at a time.
@unsafe private func addLeft(_ row: Pixels, count: Int) {
  var left = unsafe row[-1]
  var x = 0
  while x &+ 4 <= count {
    var sums = unsafe load(row + x)
    // SAFETY (both casts): both types have 16 bytes, and every bit pattern is valid.
    sums = unsafe sums &+ unsafeBitCast(unsafeBitCast(sums, to: SIMD2<UInt64>.self) &<< 32, to: UInt8x16.self)
    let second = pixels(sums)[1]
    sums = sums &+ bytes(SIMD4(0, 0, second, second)) &+ bytes(SIMD4(repeating: left))
    left = pixels(sums)[3]
    unsafe store(sums, row + x)
    x &+= 4
  }
  while x < count {
    unsafe row[x] = pixels(single(row[x]) &+ single(row[x &- 1]))[0]
    x &+= 1
  }
}

/// Selects left or top, whichever is nearer to left + top − top left.
@unsafe private func addSelected(_ row: Pixels, _ upper: UnsafePointer<UInt32>, count: Int) {
  var left = unsafe single(row[-1])
  var x = 0
  while x < count {
    let (top, topLeft) = unsafe (single(upper[x]), single(upper[x &- 1]))
    let isLeft = sumOfDifferences(top, topLeft)[0] < sumOfDifferences(left, topLeft)[0]
    left = unsafe single(row[x]) &+ (isLeft ? left : top)
    unsafe row[x] = pixels(left)[0]
    x &+= 1
  }
}
