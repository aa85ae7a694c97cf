// The deblocking of an edge (section 7.14.6), of four or eight lines across it at once.

internal import VectorLanes

/// The thresholds of an edge, for samples of 8 bits.
package struct EdgeStrength: Equatable {
  package let limit: Int
  package let edgeLimit: Int
  package let threshold: Int

  package init(limit: Int, edgeLimit: Int, threshold: Int) {
    (self.limit, self.edgeLimit, self.threshold) = (limit, edgeLimit, threshold)
  }
}

/// An edge between two transform blocks.
package struct TransformEdge {
  let strength: EdgeStrength
  /// `filterLen`: 4, 6, 8 or 16.
  let length: Int
  /// Samples along the edge: 4 or 8.
  let lineCount: Int
  let bitDepth: Int

  package init(strength: EdgeStrength, length: Int, lineCount: Int, bitDepth: Int) {
    (self.strength, self.length, self.lineCount, self.bitDepth) = (strength, length, lineCount, bitDepth)
  }

  /// Samples on each side that a vertical edge loads.
  fileprivate var reach: Int { length == 16 ? 8 : 4 }
}

/// Filters a vertical edge.
///
/// - Parameter index: of the first sample at the right of the edge.
@inline(never)
package func filterVerticalEdge(_ edge: TransformEdge, _ samples: inout MutableSpan<UInt16>, at index: Int, stride: Int)
{
  let reach = edge.reach
  precondition(
    (edge.lineCount == 4 || edge.lineCount == 8) && index >= reach && stride > 0 && stride < 1 << 24
      && index <= samples.count &- (edge.lineCount &- 1) &* stride &- reach, "the edge is present")
  // SAFETY: of each line, `reach` samples before and after the edge are loaded and stored, which are in the samples by
  // the precondition; the working memory holds 16 vectors.
  unsafe samples.withUnsafeMutableBufferPointer { samples in
    unsafe withUnsafeTemporaryAllocation(of: Int16x8.self, capacity: 16) { work in
      guard let base = samples.baseAddress, let work = work.baseAddress else { return }
      let pitch = stride &* 2
      let first = unsafe UnsafeMutableRawPointer(base + (index &- reach))
      if reach == 4 {
        unsafe loadSquare(first, pitch: pitch, lineCount: edge.lineCount, work + 4)
        let isChanged = unsafe EdgeLines(work, edge).filter()
        if isChanged { unsafe storeSquare(work + 4, first, pitch: pitch, lineCount: edge.lineCount) }
        return
      }
      unsafe loadSquare(first, pitch: pitch, lineCount: edge.lineCount, work)
      unsafe loadSquare(first + 16, pitch: pitch, lineCount: edge.lineCount, work + 8)
      guard unsafe EdgeLines(work, edge).filter() else { return }
      unsafe storeSquare(work, first, pitch: pitch, lineCount: edge.lineCount)
      unsafe storeSquare(work + 8, first + 16, pitch: pitch, lineCount: edge.lineCount)
    }
  }
}

/// Filters a horizontal edge.
///
/// - Parameter index: of the first sample below the edge.
@inline(never)
package func filterHorizontalEdge(
  _ edge: TransformEdge, _ samples: inout MutableSpan<UInt16>, at index: Int, stride: Int
) {
  let reach = edge.length == 16 ? 7 : edge.length == 4 ? 2 : edge.length == 6 ? 3 : 4
  precondition(
    (edge.lineCount == 4 || edge.lineCount == 8) && stride > 0 && stride < 1 << 24 && index >= reach &* stride
      && index <= samples.count &- (reach &- 1) &* stride &- 8, "the edge is present")
  // SAFETY: eight samples of `reach` rows before and after the edge are loaded, which are in the samples by the
  // precondition, and as many stored as there are lines; the working memory holds 16 vectors.
  unsafe samples.withUnsafeMutableBufferPointer { samples in
    unsafe withUnsafeTemporaryAllocation(of: Int16x8.self, capacity: 16) { work in
      guard let base = samples.baseAddress, let work = work.baseAddress else { return }
      let first = unsafe UnsafeMutableRawPointer(base + index)
      for row in 0 &- reach..<reach {
        unsafe work[row &+ 8] = (first + row &* stride &* 2).loadUnaligned(as: Int16x8.self)
      }
      guard unsafe EdgeLines(work, edge).filter() else { return }
      let changed = edge.length == 16 ? 6 : edge.length == 8 ? 3 : 2
      for row in 0 &- changed..<changed {
        let target = unsafe first + row &* stride &* 2
        let value = unsafe work[row &+ 8]
        if edge.lineCount == 8 {
          unsafe target.storeBytes(of: value, as: Int16x8.self)
        } else {
          unsafe target.storeBytes(of: value.lowHalf, as: SIMD4<Int16>.self)
        }
      }
    }
  }
}

