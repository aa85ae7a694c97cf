// The samples of the constrained directional enhancement filter (section 7.15.3), a row of a square at once.

internal import VectorLanes

/// The strengths and the direction of a square.
package struct EnhancementFilter {
  let primary: Int
  let secondary: Int
  let direction: Int
  let damping: Int
  /// Whether the primary taps are 4 and 2 rather than 3 and 3.
  let usesEvenTaps: Bool

  package init(primary: Int, secondary: Int, direction: Int, damping: Int, usesEvenTaps: Bool) {
    (self.primary, self.secondary, self.direction) = (primary, secondary, direction)
    (self.damping, self.usesEvenTaps) = (damping, usesEvenTaps)
  }

  /// Marks samples outside the frame: less than any as a signed number, greater as an unsigned one.
  package static let unavailable: UInt16 = 0x8000

  /// `Cdef_Directions`: how far two samples along each direction are, in a window with 16 samples in a row.
  fileprivate static let offsets: InlineArray<16, Int> = [
    -15, -30, 1, -14, 1, 2, 1, 18, 17, 34, 16, 33, 16, 32, 16, 31,
  ]
}

/// Filters a square.
///
/// - Parameters:
///   - window: the square and two rows and columns around it, 16 samples in a row; 192 samples.
///   - width, height: 4 or 8.
@inline(never)
package func enhance(
  _ window: Span<UInt16>, _ filter: EnhancementFilter, width: Int, height: Int, _ samples: inout MutableSpan<UInt16>,
  at index: Int, stride: Int
) {
  precondition(
    window.count >= 192 && (width == 4 || width == 8) && (height == 4 || height == 8) && index >= 0 && stride >= width
      && stride < 1 << 24 && index <= samples.count &- (height &- 1) &* stride &- width, "the square is present")
  let primary = Constraint(filter.primary, damping: filter.damping)
  let secondary = Constraint(filter.secondary, damping: filter.damping)
  let (nearTap, farTap): (Int16, Int16) = filter.usesEvenTaps ? (4, 2) : (3, 3)
  let direction = filter.direction & 7
  // SAFETY: the window has two rows of 16 samples before and after the square, and two columns before it; the last eight
  // samples that are loaded end at most 2 · 16 + 2 + 8 samples after the last row's start, which is row 9 of 12. The rows
  // of the square are in the samples by the precondition.
  unsafe window.withUnsafeBufferPointer { window in
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = window.baseAddress, let output = samples.baseAddress else { return }
      for row in 0..<height {
        let center = unsafe UnsafeRawPointer(base + ((row &+ 2) &* 16 &+ 2))
        let x = unsafe center.loadUnaligned(as: Words.self)
        var sum = Words()
        var (low, high) = (x, x)
        for distance in 0..<2 {
          for lines in 0..<3 {
            // The direction itself, then those of 45 degrees to both sides.
            let turned = (direction &+ (lines == 0 ? 0 : lines == 1 ? 2 : 6)) & 7
            let offset = EnhancementFilter.offsets[turned &* 2 &+ distance] &* 2
            let constraint = lines == 0 ? primary : secondary
            let tap: Int16 = lines == 0 ? (distance == 0 ? nearTap : farTap) : (distance == 0 ? 2 : 1)
            for side in 0..<2 {
              let value = unsafe center.loadUnaligned(
                fromByteOffset: side == 0 ? offset : 0 &- offset, as: Words.self)
              sum &+= constraint.limited(value, x) &* tap
              high = maximum(high, value)
              low = unsignedMinimum(low, value)
            }
          }
        }
        let rounded = shiftRight(sum &+ 8 &+ shiftRight(sum, by: 15), by: 4)
        let result = minimum(maximum(x &+ rounded, low), high)
        let target = unsafe UnsafeMutableRawPointer(output + (index &+ row &* stride))
        if width == 8 {
          unsafe target.storeBytes(of: result, as: Words.self)
        } else {
          unsafe target.storeBytes(of: result.lowHalf, as: SIMD4<Int16>.self)
        }
      }
    }
  }
}

/// Compares unsigned numbers of which only ``EnhancementFilter/unavailable`` exceeds 15 bits.
@inline(__always)
private func unsignedMinimum(_ a: Words, _ b: Words) -> Words {
  // An unavailable value has the sign bit, which selects the other one.
  let isUnavailable = shiftRight(b, by: 15)
  return minimum(a, (b & ~isUnavailable) | (a & isUnavailable))
}

/// `constrain`.
private struct Constraint {
  private let threshold: Words
  private let shift: Int32

  @inline(__always)
  init(_ strength: Int, damping: Int) {
    threshold = Words(repeating: Int16(truncatingIfNeeded: strength))
    let log2 = strength == 0 ? 0 : Int.bitWidth &- 1 &- strength.leadingZeroBitCount
    shift = Int32(truncatingIfNeeded: max(0, damping &- log2))
  }

  /// The difference of a sample to the centre, reduced the more the greater it is.
  @inline(__always)
  func limited(_ value: Words, _ center: Words) -> Words {
    let difference = ~addSaturating(~value, center)
    let sign = shiftRight(difference, by: 15)
    let magnitude = (difference ^ sign) &- sign
    // The magnitude of −32768 is itself; as an unsigned number it is the greatest.
    let reduction = shiftRight(magnitude & 0x7FFF, by: shift)
    let excess = maximum(threshold &- reduction, Words())
    let isUnavailable = shiftRight(value, by: 15)
    let result = minimum(magnitude, excess) & ~isUnavailable
    return (result ^ sign) &- sign
  }
}
