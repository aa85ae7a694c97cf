// The constrained directional enhancement filter of samples of 8 bits, sixteen at once: two rows of a square of 8
// columns, or four of 4.

internal import VectorLanes

/// Bytes from one row to the next.
package let enhancementStride = 96

/// Filters a square whose samples, with two rows and columns around it, are bytes with rows ``enhancementStride``
/// apart.
///
/// - Parameters:
///   - width, height: 4 or 8.
@inline(never)
package func enhanceBytes(
  _ input: Span<UInt8>, at first: Int, _ filter: EnhancementFilter, width: Int, height: Int,
  _ samples: inout MutableSpan<UInt16>, at index: Int, stride: Int
) {
  precondition(
    (width == 4 || width == 8) && (height == 4 || height == 8) && first >= 2 &* enhancementStride &+ 2
      && first <= input.count &- (height &+ 1) &* enhancementStride &- 10 && index >= 0 && stride >= width
      && stride < 1 << 24 && index <= samples.count &- (height &- 1) &* stride &- width, "the square is present")
  // SAFETY: two rows and columns before the square, and two rows and ten columns from its last row on, are in the input
  // by the precondition, and the rows of the square in the samples. Their number is a multiple of those of a group.
  unsafe input.withUnsafeBufferPointer { input in
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = input.baseAddress, let output = samples.baseAddress else { return }
      let square = ByteSquare(filter)
      let source = unsafe UnsafeRawPointer(base + first)
      let target = unsafe UnsafeMutableRawPointer(output + index)
      @inline(__always)
      func run(_ parts: EnhancementParts) {
        if width == 8 {
          unsafe square.filterPairs(source, rowCount: height, target, pitch: stride &* 2, parts)
        } else {
          unsafe square.filterQuads(source, rowCount: height, target, pitch: stride &* 2, parts)
        }
      }
      if filter.primary > 0 && filter.secondary > 0 {
        run(EnhancementParts(hasPrimary: true, hasSecondary: true, isPartial: false))
      } else if filter.primary > 0 {
        run(EnhancementParts(hasPrimary: true, hasSecondary: false, isPartial: false))
      } else {
        run(EnhancementParts(hasPrimary: false, hasSecondary: true, isPartial: false))
      }
    }
  }
}

private struct ByteSquare {
  private let primary: ByteConstraint
  private let secondary: ByteConstraint
  /// All ones for primary taps of 4 and 2.
  private let evenTaps: UInt8x16
  /// The distances of the samples along the direction, and of those of 45 degrees to both sides.
  private let nearest: Int
  private let farther: Int
  private let nearestSides: (Int, Int)
  private let fartherSides: (Int, Int)

