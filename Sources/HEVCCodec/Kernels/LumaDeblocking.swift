// Deblocking of luma (section 8.7.2.5): eight samples along an edge at a time, which are two segments that are decided
// upon separately.

internal import VectorLanes

/// An edge of eight luma samples.
package struct FilterEdge {
  /// The index of the first sample after the edge.
  package var index = 0
  /// The limits of changes and of differences: tC and β. Neither is 0.
  package var limit: Int16 = 0
  package var flatness: Int16 = 0
  /// The segments of four luma samples that are filtered, as bits 0 and 1.
  package var segments: UInt8 = 3
  /// Whether the samples before (bit 0) and after (bit 1) the edge stay as they are.
  package var finals: UInt8 = 0

  package init() {}
}

/// The samples across an edge: p3 is the farthest before it, q3 the farthest after it.
private struct Crossing {
  var p3, p2, p1, p0, q0, q1, q2, q3: Int16x8

  /// Filters the samples.
  ///
  /// - Returns: whether any may have changed.
  @inline(__always)
  mutating func filter(_ edge: FilterEdge, _ maximumValue: Int16x8) -> Bool {
    let secondP = p2 &- p1 &- p1 &+ p0
    let secondQ = q2 &- q1 &- q1 &+ q0
    let dp = magnitude(secondP)
    let dq = magnitude(secondQ)
    let d = dp &+ dq
    let beta = edge.flatness
    var isFiltered = isGreater(Int16x8(repeating: beta), firstOfFour(d) &+ lastOfFour(d))
    if edge.segments == 1 { isFiltered = isFiltered & Int16x8(-1, -1, -1, -1, 0, 0, 0, 0) }
    if edge.segments == 2 { isFiltered = isFiltered & Int16x8(0, 0, 0, 0, -1, -1, -1, -1) }
    guard isAny(isFiltered) else { return false }

    let tc = Int16x8(repeating: edge.limit)
    let isSmooth =
      isGreater(Int16x8(repeating: beta &>> 2), d &+ d)
      & isGreater(Int16x8(repeating: beta &>> 3), magnitude(p3 &- p0) &+ magnitude(q0 &- q3))
      & isGreater(Int16x8(repeating: (5 &* edge.limit &+ 1) &>> 1), magnitude(p0 &- q0))
    let isStrong = firstOfFour(isSmooth) & lastOfFour(isSmooth) & isFiltered
    let isWeak = isFiltered & ~isStrong
    let keepP = Int16x8(repeating: edge.finals & 1 == 0 ? -1 : 0)
    let keepQ = Int16x8(repeating: edge.finals & 2 == 0 ? -1 : 0)
    let old = self
    if isAny(isWeak) {
      let side = Int16x8(repeating: (beta &+ beta &>> 1) &>> 3)
      let changesP1 = isGreater(side, firstOfFour(dp) &+ lastOfFour(dp))
      let changesQ1 = isGreater(side, firstOfFour(dq) &+ lastOfFour(dq))
      filterWeakly(tc, isWeak, keepP, keepQ, changesP1, changesQ1, maximumValue)
    }
    if isAny(isStrong) { filterStrongly(old, tc &+ tc, isStrong & keepP, isStrong & keepQ) }
    return true
  }