/// Loads lines of eight samples, a column to each vector.
@inline(__always)
@unsafe private func loadSquare(
  _ source: UnsafeMutableRawPointer, pitch: Int, lineCount: Int, _ columns: UnsafeMutablePointer<Int16x8>
) {
  @inline(__always)
  func line(_ index: Int) -> NarrowLanes {
    unsafe NarrowLanes((source + index &* pitch).loadUnaligned(as: Int16x8.self))
  }
  let isWhole = lineCount == 8
  let result = NarrowLanes.transpose(
    (
      line(0), line(1), line(2), line(3), isWhole ? line(4) : .zero, isWhole ? line(5) : .zero,
      isWhole ? line(6) : .zero, isWhole ? line(7) : .zero
    ))
  unsafe columns[0] = result.0.values
  unsafe columns[1] = result.1.values
  unsafe columns[2] = result.2.values
  unsafe columns[3] = result.3.values
  unsafe columns[4] = result.4.values
  unsafe columns[5] = result.5.values
  unsafe columns[6] = result.6.values
  unsafe columns[7] = result.7.values
}

/// Stores columns as lines of eight samples.
@inline(__always)
@unsafe private func storeSquare(
  _ columns: UnsafeMutablePointer<Int16x8>, _ target: UnsafeMutableRawPointer, pitch: Int, lineCount: Int
) {
  @inline(__always)
  func column(_ index: Int) -> NarrowLanes { unsafe NarrowLanes(columns[index]) }
  let lines = NarrowLanes.transpose(
    (
      column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7)
    ))
  unsafe target.storeBytes(of: lines.0.values, as: Int16x8.self)
  unsafe (target + pitch).storeBytes(of: lines.1.values, as: Int16x8.self)
  unsafe (target + 2 &* pitch).storeBytes(of: lines.2.values, as: Int16x8.self)
  unsafe (target + 3 &* pitch).storeBytes(of: lines.3.values, as: Int16x8.self)
  guard lineCount == 8 else { return }
  unsafe (target + 4 &* pitch).storeBytes(of: lines.4.values, as: Int16x8.self)
  unsafe (target + 5 &* pitch).storeBytes(of: lines.5.values, as: Int16x8.self)
  unsafe (target + 6 &* pitch).storeBytes(of: lines.6.values, as: Int16x8.self)
  unsafe (target + 7 &* pitch).storeBytes(of: lines.7.values, as: Int16x8.self)
}

/// The samples at each distance from an edge: q0 in the vector with index 8, p0 in that before it.
@safe private struct EdgeLines {
  private let values: UnsafeMutablePointer<Int16x8>
  private let length: Int
  private let limit: Int16x8
  private let edgeLimit: Int16x8
  private let threshold: Int16x8
  private let flatLimit: Int16x8
  private let maximumValue: Int16x8
  private let half: Int16x8

  @inline(__always)
  init(_ values: UnsafeMutablePointer<Int16x8>, _ edge: TransformEdge) {
    unsafe self.values = values
    length = edge.length
    let shift = edge.bitDepth &- 8
    @inline(__always)
    func repeated(_ value: Int) -> Int16x8 { Int16x8(repeating: Int16(truncatingIfNeeded: value)) }
    limit = repeated(edge.strength.limit &<< shift)
    edgeLimit = repeated(edge.strength.edgeLimit &<< shift)
    threshold = repeated(edge.strength.threshold &<< shift)
    flatLimit = repeated(1 &<< shift)
    maximumValue = repeated(1 &<< edge.bitDepth &- 1)
    half = repeated(1 &<< (edge.bitDepth &- 1))
  }

