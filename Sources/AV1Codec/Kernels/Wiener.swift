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
    Words(repeating: Int16(truncatingIfNeeded: 0 &- offset)),
    Words(repeating: Int16(truncatingIfNeeded: limit &- offset))
  )
  let largest = Words(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
  let (horizontal, vertical) = (TapPairs(taps.horizontal), TapPairs(taps.vertical))
  // SAFETY: the last of eight columns that are loaded is at most 7 + 7 after the start of a group, and rows have 144
  // samples for at most 128 + 6; the last row is followed by 16 samples. The working memory holds the rows of a group
  // after the horizontal filter, and one more. Whole groups are stored in the part only.
  unsafe window.withUnsafeBufferPointer { window in
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe withUnsafeTemporaryAllocation(of: Words.self, capacity: RestorationWindow.rowCount + 1) { rows in
        guard let base = window.baseAddress, let output = samples.baseAddress, let rows = rows.baseAddress else {
          return
        }
        unsafe rows[height &+ 6] = Words()
        var column = 0
        while column < width {
          for row in 0..<height &+ 6 {
            let source = unsafe UnsafeRawPointer(base + (row &* RestorationWindow.stride &+ column))
            let sums = unsafe horizontal.sum(source, pitch: 2)
            unsafe rows[row] = minimum(maximum(sums.rounded(firstShift), bounds.0), bounds.1)
          }
          for row in 0..<height {
            let sums = unsafe vertical.sum(UnsafeRawPointer(rows + row), pitch: 16)
            let result = minimum(maximum(sums.rounded(lastShift), Words()), largest)
            let target = unsafe output + (block.index &+ row &* block.stride &+ column)
            if width &- column >= 8 {
              unsafe UnsafeMutableRawPointer(target).storeBytes(of: result, as: Words.self)
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

/// Taps in pairs, for sums of products of pairs.
private struct TapPairs {
  private let pairs: (Words, Words, Words, Words)

  init(_ taps: InlineArray<8, Int16>) {
    func pair(_ index: Int) -> Words {
      let (a, b) = (taps[index], taps[index + 1])
      return Words(a, b, a, b, a, b, a, b)
    }
    pairs = (pair(0), pair(2), pair(4), pair(6))
  }

  /// The sums of eight values, a number of bytes apart, with each tap.
  @inline(__always)
  @unsafe func sum(_ source: UnsafeRawPointer, pitch: Int) -> WideSums {
    @inline(__always)
    func value(_ index: Int) -> Words {
      unsafe source.loadUnaligned(fromByteOffset: index &* pitch, as: Words.self)
    }
    var sums = WideSums(value(0), value(1), pairs.0)
    sums.add(WideSums(value(2), value(3), pairs.1))
    sums.add(WideSums(value(4), value(5), pairs.2))
    sums.add(WideSums(value(6), value(7), pairs.3))
    return sums
  }
}

/// Eight sums of 32 bits.
private struct WideSums {
  private var low: DoubleWords
  private var high: DoubleWords

  @inline(__always)
  init(_ a: Words, _ b: Words, _ factors: Words) {
    low = multiplyAddPairs(interleaveLow16(a, b), factors)
    high = multiplyAddPairs(interleaveHigh16(a, b), factors)
  }

  @inline(__always)
  mutating func add(_ other: WideSums) {
    low &+= other.low
    high &+= other.high
  }

  /// The sums divided by a power of two, rounded and saturated.
  @inline(__always)
  func rounded(_ shift: Int32) -> Words {
    let half = DoubleWords(repeating: (1 &<< shift) &>> 1)
    return packSaturating(shiftRight(low &+ half, by: shift), shiftRight(high &+ half, by: shift))
  }
}
