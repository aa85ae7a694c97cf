// Differences of pixels from the fourteen predictions (RFC 9649, section 3.5.1). Unlike their inverse, they do not depend
// on one another.

/// Returns the differences of the samples of two pixels.
@inline(__always)
func subtractPixels(_ a: UInt32, _ b: UInt32) -> UInt32 {
  let alphaGreen = 0x00FF_00FF &+ (a & 0xFF00_FF00) &- (b & 0xFF00_FF00)
  let redBlue = 0xFF00_FF00 &+ (a & 0x00FF_00FF) &- (b & 0x00FF_00FF)
  return (alphaGreen & 0xFF00_FF00) | (redBlue & 0x00FF_00FF)
}

/// Stores the differences of pixels from their predictions.
///
/// - Parameters:
///   - upper: the row above, from one pixel before the first one to one after the last.
///   - row: the current row, from one pixel before the first one on.
func predictionDifferences(
  _ upper: Span<UInt32>, _ row: Span<UInt32>, mode: UInt8, into output: inout MutableSpan<UInt32>
) {
  switch mode {
  case 0: subtract(upper, row, &output) { _, _, _, _ in 0xFF00_0000 }
  case 1: subtract(upper, row, &output) { left, _, _, _ in left }
  case 2: subtract(upper, row, &output) { _, _, top, _ in top }
  case 3: subtract(upper, row, &output) { _, _, _, topRight in topRight }
  case 4: subtract(upper, row, &output) { _, topLeft, _, _ in topLeft }
  case 5: subtract(upper, row, &output) { left, _, top, topRight in average(average(left, topRight), top) }
  case 6: subtract(upper, row, &output) { left, topLeft, _, _ in average(left, topLeft) }
  case 7: subtract(upper, row, &output) { left, _, top, _ in average(left, top) }
  case 8: subtract(upper, row, &output) { _, topLeft, top, _ in average(topLeft, top) }
  case 9: subtract(upper, row, &output) { _, _, top, topRight in average(top, topRight) }
  case 10:
    subtract(upper, row, &output) { left, topLeft, top, topRight in
      average(average(left, topLeft), average(top, topRight))
    }
  case 11: subtract(upper, row, &output) { left, topLeft, top, _ in select(left, topLeft, top) }
  case 12: subtract(upper, row, &output) { left, topLeft, top, _ in extrapolate(left, topLeft, top) }
  default: subtract(upper, row, &output) { left, topLeft, top, _ in extrapolateHalf(left, topLeft, top) }
  }
}

@inline(__always)
private func subtract(
  _ upper: Span<UInt32>, _ row: Span<UInt32>, _ output: inout MutableSpan<UInt32>,
  _ predict: (_ left: UInt32, _ topLeft: UInt32, _ top: UInt32, _ topRight: UInt32) -> UInt32
) {
  let count = output.count
  let upper = upper.extracting(0..<count + 2)
  let row = row.extracting(0..<count + 1)
  var x = 0
  while x < count {
    output[x] = subtractPixels(row[x &+ 1], predict(row[x], upper[x], upper[x &+ 1], upper[x &+ 2]))
    x &+= 1
  }
}

@inline(__always)
private func average(_ a: UInt32, _ b: UInt32) -> UInt32 { ((a ^ b) & 0xFEFE_FEFE) &>> 1 &+ (a & b) }

@inline(__always)
private func sample(_ pixel: UInt32, _ shift: UInt32) -> Int32 { Int32(truncatingIfNeeded: pixel &>> shift & 0xFF) }

@inline(__always)
private func clamped(_ value: Int32) -> UInt32 { UInt32(truncatingIfNeeded: min(max(value, 0), 255)) }

@inline(__always)
private func distance(_ a: UInt32, _ b: UInt32) -> Int32 {
  abs(sample(a, 0) &- sample(b, 0)) &+ abs(sample(a, 8) &- sample(b, 8)) &+ abs(sample(a, 16) &- sample(b, 16))
    &+ abs(sample(a, 24) &- sample(b, 24))
}

@inline(__always)
private func select(_ left: UInt32, _ topLeft: UInt32, _ top: UInt32) -> UInt32 {
  distance(top, topLeft) < distance(left, topLeft) ? left : top
}

@inline(__always)
private func extrapolate(_ left: UInt32, _ topLeft: UInt32, _ top: UInt32) -> UInt32 {
  @inline(__always)
  func part(_ shift: UInt32) -> UInt32 {
    clamped(sample(left, shift) &+ sample(top, shift) &- sample(topLeft, shift)) &<< shift
  }
  return part(0) | part(8) | part(16) | part(24)
}

@inline(__always)
private func extrapolateHalf(_ left: UInt32, _ topLeft: UInt32, _ top: UInt32) -> UInt32 {
  let mean = average(left, top)
  @inline(__always)
  func part(_ shift: UInt32) -> UInt32 {
    let a = sample(mean, shift)
    // Half the difference, rounded towards zero.
    return clamped(a &+ (a &- sample(topLeft, shift)) / 2) &<< shift
  }
  return part(0) | part(8) | part(16) | part(24)
}
