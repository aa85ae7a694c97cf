// The Wiener filter (section 7.17.4), eight samples at once.

internal import VectorLanes

/// Seven taps of each direction, then zero.
package struct WienerTaps {
  let vertical: InlineArray<8, Int16>
  let horizontal: InlineArray<8, Int16>

  package init(vertical: InlineArray<8, Int16>, horizontal: InlineArray<8, Int16>) {
    (self.vertical, self.horizontal) = (vertical, horizontal)
  }
}

/// Filters a part of a unit.
///
/// - Parameters:
///   - window: the part and three rows and columns around it, ``RestorationWindow/stride`` samples in a row.
@inline(never)
package func restoreWiener(
  _ window: Span<UInt16>, _ taps: WienerTaps, _ block: RestorationBlock, bitDepth: Int,
  _ samples: inout MutableSpan<UInt16>
) {
  let (width, height) = (block.width, block.height)
  precondition(
    window.count >= RestorationWindow.sampleCount && width > 0 && width <= RestorationWindow.maximumWidth
      && height > 0 && height <= RestorationWindow.rowCount &- 6 && block.index >= 0 && block.stride >= width
      && block.stride < 1 << 24 && block.index <= samples.count &- (height &- 1) &* block.stride &- width,
    "the part is present")
  let firstShift: Int32 = bitDepth == 12 ? 5 : 3
  let lastShift: Int32 = 14 &- firstShift
  let offset = (1 as Int32) &<< Int32(truncatingIfNeeded: bitDepth &+ 6 &- Int(firstShift))
  let limit = (1 as Int32) &<< Int32(truncatingIfNeeded: bitDepth &+ 8 &- Int(firstShift)) &- 1
  let bounds = (
    Int16x8(repeating: Int16(truncatingIfNeeded: 0 &- offset)),
    Int16x8(repeating: Int16(truncatingIfNeeded: limit &- offset))
  )
  let largest = Int16x8(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
  // Intermediate values are stored less the middle of their range, so that the sums of two have 16 bits.
  let middle = (limit &+ 1) / 2 &- offset
  let middles = Int16x8(repeating: Int16(truncatingIfNeeded: middle))
  let horizontal = SymmetricTaps(taps.horizontal, rounding: (1 &<< firstShift) &>> 1, shift: firstShift)
  // The sum of the taps is 128.
  let vertical = SymmetricTaps(taps.vertical, rounding: (1 &<< lastShift) &>> 1 &+ 128 &* middle, shift: lastShift)
  // SAFETY: the last of eight columns that are loaded is at most 7 + 7 after the start of a group, and rows have 144
  // samples for at most 128 + 6; the last row is followed by 16 samples. The working memory holds the rows of a group
  // after the horizontal filter. Whole groups are stored in the part only.
  unsafe window.withUnsafeBufferPointer { window in
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe withUnsafeTemporaryAllocation(of: Int16x8.self, capacity: RestorationWindow.rowCount) { rows in
        guard let base = window.baseAddress, let output = samples.baseAddress, let rows = rows.baseAddress else {
          return
        }
        var column = 0
        while column < width {
          for row in 0..<height &+ 6 {
            let source = unsafe UnsafeRawPointer(base + (row &* RestorationWindow.stride &+ column))
            let values = unsafe horizontal.filter(source, pitch: 2)
            unsafe rows[row] = minimum(maximum(values, bounds.0), bounds.1) &- middles
          }
          for row in 0..<height {
            let values = unsafe vertical.filter(UnsafeRawPointer(rows + row), pitch: 16)
            let result = minimum(maximum(values, Int16x8()), largest)
            let target = unsafe output + (block.index &+ row &* block.stride &+ column)
            if width &- column >= 8 {
              unsafe UnsafeMutableRawPointer(target).storeBytes(of: result, as: Int16x8.self)
            } else {
              for lane in 0..<width &- column { unsafe target[lane] = UInt16(truncatingIfNeeded: result[lane]) }
            }
          }
          column &+= 8
        }
      }
    }
  }
}

/// Taps of which the last three equal the first three, in reverse order.
private struct SymmetricTaps {
  private let outer: Int16x8
  private let inner: Int16x8
  private let rounding: Int32x4
  private let shift: Int32

  init(_ taps: InlineArray<8, Int16>, rounding: Int32, shift: Int32) {
    outer = factorPairs(Int(taps[0]), Int(taps[1]))
    inner = factorPairs(Int(taps[2]), Int(taps[3]))
    self.rounding = Int32x4(repeating: rounding)
    self.shift = shift
  }

  /// The sums of eight values, a number of bytes apart, with each tap, divided by a power of two, rounded and
  /// saturated.
  @inline(__always)
  @unsafe func filter(_ source: UnsafeRawPointer, pitch: Int) -> Int16x8 {
    @inline(__always)
    func value(_ index: Int) -> Int16x8 {
      unsafe source.loadUnaligned(fromByteOffset: index &* pitch, as: Int16x8.self)
    }
    let (a, b, c, d) = (value(0) &+ value(6), value(1) &+ value(5), value(2) &+ value(4), value(3))
    let low =
      multiplyAddPairs(interleaveLow16(a, b), outer) &+ multiplyAddPairs(interleaveLow16(c, d), inner) &+ rounding
    let high =
      multiplyAddPairs(interleaveHigh16(a, b), outer) &+ multiplyAddPairs(interleaveHigh16(c, d), inner) &+ rounding
    return packSaturating(shiftRight(low, by: shift), shiftRight(high, by: shift))
  }
}