  @inline(__always)
  @unsafe private func p(_ distance: Int) -> Int16x8 { unsafe values[7 &- distance] }
  @inline(__always)
  @unsafe private func q(_ distance: Int) -> Int16x8 { unsafe values[8 &+ distance] }

  @inline(__always)
  private func difference(_ a: Int16x8, _ b: Int16x8) -> Int16x8 { maximum(a, b) &- minimum(a, b) }

  @inline(__always)
  private func isEmpty(_ mask: Int16x8) -> Bool { zeroLanes(mask, mask) == 0xFFFF }

  /// Filters all lines.
  ///
  /// - Returns: whether any changed.
  @inline(__always)
  @unsafe func filter() -> Bool {
    let (p0, p1, q0, q1) = unsafe (p(0), p(1), q(0), q(1))
    let near = maximum(difference(p1, p0), difference(q1, q0))
    var widest = near
    if length > 4 {
      unsafe widest = maximum(widest, maximum(difference(p(2), p1), difference(q(2), q1)))
      if length > 6 { unsafe widest = maximum(widest, maximum(difference(p(3), p(2)), difference(q(3), q(2)))) }
    }
    let step = difference(p0, q0) &* 2 &+ shiftRight(difference(p1, q1), by: 1)
    let mask = ~(isGreater(widest, limit) | isGreater(step, edgeLimit))
    guard !isEmpty(mask) else { return false }
    guard length > 4 else {
      unsafe filterNarrow(mask, near)
      return true
    }
    unsafe widest = maximum(near, maximum(difference(p(2), p0), difference(q(2), q0)))
    if length > 6 { unsafe widest = maximum(widest, maximum(difference(p(3), p0), difference(q(3), q0))) }
    let flat = mask & ~isGreater(widest, flatLimit)
    guard !isEmpty(flat) else {
      unsafe filterNarrow(mask, near)
      return true
    }
    var flatOutside = Int16x8()
    if length == 16 {
      unsafe widest = maximum(difference(p(4), p0), difference(q(4), q0))
      unsafe widest = maximum(widest, maximum(difference(p(5), p0), difference(q(5), q0)))
      unsafe widest = maximum(widest, maximum(difference(p(6), p0), difference(q(6), q0)))
      flatOutside = flat & ~isGreater(widest, flatLimit)
    }
    let old = unsafe (p(2), p1, p0, q0, q1, q(2))
    if !isEmpty(mask & ~flat) { unsafe filterNarrow(mask & ~flat, near) }
    if !isEmpty(flatOutside) { unsafe filterWidest(flatOutside, old) }
    let rest = flat & ~flatOutside
    guard !isEmpty(rest) else { return true }
    if length == 6 { unsafe filterChroma(rest, old) } else { unsafe filterWide(rest, old) }
    return true
  }

  /// The narrow filter (section 7.14.6.3).
  @inline(__always)
  @unsafe private func filterNarrow(_ mask: Int16x8, _ near: Int16x8) {
    let (p0, p1, q0, q1) = unsafe (p(0), p(1), q(0), q(1))
    let variance = isGreater(near, threshold)
    let (low, high) = (0 &- half, half &- 1)
    @inline(__always)
    func limited(_ value: Int16x8) -> Int16x8 { minimum(maximum(value, low), high) }
    @inline(__always)
    func sample(_ value: Int16x8) -> Int16x8 { minimum(maximum(value, Int16x8()), maximumValue) }
    let base = limited((limited(p1 &- q1) & variance) &+ (q0 &- p0) &* 3) & mask
    let first = shiftRight(limited(base &+ 4), by: 3) & mask
    let second = shiftRight(limited(base &+ 3), by: 3) & mask
    unsafe values[8] = sample(q0 &- first)
    unsafe values[7] = sample(p0 &+ second)
    let outer = shiftRight(first &+ 1, by: 1) & ~variance & mask
    unsafe values[9] = sample(q1 &- outer)
    unsafe values[6] = sample(p1 &+ outer)
  }