  @inline(__always)
  private mutating func filterWeakly(
    _ tc: Int16x8, _ isWeak: Int16x8, _ keepP: Int16x8, _ keepQ: Int16x8, _ changesP1: Int16x8, _ changesQ1: Int16x8,
    _ maximumValue: Int16x8
  ) {
    let (near, far) = (q0 &- p0, q1 &- p1)
    let factors = Int16x8(9, -3, 9, -3, 9, -3, 9, -3)
    let eight = SIMD4<Int32>(repeating: 8)
    let raw = packSaturating(
      (multiplyAddPairs(interleaveLow16(near, far), factors) &+ eight) &>> 4,
      (multiplyAddPairs(interleaveHigh16(near, far), factors) &+ eight) &>> 4)
    let ten = (tc &<< 3) &+ (tc &<< 1)
    let changes = isGreater(ten, magnitude(raw)) & isWeak
    let delta = minimum(maximum(raw, Int16x8() &- tc), tc) & changes
    let half = tc &>> 1
    let toP = changes & changesP1 & keepP
    let toQ = changes & changesQ1 & keepQ
    let one = Int16x8(repeating: 1)
    let meanP = ((p2 &+ p0 &+ one) &>> 1) &- p1 &+ delta
    let meanQ = ((q2 &+ q0 &+ one) &>> 1) &- q1 &- delta
    let deltaP = minimum(maximum(meanP &>> 1, Int16x8() &- half), half) & toP
    let deltaQ = minimum(maximum(meanQ &>> 1, Int16x8() &- half), half) & toQ
    p1 = minimum(maximum(p1 &+ deltaP, Int16x8()), maximumValue)
    q1 = minimum(maximum(q1 &+ deltaQ, Int16x8()), maximumValue)
    p0 = minimum(maximum(p0 &+ (delta & keepP), Int16x8()), maximumValue)
    q0 = minimum(maximum(q0 &- (delta & keepQ), Int16x8()), maximumValue)
  }

  @inline(__always)
  private mutating func filterStrongly(_ old: Crossing, _ limit: Int16x8, _ toP: Int16x8, _ toQ: Int16x8) {
    let (two, four) = (Int16x8(repeating: 2), Int16x8(repeating: 4))
    let center = old.p0 &+ old.q0
    let sumP = old.p2 &+ old.p1 &+ center
    let sumQ = old.q2 &+ old.q1 &+ center
    p0 = blend(p0, old.p0, (sumP &+ center &+ old.p1 &+ old.q1 &+ four) &>> 3, limit, toP)
    p1 = blend(p1, old.p1, (sumP &+ two) &>> 2, limit, toP)
    p2 = blend(p2, old.p2, (sumP &+ old.p3 &+ old.p3 &+ old.p2 &+ old.p2 &+ four) &>> 3, limit, toP)
    q0 = blend(q0, old.q0, (sumQ &+ center &+ old.q1 &+ old.p1 &+ four) &>> 3, limit, toQ)
    q1 = blend(q1, old.q1, (sumQ &+ two) &>> 2, limit, toQ)
    q2 = blend(q2, old.q2, (sumQ &+ old.q3 &+ old.q3 &+ old.q2 &+ old.q2 &+ four) &>> 3, limit, toQ)
  }

  /// `value` within a limit of `old` where the mask is set.
  @inline(__always)
  private func blend(_ current: Int16x8, _ old: Int16x8, _ value: Int16x8, _ limit: Int16x8, _ mask: Int16x8) -> Int16x8
  {
    let clipped = minimum(maximum(value, old &- limit), old &+ limit)
    return current ^ ((current ^ clipped) & mask)
  }
}

@inline(__always)
private func magnitude(_ value: Int16x8) -> Int16x8 { maximum(value, Int16x8() &- value) }

/// The first lane of each half in all lanes of the half.
@inline(__always)
private func firstOfFour(_ v: Int16x8) -> Int16x8 { Int16x8(v[0], v[0], v[0], v[0], v[4], v[4], v[4], v[4]) }
@inline(__always)
private func lastOfFour(_ v: Int16x8) -> Int16x8 { Int16x8(v[3], v[3], v[3], v[3], v[7], v[7], v[7], v[7]) }

@inline(__always)
private func isAny(_ mask: Int16x8) -> Bool {
  // SAFETY: both types are 16 bytes of which every bit pattern is valid.
  let bits = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
  return bits[0] | bits[1] != 0
}

