// The running sum of cells as coverage, four cells at a time.

internal import VectorLanes

/// Adds up the cells of a row, writes the coverage of each and resets the cells to zero.
///
/// - Parameters:
///   - cells: a multiple of four.
///   - sum: the sum before the first cell; receives that after the last.
/// - Returns: whether there are areas of both signs, of at least 1/16 pixel, including the sum before the first cell.
@inline(__always)
@discardableResult
package func sumCells(
  _ cells: inout MutableSpan<Int32>, _ sum: inout Int32, isEvenOdd: Bool, into coverage: inout MutableSpan<UInt8>
) -> Bool {
  precondition(cells.count == coverage.count && cells.count & 3 == 0, "the cells are not groups of four")
  var carry = Int32x4(repeating: sum)
  // Negative in a lane where an area of the other sign was found.
  let threshold = Int32x4(repeating: CellBand.fullArea / 16)
  var positive = threshold &- carry
  var negative = threshold &+ carry
  // SAFETY: groups of four are within both spans, whose counts are the same multiple of four.
  unsafe cells.withUnsafeMutableBytes { source in
    unsafe coverage.withUnsafeMutableBytes { target in
      var index = 0
      while index < target.count {
        let sums = unsafe source.loadUnaligned(fromByteOffset: index &* 4, as: Int32x4.self).runningSums &+ carry
        unsafe source.storeBytes(of: Int32x4.zero, toByteOffset: index &* 4, as: Int32x4.self)
        carry = Int32x4(repeating: sums[3])
        positive |= threshold &- sums
        negative |= threshold &+ sums
        let amounts = isEvenOdd ? evenOddCoverage(sums) : nonZeroCoverage(sums)
        unsafe target.storeBytes(of: amounts, toByteOffset: index, as: UInt32.self)
        index &+= 4
      }
    }
  }
  sum = carry[0]
  let signs = unsafe unsafeBitCast(packSaturating(positive, negative), to: SIMD2<UInt64>.self)
  let mask: UInt64 = 0x8000_8000_8000_8000
  return signs[0] & mask != 0 && signs[1] & mask != 0
}

extension Int32x4 {
  /// Each lane plus all before it.
  @inline(__always)
  fileprivate var runningSums: Int32x4 {
    let pairs = self &+ Int32x4(0, self[0], self[1], self[2])
    return pairs &+ Int32x4(0, 0, pairs[0], pairs[1])
  }

  @inline(__always)
  fileprivate var absolute: Int32x4 {
    let sign = shiftRight(self, by: 31)
    return (self ^ sign) &- sign
  }
}

/// Returns the coverage of a pixel with the given area.
@inline(__always)
package func coverage(ofArea area: Int32, isEvenOdd: Bool) -> UInt8 {
  let areas = Int32x4(repeating: area)
  return UInt8(truncatingIfNeeded: isEvenOdd ? evenOddCoverage(areas) : nonZeroCoverage(areas))
}

/// round(255 · min(1, |area|)).
@inline(__always)
private func nonZeroCoverage(_ areas: Int32x4) -> UInt32 {
  let sizes = areas.absolute
  // All ones where the size exceeds the area of a pixel. A comparison would be carried out lane by lane.
  let missing = Int32x4(repeating: CellBand.fullArea) &- sizes
  return packed(sizes &+ (missing & shiftRight(missing, by: 31)))
}

/// The distance of the area from the nearest even winding number.
@inline(__always)
private func evenOddCoverage(_ areas: Int32x4) -> UInt32 {
  let full = Int32x4(repeating: CellBand.fullArea)
  let folded = areas.absolute & (full &+ full &- 1)
  return packed(full &- (folded &- full).absolute)
}

/// round(255 · area), in four bytes.
@inline(__always)
private func packed(_ sizes: Int32x4) -> UInt32 {
  let amounts = shiftRight((sizes &<< 8) &- sizes &+ CellBand.fullArea / 2, by: 17)
  let words = packSaturating(amounts, amounts)
  let bytes = packUnsignedSaturating(words, words)
  return unsafe unsafeBitCast(bytes, to: SIMD4<UInt32>.self)[0]
}
