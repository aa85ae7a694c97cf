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

  /// `Cdef_Directions`: the rows and columns to two samples along each direction, plus 2.
  private static let rows: UInt64 = 0x4343_4343_3222_1201
  private static let columns: UInt64 = 0x1222_3243_4343_4343

  /// The distance of a sample along a direction that is turned by eighths of a circle.
  ///
  /// - Parameter stride: the distance of rows.
  @inline(__always)
  func offset(turnedBy turn: Int, distance: Int, stride: Int) -> Int {
    let shift = UInt64(truncatingIfNeeded: (((direction &+ turn) & 7) &* 2 &+ distance) &* 4)
    let row = Int(Self.rows &>> shift & 15) &- 2
    return row &* stride &+ Int(Self.columns &>> shift & 15) &- 2
  }
}

/// The parts of the filter that are applied.
struct EnhancementParts {
  let hasPrimary: Bool
  let hasSecondary: Bool
  /// Whether some of the samples may be ``EnhancementFilter/unavailable``.
  let isPartial: Bool

  /// Whether results are limited to the range of the samples that are read. Those of one part never leave it, since the
  /// sum of its taps is less than 16.
  @inline(__always)
  var isLimited: Bool { hasPrimary && hasSecondary }
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
      let lines = EnhancementLines(filter, stride: source.stride)
      let start = unsafe UnsafeRawPointer(base + source.index)
      let target = unsafe UnsafeMutableRawPointer(output + index)
      @inline(__always)
      func run(_ parts: EnhancementParts) {
        let pitch = source.stride &* 2
        if width == 8 {
          for row in 0..<height {
            let result = unsafe lines.filter(start + row &* pitch, isPair: false, pitch: pitch, parts)
            unsafe (target + row &* stride &* 2).storeBytes(of: result, as: Int16x8.self)
          }
        } else {
          var row = 0
          while row < height {
            let result = unsafe lines.filter(start + row &* pitch, isPair: true, pitch: pitch, parts)
            unsafe (target + row &* stride &* 2).storeBytes(of: result.lowHalf, as: SIMD4<Int16>.self)
            unsafe (target + (row &+ 1) &* stride &* 2).storeBytes(of: result.highHalf, as: SIMD4<Int16>.self)
            row &+= 2
          }
        }
      }
      let (hasPrimary, hasSecondary) = (filter.primary > 0, filter.secondary > 0)
      if source.isPartial {
        run(EnhancementParts(hasPrimary: true, hasSecondary: true, isPartial: true))
      } else if hasPrimary && hasSecondary {
        run(EnhancementParts(hasPrimary: true, hasSecondary: true, isPartial: false))
      } else if hasPrimary {
        run(EnhancementParts(hasPrimary: true, hasSecondary: false, isPartial: false))
      } else {
        run(EnhancementParts(hasPrimary: false, hasSecondary: true, isPartial: false))
      }
    }
  }
}

/// The filter of eight samples: a row of eight, or two of four.
private struct EnhancementLines {
  private let primary: Constraint
  private let secondary: Constraint
  private let nearTap: Int16x8
  private let farTap: Int16x8
  /// The distances in bytes of the samples along the direction, and of those of 45 degrees to both sides.
  private let nearest: Int
  private let farther: Int
  private let nearestSides: (Int, Int)
  private let fartherSides: (Int, Int)

  @inline(__always)
  init(_ filter: EnhancementFilter, stride: Int) {
    primary = Constraint(filter.primary, damping: filter.damping)
    secondary = Constraint(filter.secondary, damping: filter.damping)
    nearTap = Int16x8(repeating: filter.usesEvenTaps ? 4 : 3)
    farTap = Int16x8(repeating: filter.usesEvenTaps ? 2 : 3)
    nearest = filter.offset(turnedBy: 0, distance: 0, stride: stride) &* 2
    farther = filter.offset(turnedBy: 0, distance: 1, stride: stride) &* 2
    nearestSides = (
      filter.offset(turnedBy: 2, distance: 0, stride: stride) &* 2,
      filter.offset(turnedBy: 6, distance: 0, stride: stride) &* 2
    )
    fartherSides = (
      filter.offset(turnedBy: 2, distance: 1, stride: stride) &* 2,
      filter.offset(turnedBy: 6, distance: 1, stride: stride) &* 2
    )
  }