/// Filters edges between columns.
///
/// - Parameter edges: their indices have four samples before them and seven rows below them.
package func filterLumaColumns(
  _ samples: inout MutableSpan<UInt16>, stride: Int, _ edges: Span<FilterEdge>, bitDepth: Int
) {
  precondition(stride >= 8 && stride < 1 << 24 && bitDepth <= 12, "the rows are present")
  let maximumValue = Int16x8(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
  let (first, last) = (4, samples.count &- 7 &* stride &- 4)
  // SAFETY: the precondition within the loop.
  unsafe samples.withUnsafeMutableBufferPointer { samples in
    unsafe edges.withUnsafeBufferPointer { edges in
      guard let base = samples.baseAddress else { return }
      for place in 0..<edges.count {
        let edge = unsafe edges[place]
        precondition(edge.index >= first && edge.index <= last, "the samples are present")
        unsafe filterColumn(UnsafeMutableRawPointer(base + edge.index - 4), pitch: 2 &* stride, edge, maximumValue)
      }
    }
  }
}

/// Filters edges between rows.
///
/// - Parameter edges: their indices have four rows above them, and three rows and eight columns below them.
package func filterLumaRows(
  _ samples: inout MutableSpan<UInt16>, stride: Int, _ edges: Span<FilterEdge>, bitDepth: Int
) {
  precondition(stride >= 8 && stride < 1 << 24 && bitDepth <= 12, "the rows are present")
  let maximumValue = Int16x8(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
  let (first, last) = (4 &* stride, samples.count &- 3 &* stride &- 8)
  // SAFETY: the precondition within the loop.
  unsafe samples.withUnsafeMutableBufferPointer { samples in
    unsafe edges.withUnsafeBufferPointer { edges in
      guard let base = samples.baseAddress else { return }
      for place in 0..<edges.count {
        let edge = unsafe edges[place]
        precondition(edge.index >= first && edge.index <= last, "the samples are present")
        unsafe filterRow(
          UnsafeMutableRawPointer(base + edge.index - 4 &* stride), pitch: 2 &* stride, edge, maximumValue)
      }
    }
  }
}

/// Filters eight rows of eight samples with an edge between columns in their middle.
@inline(__always)
@unsafe private func filterColumn(
  _ corner: UnsafeMutableRawPointer, pitch: Int, _ edge: FilterEdge, _ maximumValue: Int16x8
) {
  let rows = unsafe WordSquare(UnsafeRawPointer(corner), pitch: pitch).transposed()
  var crossing = Crossing(
    p3: rows.r0, p2: rows.r1, p1: rows.r2, p0: rows.r3, q0: rows.r4, q1: rows.r5, q2: rows.r6, q3: rows.r7)
  if crossing.filter(edge, maximumValue) {
    let result = WordSquare(
      crossing.p3, crossing.p2, crossing.p1, crossing.p0, crossing.q0, crossing.q1, crossing.q2, crossing.q3)
    unsafe result.transposed().store(corner, pitch: pitch)
  }
}

/// Filters eight rows of eight samples with an edge between rows in their middle.
@inline(__always)
@unsafe private func filterRow(
  _ corner: UnsafeMutableRawPointer, pitch: Int, _ edge: FilterEdge, _ maximumValue: Int16x8
) {
  let rows = unsafe WordSquare(UnsafeRawPointer(corner), pitch: pitch)
  var crossing = Crossing(
    p3: rows.r0, p2: rows.r1, p1: rows.r2, p0: rows.r3, q0: rows.r4, q1: rows.r5, q2: rows.r6, q3: rows.r7)
  if crossing.filter(edge, maximumValue) {
    unsafe corner.storeBytes(of: crossing.p2, toByteOffset: pitch, as: Int16x8.self)
    unsafe corner.storeBytes(of: crossing.p1, toByteOffset: 2 &* pitch, as: Int16x8.self)
    unsafe corner.storeBytes(of: crossing.p0, toByteOffset: 3 &* pitch, as: Int16x8.self)
    unsafe corner.storeBytes(of: crossing.q0, toByteOffset: 4 &* pitch, as: Int16x8.self)
    unsafe corner.storeBytes(of: crossing.q1, toByteOffset: 5 &* pitch, as: Int16x8.self)
    unsafe corner.storeBytes(of: crossing.q2, toByteOffset: 6 &* pitch, as: Int16x8.self)
  }
}
