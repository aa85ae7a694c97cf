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

  /// `Cdef_Directions`: the rows and columns to two samples along each direction.
  fileprivate static let rows: InlineArray<16, Int> = [-1, -2, 0, -1, 0, 0, 0, 1, 1, 2, 1, 2, 1, 2, 1, 2]
  fileprivate static let columns: InlineArray<16, Int> = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 0, 1, 0, 0, 0, -1]

  /// The distance in bytes of a sample along a direction that is turned by an eighth of a circle or more.
  fileprivate func offset(turnedBy turn: Int, distance: Int, stride: Int) -> Int {
    let index = ((direction &+ turn) & 7) &* 2 &+ distance
    return (Self.rows[index] &* stride &+ Self.columns[index]) &* 2
  }
}

/// Samples of which those of a square and two rows and columns around it are read.
package struct EnhancementSource {
  /// The index of the first sample of the square.
  let index: Int
  let stride: Int
  /// Whether some of the samples may be ``EnhancementFilter/unavailable``.
  let isPartial: Bool

  package init(index: Int, stride: Int, isPartial: Bool) {
    (self.index, self.stride, self.isPartial) = (index, stride, isPartial)
  }
}

/// Filters a square.
///
/// - Parameters:
///   - width, height: 4 or 8.
@inline(never)
package func enhance(
  _ input: Span<UInt16>, _ source: EnhancementSource, _ filter: EnhancementFilter, width: Int, height: Int,
  _ samples: inout MutableSpan<UInt16>, at index: Int, stride: Int
) {
  precondition(
    (width == 4 || width == 8) && (height == 4 || height == 8) && source.stride >= width && source.stride < 1 << 24
      && source.index >= 2 &* source.stride &+ 2
      && source.index <= input.count &- (height &+ 1) &* source.stride &- 10 && index >= 0 && stride >= width
      && stride < 1 << 24 && index <= samples.count &- (height &- 1) &* stride &- width, "the square is present")
  // SAFETY: two rows and columns before the square, and two rows and ten columns from its last row on, are in the input
  // by the precondition, and the rows of the square in the samples.
  unsafe input.withUnsafeBufferPointer { input in
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = input.baseAddress, let output = samples.baseAddress else { return }
      let lines = EnhancementLines(filter, stride: source.stride, isPartial: source.isPartial)
      let start = unsafe UnsafeRawPointer(base + source.index)
      let target = unsafe UnsafeMutableRawPointer(output + index)
      let pitch = source.stride &* 2
      if width == 8 {
        for row in 0..<height {
          let result = unsafe lines.filter(start + row &* pitch, isPair: false, pitch: pitch)
          unsafe (target + row &* stride &* 2).storeBytes(of: result, as: Words.self)
        }
      } else {
        var row = 0
        while row < height {
          let result = unsafe lines.filter(start + row &* pitch, isPair: true, pitch: pitch)
          unsafe (target + row &* stride &* 2).storeBytes(of: result.lowHalf, as: SIMD4<Int16>.self)
          unsafe (target + (row &+ 1) &* stride &* 2).storeBytes(of: result.highHalf, as: SIMD4<Int16>.self)
          row &+= 2
        }
      }
    }
  }
}

/// The filter of eight samples: a row of eight, or two of four.
private struct EnhancementLines {
  private let primary: Constraint
  private let secondary: Constraint
  private let hasPrimary: Bool
  private let hasSecondary: Bool
  private let isPartial: Bool
  private let nearTap: Int16
  private let farTap: Int16
  /// The distances in bytes of the samples along the direction, and of those of 45 degrees to both sides.
  private let nearest: Int
  private let farther: Int
  private let nearestSides: (Int, Int)
  private let fartherSides: (Int, Int)

  init(_ filter: EnhancementFilter, stride: Int, isPartial: Bool) {
    primary = Constraint(filter.primary, damping: filter.damping)
    secondary = Constraint(filter.secondary, damping: filter.damping)
    (hasPrimary, hasSecondary, self.isPartial) = (filter.primary > 0, filter.secondary > 0, isPartial)
    (nearTap, farTap) = filter.usesEvenTaps ? (4, 2) : (3, 3)
    nearest = filter.offset(turnedBy: 0, distance: 0, stride: stride)
    farther = filter.offset(turnedBy: 0, distance: 1, stride: stride)
    nearestSides = (
      filter.offset(turnedBy: 2, distance: 0, stride: stride), filter.offset(turnedBy: 6, distance: 0, stride: stride)
    )
    fartherSides = (
      filter.offset(turnedBy: 2, distance: 1, stride: stride), filter.offset(turnedBy: 6, distance: 1, stride: stride)
    )
  }

  @inline(__always)
  @unsafe private func load(_ source: UnsafeRawPointer, isPair: Bool, pitch: Int) -> Words {
    if !isPair { return unsafe source.loadUnaligned(as: Words.self) }
    return unsafe SIMD8(
      lowHalf: source.loadUnaligned(as: SIMD4<Int16>.self),
      highHalf: source.loadUnaligned(fromByteOffset: pitch, as: SIMD4<Int16>.self))
  }

  @inline(__always)
  @unsafe func filter(_ center: UnsafeRawPointer, isPair: Bool, pitch: Int) -> Words {
    let x = unsafe load(center, isPair: isPair, pitch: pitch)
    var state = (sum: Words(), low: x, high: x)
    @inline(__always)
    func add(_ offset: Int, _ constraint: Constraint, _ tap: Int16) {
      let after = unsafe load(center + offset, isPair: isPair, pitch: pitch)
      let before = unsafe load(center - offset, isPair: isPair, pitch: pitch)
      state.high = maximum(state.high, maximum(after, before))
      if isPartial {
        state.low = unsignedMinimum(unsignedMinimum(state.low, after), before)
        state.sum &+= (constraint.limitedPartial(after, x) &+ constraint.limitedPartial(before, x)) &* tap
      } else {
        state.low = minimum(state.low, minimum(after, before))
        state.sum &+= (constraint.limited(after, x) &+ constraint.limited(before, x)) &* tap
      }
    }
    if hasPrimary {
      add(nearest, primary, nearTap)
      add(farther, primary, farTap)
    }
    if hasSecondary {
      add(nearestSides.0, secondary, 2)
      add(nearestSides.1, secondary, 2)
      add(fartherSides.0, secondary, 1)
      add(fartherSides.1, secondary, 1)
    }
    let rounded = shiftRight(state.sum &+ 8 &+ shiftRight(state.sum, by: 15), by: 4)
    return minimum(maximum(x &+ rounded, state.low), state.high)
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
    let difference = value &- center
    let sign = shiftRight(difference, by: 15)
    let magnitude = (difference ^ sign) &- sign
    let excess = maximum(threshold &- shiftRight(magnitude, by: shift), Words())
    let result = minimum(magnitude, excess)
    return (result ^ sign) &- sign
  }

  /// The same, or 0 if the sample is unavailable.
  @inline(__always)
  func limitedPartial(_ value: Words, _ center: Words) -> Words {
    let isAvailable = ~shiftRight(value, by: 15)
    return limited((value & isAvailable) | (center & ~isAvailable), center)
  }
}