  @inline(__always)
  init(_ filter: EnhancementFilter) {
    primary = ByteConstraint(filter.primary, damping: filter.damping)
    secondary = ByteConstraint(filter.secondary, damping: filter.damping)
    evenTaps = UInt8x16(repeating: filter.usesEvenTaps ? 255 : 0)
    let stride = enhancementStride
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
  @unsafe func filterPairs(
    _ source: UnsafeRawPointer, rowCount: Int, _ target: UnsafeMutableRawPointer, pitch: Int, _ parts: EnhancementParts
  ) {
    var (from, to) = unsafe (source, target)
    for _ in 0..<rowCount / 2 {
      let (first, second) = unsafe filter(from, isWide: true, parts)
      unsafe to.storeBytes(of: first, as: Int16x8.self)
      unsafe (to + pitch).storeBytes(of: second, as: Int16x8.self)
      unsafe from += 2 &* enhancementStride
      unsafe to += 2 &* pitch
    }
  }

  @inline(__always)
  @unsafe func filterQuads(
    _ source: UnsafeRawPointer, rowCount: Int, _ target: UnsafeMutableRawPointer, pitch: Int, _ parts: EnhancementParts
  ) {
    var (from, to) = unsafe (source, target)
    for _ in 0..<rowCount / 4 {
      let (first, second) = unsafe filter(from, isWide: false, parts)
      unsafe to.storeBytes(of: first.lowHalf, as: SIMD4<Int16>.self)
      unsafe (to + pitch).storeBytes(of: first.highHalf, as: SIMD4<Int16>.self)
      unsafe (to + 2 &* pitch).storeBytes(of: second.lowHalf, as: SIMD4<Int16>.self)
      unsafe (to + 3 &* pitch).storeBytes(of: second.highHalf, as: SIMD4<Int16>.self)
      unsafe from += 4 &* enhancementStride
      unsafe to += 4 &* pitch
    }
  }

  @inline(__always)
  @unsafe private func load(_ source: UnsafeRawPointer, isWide: Bool) -> UInt8x16 {
    if isWide {
      return unsafe UInt8x16(
        lowHalf: source.loadUnaligned(as: SIMD8<UInt8>.self),
        highHalf: source.loadUnaligned(fromByteOffset: enhancementStride, as: SIMD8<UInt8>.self))
    }
    let rows = unsafe SIMD4<UInt32>(
      source.loadUnaligned(as: UInt32.self),
      source.loadUnaligned(fromByteOffset: enhancementStride, as: UInt32.self),
      source.loadUnaligned(fromByteOffset: 2 &* enhancementStride, as: UInt32.self),
      source.loadUnaligned(fromByteOffset: 3 &* enhancementStride, as: UInt32.self))
    return unsafe unsafeBitCast(rows, to: UInt8x16.self)
  }

  /// Filters sixteen samples.
  @inline(__always)
  @unsafe private func filter(
    _ center: UnsafeRawPointer, isWide: Bool, _ parts: EnhancementParts
  ) -> (Int16x8, Int16x8) {
    let x = unsafe load(center, isWide: isWide)
    var (low, high) = (x, x)
    @inline(__always)
    func differences(_ offset: Int, _ constraint: ByteConstraint) -> ByteDifferences {
      let after = unsafe load(center + offset, isWide: isWide)
      let before = unsafe load(center - offset, isWide: isWide)
      if parts.isLimited {
        high = maximum(high, maximum(after, before))
        low = smaller(low, smaller(after, before))
      }
      return constraint.limited(after, x) + constraint.limited(before, x)
    }
    // The sum of the taps times 15, the greatest strength, is less than 256.
    var sum = ByteDifferences(above: UInt8x16(), below: UInt8x16())
    if parts.hasPrimary {
      let (near, far) = (differences(nearest, primary), differences(farther, primary))
      // 3 and 3, or 4 and 2.
      let both = near + far
      sum = both + both + both
      sum.above &+= (near.above &- far.above) & evenTaps
      sum.below &+= (near.below &- far.below) & evenTaps
    }
    if parts.hasSecondary {
      let near = differences(nearestSides.0, secondary) + differences(nearestSides.1, secondary)
      let far = differences(fartherSides.0, secondary) + differences(fartherSides.1, secondary)
      sum = sum + near + near + far
    }
    let first = widenLow(x) &+ rounded(widenLow(sum.above) &- widenLow(sum.below))
    let second = widenHigh(x) &+ rounded(widenHigh(sum.above) &- widenHigh(sum.below))
    guard parts.isLimited else { return (first, second) }
    let result = smaller(maximum(packUnsignedSaturating(first, second), low), high)
    return (widenLow(result), widenHigh(result))
  }

  @inline(__always)
  private func rounded(_ sum: Int16x8) -> Int16x8 { shiftRight(sum &+ 8 &+ shiftRight(sum, by: 15), by: 4) }
}

/// Sums of differences of samples to the centre: of those that exceed it, and of the others.
private struct ByteDifferences {
  var above: UInt8x16
  var below: UInt8x16

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(above: a.above &+ b.above, below: a.below &+ b.below) }
}

/// `constrain`.
private struct ByteConstraint {
  private let threshold: UInt8x16
  private let shift: Int32
  /// The bits of each byte that a shift leaves.
  private let mask: UInt8x16

  @inline(__always)
  init(_ strength: Int, damping: Int) {
    threshold = UInt8x16(repeating: UInt8(truncatingIfNeeded: strength))
    shift = min(enhancementShift(strength, damping: damping), 8)
    mask = UInt8x16(repeating: UInt8(truncatingIfNeeded: 255 &>> shift))
  }

  /// The difference of a sample to the centre, reduced the more the greater it is.
  @inline(__always)
  func limited(_ value: UInt8x16, _ center: UInt8x16) -> ByteDifferences {
    let (above, below) = (subtractSaturating(value, center), subtractSaturating(center, value))
    // SAFETY (both casts): the types have 16 bytes, and every bit pattern is valid.
    let magnitude = unsafe unsafeBitCast(above | below, to: UInt16x8.self)
    let reduced = unsafe unsafeBitCast(shiftRight(magnitude, by: shift), to: UInt8x16.self) & mask
    let limit = subtractSaturating(threshold, reduced)
    return ByteDifferences(above: smaller(above, limit), below: smaller(below, limit))
  }
}

/// The smaller bytes, in the form that compiles to one instruction.
@inline(__always)
private func smaller(_ a: UInt8x16, _ b: UInt8x16) -> UInt8x16 { a &- subtractSaturating(a, b) }