  /// The wide filter of luma with 8 taps (section 7.14.6.4).
  @inline(__always)
  @unsafe private func filterWide(_ mask: Int16x8, _ old: (Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8)) {
    let (p2, p1, p0, q0, q1, q2) = old
    let (p3, q3) = unsafe (p(3), q(3))
    let center = p0 &+ q0 &+ 4
    @inline(__always)
    func set(_ index: Int, _ sum: Int16x8) {
      unsafe values[index] = select(mask, shiftRight(sum, by: 3), values[index])
    }
    set(5, p3 &+ p3 &+ p3 &+ p2 &+ p2 &+ p1 &+ center)
    set(6, p3 &+ p3 &+ p2 &+ p1 &+ p1 &+ q1 &+ center)
    set(7, p3 &+ p2 &+ p1 &+ p0 &+ q1 &+ q2 &+ center)
    set(8, p2 &+ p1 &+ q0 &+ q1 &+ q2 &+ q3 &+ center)
    set(9, p1 &+ q1 &+ q1 &+ q2 &+ q3 &+ q3 &+ center)
    set(10, q1 &+ q2 &+ q2 &+ q3 &+ q3 &+ q3 &+ center)
  }

  /// The wide filter of chroma.
  @inline(__always)
  @unsafe private func filterChroma(_ mask: Int16x8, _ old: (Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8)) {
    let (p2, p1, p0, q0, q1, q2) = old
    @inline(__always)
    func set(_ index: Int, _ sum: Int16x8) {
      unsafe values[index] = select(mask, shiftRight(sum &+ 4, by: 3), values[index])
    }
    set(6, p2 &* 3 &+ (p1 &+ p0) &* 2 &+ q0)
    set(7, p2 &+ (p1 &+ p0 &+ q0) &* 2 &+ q1)
    set(8, p1 &+ (p0 &+ q0 &+ q1) &* 2 &+ q2)
    set(9, p0 &+ (q0 &+ q1) &* 2 &+ q2 &* 3)
  }

  /// The wide filter with 16 taps. Its sums are unsigned.
  @inline(__always)
  @unsafe private func filterWidest(_ mask: Int16x8, _ old: (Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8)) {
    // SAFETY: both types have 16 bytes, and every bit pattern is valid.
    @inline(__always)
    func sample(_ position: Int) -> UInt16x8 {
      let index = min(max(position, -7), 6)
      let value: Int16x8 =
        switch index {
        case -3: old.0
        case -2: old.1
        case -1: old.2
        case 0: old.3
        case 1: old.4
        case 2: old.5
        default: unsafe values[8 &+ index]
        }
      return unsafe unsafeBitCast(value, to: UInt16x8.self)
    }
    // All results are computed before any is stored.
    var results:
      (Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8, Int16x8)
    var all = sample(-7) &* 7
    for position in -6...0 { all &+= sample(position) }
    // The doubled taps are added a second time; those of the first position are p6, p5 and p4.
    all = all &- sample(-7)
    var inner = sample(-7) &+ sample(-6) &+ sample(-5)
    @inline(__always)
    func next(_ position: Int) -> Int16x8 {
      let sum = shiftRight(all &+ inner &+ 8, by: 4)
      all = all &- sample(position &- 6) &+ sample(position &+ 7)
      inner = inner &- sample(position &- 1) &+ sample(position &+ 2)
      return unsafe unsafeBitCast(sum, to: Int16x8.self)
    }
    results.0 = next(-6)
    results.1 = next(-5)
    results.2 = next(-4)
    results.3 = next(-3)
    results.4 = next(-2)
    results.5 = next(-1)
    results.6 = next(0)
    results.7 = next(1)
    results.8 = next(2)
    results.9 = next(3)
    results.10 = next(4)
    results.11 = next(5)
    unsafe values[2] = select(mask, results.0, values[2])
    unsafe values[3] = select(mask, results.1, values[3])
    unsafe values[4] = select(mask, results.2, values[4])
    unsafe values[5] = select(mask, results.3, values[5])
    unsafe values[6] = select(mask, results.4, values[6])
    unsafe values[7] = select(mask, results.5, values[7])
    unsafe values[8] = select(mask, results.6, values[8])
    unsafe values[9] = select(mask, results.7, values[9])
    unsafe values[10] = select(mask, results.8, values[10])
    unsafe values[11] = select(mask, results.9, values[11])
    unsafe values[12] = select(mask, results.10, values[12])
    unsafe values[13] = select(mask, results.11, values[13])
  }
}
