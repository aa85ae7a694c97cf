// Deblocking of eight lines of samples at a time (sections 8.7.2.3 and 8.7.2.4).

internal import VectorLanes

/// The samples across an edge of eight lines: p3 is the farthest before it, q3 the farthest after it.
private struct Crossing {
  var p3, p2, p1, p0, q0, q1, q2, q3: Int16x8

  /// Filters the samples, of up to 12 bits.
  ///
  /// - Returns: whether any may have changed.
  @inline(__always)
  mutating func filter(_ edge: FilterEdge, _ thresholds: EdgeThresholds, _ limit: Int16x8) -> Bool {
    let (alpha, beta) = (splat(thresholds.alpha), splat(thresholds.beta))
    let difference = magnitude(p0 &- q0)
    let isFiltered =
      isGreater(alpha, difference) & isGreater(beta, magnitude(p1 &- p0)) & isGreater(beta, magnitude(q1 &- q0))
    guard isAny(isFiltered) else { return false }
    if edge.isChroma {
      if edge.isStrong {
        let two = splat(2)
        let (newP, newQ) = (p1 &+ p1 &+ p0 &+ q1 &+ two, q1 &+ q1 &+ q0 &+ p1 &+ two)
        p0 = select(shiftRight(newP, by: 2), p0, isFiltered)
        q0 = select(shiftRight(newQ, by: 2), q0, isFiltered)
      } else {
        filterNormal(splat(thresholds.limit &+ 1), isFiltered, limit)
      }
      return true
    }
    let isFlatP = isGreater(beta, magnitude(p2 &- p0)) & isFiltered
    let isFlatQ = isGreater(beta, magnitude(q2 &- q0)) & isFiltered
    if edge.isStrong {
      let isSmall = isGreater(splat((thresholds.alpha &>> 2) &+ 2), difference)
      filterStrongly(isFiltered, isFlatP & isSmall, isFlatQ & isSmall)
      return true
    }
    let bound = splat(thresholds.limit)
    let mean = shiftRight(p0 &+ q0 &+ splat(1), by: 1)
    let changeP = clamp(shiftRight(p2 &+ mean &- p1 &- p1, by: 1), bound) & isFlatP
    let changeQ = clamp(shiftRight(q2 &+ mean &- q1 &- q1, by: 1), bound) & isFlatQ
    // A mask is −1 where it is set.
    filterNormal(bound &- isFlatP &- isFlatQ, isFiltered, limit)
    p1 = p1 &+ changeP
    q1 = q1 &+ changeQ
    return true
  }

  @inline(__always)
  private mutating func filterNormal(_ bound: Int16x8, _ isFiltered: Int16x8, _ limit: Int16x8) {
    let step = (q0 &- p0) &+ (q0 &- p0)
    let change = clamp(shiftRight(step &+ step &+ p1 &- q1 &+ splat(4), by: 3), bound) & isFiltered
    p0 = minimum(maximum(p0 &+ change, Int16x8()), limit)
    q0 = minimum(maximum(q0 &- change, Int16x8()), limit)
  }

  @inline(__always)
  private mutating func filterStrongly(_ isFiltered: Int16x8, _ isWideP: Int16x8, _ isWideQ: Int16x8) {
    let (two, four) = (splat(2), splat(4))
    let center = p0 &+ q0
    let (sumP, sumQ) = (p2 &+ p1 &+ center, q2 &+ q1 &+ center)
    let narrowP = shiftRight(p1 &+ p1 &+ p0 &+ q1 &+ two, by: 2)
    let narrowQ = shiftRight(q1 &+ q1 &+ q0 &+ p1 &+ two, by: 2)
    let wideP = shiftRight(sumP &+ p1 &+ center &+ q1 &+ four, by: 3)
    let wideQ = shiftRight(sumQ &+ q1 &+ center &+ p1 &+ four, by: 3)
    let (newP1, newQ1) = (shiftRight(sumP &+ two, by: 2), shiftRight(sumQ &+ two, by: 2))
    let newP2 = shiftRight(sumP &+ p3 &+ p3 &+ p2 &+ p2 &+ four, by: 3)
    let newQ2 = shiftRight(sumQ &+ q3 &+ q3 &+ q2 &+ q2 &+ four, by: 3)
    p0 = select(select(wideP, narrowP, isWideP), p0, isFiltered)
    q0 = select(select(wideQ, narrowQ, isWideQ), q0, isFiltered)
    p1 = select(newP1, p1, isWideP)
    q1 = select(newQ1, q1, isWideQ)
    p2 = select(newP2, p2, isWideP)
    q2 = select(newQ2, q2, isWideQ)
  }

  /// Rows become columns.
  @inline(__always)
  func transposed() -> Crossing {
    let (a0, a1) = (interleaveLow16(p3, p2), interleaveHigh16(p3, p2))
    let (a2, a3) = (interleaveLow16(p1, p0), interleaveHigh16(p1, p0))
    let (a4, a5) = (interleaveLow16(q0, q1), interleaveHigh16(q0, q1))
    let (a6, a7) = (interleaveLow16(q2, q3), interleaveHigh16(q2, q3))
    let (b0, b1) = (interleaveLow32(a0, a2), interleaveHigh32(a0, a2))
    let (b2, b3) = (interleaveLow32(a1, a3), interleaveHigh32(a1, a3))
    let (b4, b5) = (interleaveLow32(a4, a6), interleaveHigh32(a4, a6))
    let (b6, b7) = (interleaveLow32(a5, a7), interleaveHigh32(a5, a7))
    return Crossing(
      p3: interleaveLow64(b0, b4), p2: interleaveHigh64(b0, b4), p1: interleaveLow64(b1, b5),
      p0: interleaveHigh64(b1, b5), q0: interleaveLow64(b2, b6), q1: interleaveHigh64(b2, b6),
      q2: interleaveLow64(b3, b7), q3: interleaveHigh64(b3, b7))
  }
}