  @inline(__always)
  @unsafe private func load(_ source: UnsafeRawPointer, isPair: Bool, pitch: Int) -> Int16x8 {
    if !isPair { return unsafe source.loadUnaligned(as: Int16x8.self) }
    return unsafe SIMD8(
      lowHalf: source.loadUnaligned(as: SIMD4<Int16>.self),
      highHalf: source.loadUnaligned(fromByteOffset: pitch, as: SIMD4<Int16>.self))
  }

  @inline(__always)
  @unsafe func filter(_ center: UnsafeRawPointer, isPair: Bool, pitch: Int, _ parts: EnhancementParts) -> Int16x8 {
    let x = unsafe load(center, isPair: isPair, pitch: pitch)
    var (low, high) = (x, x)
    /// The sum of the limited differences to the samples at both sides.
    @inline(__always)
    func differences(_ offset: Int, _ constraint: Constraint) -> Int16x8 {
      let after = unsafe load(center + offset, isPair: isPair, pitch: pitch)
      let before = unsafe load(center - offset, isPair: isPair, pitch: pitch)
      if parts.isLimited { high = maximum(high, maximum(after, before)) }
      if parts.isPartial {
        low = unsignedMinimum(unsignedMinimum(low, after), before)
        return constraint.limitedPartial(after, x) &+ constraint.limitedPartial(before, x)
      }
      if parts.isLimited { low = minimum(low, minimum(after, before)) }
      return constraint.limited(after, x) &+ constraint.limited(before, x)
    }
    var sum = Int16x8()
    if parts.hasPrimary {
      sum = differences(nearest, primary) &* nearTap &+ differences(farther, primary) &* farTap
    }
    if parts.hasSecondary {
      let near = differences(nearestSides.0, secondary) &+ differences(nearestSides.1, secondary)
      sum &+= near &+ near &+ differences(fartherSides.0, secondary) &+ differences(fartherSides.1, secondary)
    }
    let result = x &+ shiftRight(sum &+ 8 &+ shiftRight(sum, by: 15), by: 4)
    return parts.isLimited ? minimum(maximum(result, low), high) : result
  }
}

/// Compares unsigned numbers of which only ``EnhancementFilter/unavailable`` exceeds 15 bits.
@inline(__always)
private func unsignedMinimum(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
  // An unavailable value has the sign bit, which selects the other one.
  minimum(a, select(signMask(b), a, b))
}

/// The shift of differences for a strength.
@inline(__always)
func enhancementShift(_ strength: Int, damping: Int) -> Int32 {
  let log2 = strength == 0 ? 0 : Int.bitWidth &- 1 &- strength.leadingZeroBitCount
  return Int32(truncatingIfNeeded: max(0, damping &- log2))
}

/// `constrain`.
private struct Constraint {
  private let threshold: UInt16x8
  private let shift: Int32

  @inline(__always)
  init(_ strength: Int, damping: Int) {
    threshold = UInt16x8(repeating: UInt16(truncatingIfNeeded: strength))
    shift = enhancementShift(strength, damping: damping)
  }

  /// The difference of a sample to the centre, reduced the more the greater it is.
  @inline(__always)
  func limited(_ value: Int16x8, _ center: Int16x8) -> Int16x8 {
    let difference = value &- center
    let magnitude = maximum(difference, 0 &- difference)
    // SAFETY (both casts): the types have 16 bytes, and every bit pattern is valid.
    let reduced = unsafe unsafeBitCast(shiftRight(magnitude, by: shift), to: UInt16x8.self)
    let limit = unsafe unsafeBitCast(subtractSaturating(threshold, reduced), to: Int16x8.self)
    return maximum(minimum(difference, limit), 0 &- limit)
  }

  /// The same, or 0 if the sample is unavailable.
  @inline(__always)
  func limitedPartial(_ value: Int16x8, _ center: Int16x8) -> Int16x8 {
    limited(select(signMask(value), center, value), center)
  }
}