@inline(__always)
private func splat(_ value: Int32) -> Int16x8 { Int16x8(repeating: Int16(truncatingIfNeeded: value)) }

@inline(__always)
private func magnitude(_ value: Int16x8) -> Int16x8 { maximum(value, Int16x8() &- value) }

@inline(__always)
private func clamp(_ value: Int16x8, _ bound: Int16x8) -> Int16x8 {
  minimum(maximum(value, Int16x8() &- bound), bound)
}

@inline(__always)
private func select(_ new: Int16x8, _ old: Int16x8, _ mask: Int16x8) -> Int16x8 { old ^ ((old ^ new) & mask) }

@inline(__always)
private func isAny(_ mask: Int16x8) -> Bool {
  // SAFETY: both types are 16 bytes of which every bit pattern is valid.
  let bits = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
  return bits[0] | bits[1] != 0
}

/// Filters an edge of a multiple of eight lines, between columns or between rows, of samples of up to 12 bits. There are
/// four samples at each side of the edge in each line.
@inline(never)
func filterLines(
  _ values: inout MutableSpan<UInt16>, _ edge: FilterEdge, _ thresholds: EdgeThresholds, maximum: Int32
) {
  let (across, along) = (edge.across, edge.along)
  precondition(
    edge.count % 8 == 0 && edge.count >= 8 && edge.count <= 16 && (across == 1 || along == 1) && across > 0 && along > 0
      && across < 1 << 24 && along < 1 << 24 && edge.index >= 4 &* across
      && edge.index <= values.count &- 3 &* across &- (edge.count &- 1) &* along &- 1 && maximum < 1 << 12,
    "the samples are present")
  let limit = splat(maximum)
  // SAFETY: four samples before and after the edge are in the span, in all lines, by the precondition.
  unsafe values.withUnsafeMutableBufferPointer { values in
    guard let values = values.baseAddress else { return }
    for line in stride(from: 0, to: edge.count, by: 8) {
      let corner = unsafe UnsafeMutableRawPointer(values + (edge.index &+ line &* along &- 4 &* across))
      let pitch = 2 &* max(across, along)
      if across == 1 {
        var crossing = unsafe load(corner, pitch).transposed()
        guard crossing.filter(edge, thresholds, limit) else { continue }
        unsafe store(crossing.transposed(), corner, pitch)
      } else {
        var crossing = unsafe load(corner, pitch)
        guard crossing.filter(edge, thresholds, limit) else { continue }
        unsafe storeRows(crossing, corner, pitch, isChroma: edge.isChroma)
      }
    }
  }
}

@inline(__always)
@unsafe private func load(_ corner: UnsafeMutableRawPointer, _ pitch: Int) -> Crossing {
  unsafe Crossing(
    p3: corner.loadUnaligned(as: Int16x8.self), p2: corner.loadUnaligned(fromByteOffset: pitch, as: Int16x8.self),
    p1: corner.loadUnaligned(fromByteOffset: 2 &* pitch, as: Int16x8.self),
    p0: corner.loadUnaligned(fromByteOffset: 3 &* pitch, as: Int16x8.self),
    q0: corner.loadUnaligned(fromByteOffset: 4 &* pitch, as: Int16x8.self),
    q1: corner.loadUnaligned(fromByteOffset: 5 &* pitch, as: Int16x8.self),
    q2: corner.loadUnaligned(fromByteOffset: 6 &* pitch, as: Int16x8.self),
    q3: corner.loadUnaligned(fromByteOffset: 7 &* pitch, as: Int16x8.self))
}

@inline(__always)
@unsafe private func storeRows(
  _ crossing: Crossing, _ corner: UnsafeMutableRawPointer, _ pitch: Int, isChroma: Bool
) {
  unsafe corner.storeBytes(of: crossing.p0, toByteOffset: 3 &* pitch, as: Int16x8.self)
  unsafe corner.storeBytes(of: crossing.q0, toByteOffset: 4 &* pitch, as: Int16x8.self)
  if isChroma { return }
  unsafe corner.storeBytes(of: crossing.p2, toByteOffset: pitch, as: Int16x8.self)
  unsafe corner.storeBytes(of: crossing.p1, toByteOffset: 2 &* pitch, as: Int16x8.self)
  unsafe corner.storeBytes(of: crossing.q1, toByteOffset: 5 &* pitch, as: Int16x8.self)
  unsafe corner.storeBytes(of: crossing.q2, toByteOffset: 6 &* pitch, as: Int16x8.self)
}

@inline(__always)
@unsafe private func store(_ crossing: Crossing, _ corner: UnsafeMutableRawPointer, _ pitch: Int) {
  unsafe corner.storeBytes(of: crossing.p3, as: Int16x8.self)
  unsafe corner.storeBytes(of: crossing.q3, toByteOffset: 7 &* pitch, as: Int16x8.self)
  unsafe storeRows(crossing, corner, pitch, isChroma: false)
}
