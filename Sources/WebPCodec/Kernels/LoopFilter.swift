// The loop filter (RFC 6386, section 15): edges of macroblocks and of their subblocks, sixteen samples at a time.

internal import VectorLanes

/// The filter parameters of one macroblock.
package struct MacroblockFilter {
  /// The largest difference across an inner edge that is filtered; 0 disables filtering. The limit of outer edges is
  /// greater by 4.
  package var edgeLimit: UInt8 = 0
  /// The largest difference between neighbours on one side of an edge.
  package var interiorLimit: UInt8 = 0
  /// The difference above which an edge has high variance.
  package var varianceThreshold: UInt8 = 0
  /// Whether the edges of subblocks are filtered.
  package var filtersInside = false

  package init(
    edgeLimit: UInt8 = 0, interiorLimit: UInt8 = 0, varianceThreshold: UInt8 = 0, filtersInside: Bool = false
  ) {
    self.edgeLimit = edgeLimit
    self.interiorLimit = interiorLimit
    self.varianceThreshold = varianceThreshold
    self.filtersInside = filtersInside
  }
}

/// Filters a row of macroblocks.
///
/// - Parameters:
///   - stride: the number of luma samples from one row to the next; that of chroma is half.
///   - row: the first luma row of the macroblocks; even. At least four rows of chroma are above it.
///   - filters: the parameters of each macroblock.
package func filterMacroblocks(
  luma: inout MutableSpan<UInt8>, u: inout MutableSpan<UInt8>, v: inout MutableSpan<UInt8>, stride: Int, row: Int,
  _ filters: Span<MacroblockFilter>, isSimple: Bool, hasRowAbove: Bool
) {
  let chromaStride = stride / 2
  precondition(
    row >= 8 && row < 1 << 16 && row % 2 == 0 && filters.count <= 1 << 16 && filters.count &* 16 <= stride
      && stride < 1 << 24 && luma.count >= (row &+ 16) &* stride
      && u.count >= (row / 2 &+ 8) &* chromaStride && v.count >= (row / 2 &+ 8) &* chromaStride,
    "the planes do not contain the macroblocks")
  // SAFETY: filters access rows from four above the macroblocks on, and columns from four to the left of every
  // macroblock except the first, up to the last row and column of the macroblocks: all within the planes by the
  // precondition.
  unsafe luma.withUnsafeMutableBufferPointer { luma in
    unsafe u.withUnsafeMutableBufferPointer { u in
      unsafe v.withUnsafeMutableBufferPointer { v in
        guard let luma = luma.baseAddress, let u = u.baseAddress, let v = v.baseAddress else { return }
        let lumaRow = unsafe UnsafeMutableRawPointer(luma + row &* stride)
        let chromaOffset = row / 2 &* chromaStride
        let uRow = unsafe UnsafeMutableRawPointer(u + chromaOffset)
        let vRow = unsafe UnsafeMutableRawPointer(v + chromaOffset)
        for column in filters.indices {
          let filter = filters[column]
          guard filter.edgeLimit > 0 else { continue }
          let samples = unsafe lumaRow + column &* 16
          if isSimple {
            unsafe filterSimply(
              samples, stride, filter, hasLeft: column > 0, hasAbove: hasRowAbove)
          } else {
            unsafe filterNormally(
              samples, uRow + column &* 8, vRow + column &* 8, stride, filter, hasLeft: column > 0,
              hasAbove: hasRowAbove)
          }
        }
      }
    }
  }
}

// MARK: Arithmetic

/// The limits of an edge, repeated in all lanes.
private struct Limits {
  let edge: UInt8x16
  let interior: UInt8x16
  let variance: UInt8x16

  @inline(__always)
  init(_ filter: MacroblockFilter, isOuter: Bool) {
    edge = UInt8x16(repeating: filter.edgeLimit &+ (isOuter ? 4 : 0))
    interior = UInt8x16(repeating: filter.interiorLimit)
    variance = UInt8x16(repeating: filter.varianceThreshold)
  }
}

/// The samples across an edge: p3 is the farthest before it, q3 the farthest after it.
private struct Edge {
  var p3, p2, p1, p0, q0, q1, q2, q3: UInt8x16

  /// Returns 255 where the differences are small enough to be filtered.
  @inline(__always)
  func mask(_ limits: Limits) -> UInt8x16 {
    var largest = maximum(distance(p3, p2), distance(p2, p1))
    largest = maximum(largest, distance(p1, p0))
    largest = maximum(largest, distance(q1, q0))
    largest = maximum(largest, distance(q2, q1))
    largest = maximum(largest, distance(q3, q2))
    return isAtMost(largest, limits.interior) & edgeMask(p1, p0, q0, q1, limits.edge)
  }

  /// Returns 255 where there is no high edge variance.
  @inline(__always)
  func smoothMask(_ limits: Limits) -> UInt8x16 {
    isAtMost(maximum(distance(p1, p0), distance(q1, q0)), limits.variance)
  }

  /// Filters an edge between macroblocks.
  @inline(__always)
  mutating func filterOuter(_ limits: Limits) {
    let mask = mask(limits)
    let isSmooth = smoothMask(limits)
    flipSigns()
    let delta = adjustment(subtractSaturatingSigned(p1, q1)) & mask
    adjust(delta & ~isSmooth)
    let smooth = delta & isSmooth
    let low = multiplyLowSigned(smooth, by: 9)
    let high = multiplyHighSigned(smooth, by: 9)
    let rounding = SIMD8<Int16>(repeating: 63)
    let (low9, high9) = (low &+ rounding, high &+ rounding)
    let (low18, high18) = (low9 &+ low, high9 &+ high)
    let (low27, high27) = (low18 &+ low, high18 &+ high)
    let third = packSaturatingSigned(low9 &>> 7, high9 &>> 7)
    let second = packSaturatingSigned(low18 &>> 7, high18 &>> 7)
    let first = packSaturatingSigned(low27 &>> 7, high27 &>> 7)
    p2 = addSaturatingSigned(p2 ^ signs, third) ^ signs
    q2 = subtractSaturatingSigned(q2 ^ signs, third) ^ signs
    p1 = addSaturatingSigned(p1, second)
    q1 = subtractSaturatingSigned(q1, second)
    p0 = addSaturatingSigned(p0, first)
    q0 = subtractSaturatingSigned(q0, first)
    flipSigns()
  }

  /// Filters an edge between subblocks.
  @inline(__always)
  mutating func filterInner(_ limits: Limits) {
    let mask = mask(limits)
    let isSmooth = smoothMask(limits)
    flipSigns()
    let delta = adjustment(subtractSaturatingSigned(p1, q1) & ~isSmooth) & mask
    let before = dividedBy8Signed(addSaturatingSigned(delta, UInt8x16(repeating: 3)))
    let after = dividedBy8Signed(addSaturatingSigned(delta, UInt8x16(repeating: 4)))
    p0 = addSaturatingSigned(p0, before)
    q0 = subtractSaturatingSigned(q0, after)
    let half = halvedRoundingUpSigned(after) & isSmooth
    p1 = addSaturatingSigned(p1, half)
    q1 = subtractSaturatingSigned(q1, half)
    flipSigns()
  }

  /// Filters an edge with the simple filter, which uses four samples.
  @inline(__always)
  mutating func filterSimply(_ limits: Limits) {
    let mask = edgeMask(p1, p0, q0, q1, limits.edge)
    flipSigns()
    adjust(adjustment(subtractSaturatingSigned(p1, q1)) & mask)
    flipSigns()
  }

  /// Converts unsigned samples to signed ones, or back.
  @inline(__always)
  private mutating func flipSigns() {
    p1 ^= signs
    p0 ^= signs
    q0 ^= signs
    q1 ^= signs
  }

  /// Returns `outer` + 3 · (q0 − p0), saturated at every step.
  @inline(__always)
  private func adjustment(_ outer: UInt8x16) -> UInt8x16 {
    let step = subtractSaturatingSigned(q0, p0)
    return addSaturatingSigned(step, addSaturatingSigned(step, addSaturatingSigned(outer, step)))
  }

  /// Moves the two samples at the edge towards each other.
  @inline(__always)
  private mutating func adjust(_ delta: UInt8x16) {
    let before = dividedBy8Signed(addSaturatingSigned(delta, UInt8x16(repeating: 3)))
    let after = dividedBy8Signed(addSaturatingSigned(delta, UInt8x16(repeating: 4)))
    p0 = addSaturatingSigned(p0, before)
    q0 = subtractSaturatingSigned(q0, after)
  }
}

@inline(__always)
private var signs: UInt8x16 { UInt8x16(repeating: 0x80) }

/// Returns 255 where 2 · |p0 − q0| + |p1 − q1| / 2 is within the limit.
@inline(__always)
private func edgeMask(_ p1: UInt8x16, _ p0: UInt8x16, _ q0: UInt8x16, _ q1: UInt8x16, _ limit: UInt8x16) -> UInt8x16 {
  let inner = distance(p0, q0)
  return isAtMost(addSaturating(addSaturating(inner, inner), halved(distance(p1, q1))), limit)
}

@inline(__always)
private func words(_ bytes: UInt8x16) -> SIMD8<Int16> {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(bytes, to: SIMD8<Int16>.self)
}

@inline(__always)
private func bytes(_ words: SIMD8<Int16>) -> UInt8x16 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(words, to: UInt8x16.self)
}

// MARK: Sixteen rows or columns

// SAFETY (all functions below): pointers are to the first sample of a macroblock; `filterMacroblocks` proves that the
// samples around it exist.

private typealias Samples = UnsafeMutableRawPointer

@inline(__always)
@unsafe private func load(_ samples: Samples) -> UInt8x16 { unsafe samples.loadUnaligned(as: UInt8x16.self) }

@inline(__always)
@unsafe private func store(_ bytes: UInt8x16, _ samples: Samples) {
  unsafe samples.storeBytes(of: bytes, as: UInt8x16.self)
}

/// Returns eight samples of U followed by eight of V.
@inline(__always)
@unsafe private func load(_ u: Samples, _ v: Samples) -> UInt8x16 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(
    SIMD2<UInt64>(u.loadUnaligned(as: UInt64.self), v.loadUnaligned(as: UInt64.self)), to: UInt8x16.self)
}

@inline(__always)
@unsafe private func store(_ bytes: UInt8x16, _ u: Samples, _ v: Samples) {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  let halves = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
  unsafe u.storeBytes(of: halves[0], as: UInt64.self)
  unsafe v.storeBytes(of: halves[1], as: UInt64.self)
}

/// Transposes sixteen rows of eight samples to eight columns of sixteen.
///
/// - Parameter row: returns the eight samples of row n, followed by those of row n + 8.
@inline(__always)
private func transposed(_ row: (Int) -> UInt8x16) -> Edge {
  // Each vector contains row n in its lower and row n + 8 in its upper half.
  let (a0, a1, a2, a3) = (row(0), row(1), row(2), row(3))
  let (a4, a5, a6, a7) = (row(4), row(5), row(6), row(7))
  // Lower halves: rows 0…7. Upper halves: rows 8…15.
  let low = columns(a0, a1, a2, a3, a4, a5, a6, a7, interleaveLow8)
  let high = columns(a0, a1, a2, a3, a4, a5, a6, a7, interleaveHigh8)
  return Edge(
    p3: bytes(interleaveLow64(low.0, high.0)), p2: bytes(interleaveHigh64(low.0, high.0)),
    p1: bytes(interleaveLow64(low.1, high.1)), p0: bytes(interleaveHigh64(low.1, high.1)),
    q0: bytes(interleaveLow64(low.2, high.2)), q1: bytes(interleaveHigh64(low.2, high.2)),
    q2: bytes(interleaveLow64(low.3, high.3)), q3: bytes(interleaveHigh64(low.3, high.3)))
}

/// Returns the eight columns of eight rows, two in each vector.
@inline(__always)
private func columns(
  _ r0: UInt8x16, _ r1: UInt8x16, _ r2: UInt8x16, _ r3: UInt8x16, _ r4: UInt8x16, _ r5: UInt8x16, _ r6: UInt8x16,
  _ r7: UInt8x16,
  _ interleave: (UInt8x16, UInt8x16) -> UInt8x16
) -> (SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>, SIMD8<Int16>) {
  let b0 = words(interleave(r0, r1))
  let b1 = words(interleave(r2, r3))
  let b2 = words(interleave(r4, r5))
  let b3 = words(interleave(r6, r7))
  let (c0, c1) = (interleaveLow16(b0, b1), interleaveHigh16(b0, b1))
  let (c2, c3) = (interleaveLow16(b2, b3), interleaveHigh16(b2, b3))
  return (interleaveLow32(c0, c2), interleaveHigh32(c0, c2), interleaveLow32(c1, c3), interleaveHigh32(c1, c3))
}

extension Edge {
  /// Transposes the eight columns to sixteen rows.
  ///
  /// - Parameter body: receives the eight samples of rows n and n + 1 for each even n.
  @inline(__always)
  fileprivate func forEachTwoRows(_ body: (Int, UInt8x16) -> Void) {
    emit(
      words(interleaveLow8(p3, p2)), words(interleaveLow8(p1, p0)), words(interleaveLow8(q0, q1)),
      words(interleaveLow8(q2, q3)), 0, body)
    emit(
      words(interleaveHigh8(p3, p2)), words(interleaveHigh8(p1, p0)), words(interleaveHigh8(q0, q1)),
      words(interleaveHigh8(q2, q3)), 8, body)
  }

  @inline(__always)
  private func emit(
    _ p32: SIMD8<Int16>, _ p10: SIMD8<Int16>, _ q01: SIMD8<Int16>, _ q23: SIMD8<Int16>, _ row: Int,
    _ body: (Int, UInt8x16) -> Void
  ) {
    let (p0, p4) = (interleaveLow16(p32, p10), interleaveHigh16(p32, p10))
    let (q0, q4) = (interleaveLow16(q01, q23), interleaveHigh16(q01, q23))
    body(row, bytes(interleaveLow32(p0, q0)))
    body(row &+ 2, bytes(interleaveHigh32(p0, q0)))
    body(row &+ 4, bytes(interleaveLow32(p4, q4)))
    body(row &+ 6, bytes(interleaveHigh32(p4, q4)))
  }
}

/// Filters a vertical luma edge. `samples` points to the first sample after the edge.
@inline(__always)
@unsafe private func filterColumn(_ samples: Samples, _ stride: Int, _ body: (inout Edge) -> Void) {
  let start = unsafe samples - 4
  var edge = transposed { row in unsafe load(start + row &* stride, start + (row &+ 8) &* stride) }
  body(&edge)
  edge.forEachTwoRows { row, two in unsafe store(two, start + row &* stride, start + (row &+ 1) &* stride) }
}

/// Filters a vertical edge of both chroma planes.
@inline(__always)
@unsafe private func filterColumn(_ u: Samples, _ v: Samples, _ stride: Int, _ body: (inout Edge) -> Void) {
  let (u, v) = unsafe (u - 4, v - 4)
  var edge = transposed { row in unsafe load(u + row &* stride, v + row &* stride) }
  body(&edge)
  edge.forEachTwoRows { row, two in
    let start = unsafe row < 8 ? u + row &* stride : v + (row &- 8) &* stride
    unsafe store(two, start, start + stride)
  }
}

/// Filters a horizontal luma edge. `samples` points to the first sample after the edge.
@inline(__always)
@unsafe private func filterRow(_ samples: Samples, _ stride: Int, _ body: (inout Edge) -> Void) {
  var edge = unsafe Edge(
    p3: load(samples - 4 &* stride), p2: load(samples - 3 &* stride), p1: load(samples - 2 &* stride),
    p0: load(samples - stride), q0: load(samples), q1: load(samples + stride), q2: load(samples + 2 &* stride),
    q3: load(samples + 3 &* stride))
  body(&edge)
  unsafe store(edge.p2, samples - 3 &* stride)
  unsafe store(edge.p1, samples - 2 &* stride)
  unsafe store(edge.p0, samples - stride)
  unsafe store(edge.q0, samples)
  unsafe store(edge.q1, samples + stride)
  unsafe store(edge.q2, samples + 2 &* stride)
}

/// Filters a horizontal edge of both chroma planes.
@inline(__always)
@unsafe private func filterRow(_ u: Samples, _ v: Samples, _ stride: Int, _ body: (inout Edge) -> Void) {
  @inline(__always)
  func row(_ y: Int) -> UInt8x16 { unsafe load(u + y &* stride, v + y &* stride) }
  var edge = Edge(p3: row(-4), p2: row(-3), p1: row(-2), p0: row(-1), q0: row(0), q1: row(1), q2: row(2), q3: row(3))
  body(&edge)
  @inline(__always)
  func set(_ y: Int, _ bytes: UInt8x16) { unsafe store(bytes, u + y &* stride, v + y &* stride) }
  set(-3, edge.p2)
  set(-2, edge.p1)
  set(-1, edge.p0)
  set(0, edge.q0)
  set(1, edge.q1)
  set(2, edge.q2)
}

// MARK: Macroblocks

@inline(never)
@unsafe private func filterNormally(
  _ luma: Samples, _ u: Samples, _ v: Samples, _ stride: Int, _ filter: MacroblockFilter, hasLeft: Bool, hasAbove: Bool
) {
  let chromaStride = stride / 2
  let outer = Limits(filter, isOuter: true)
  let inner = Limits(filter, isOuter: false)
  if hasLeft {
    unsafe filterColumn(luma, stride) { $0.filterOuter(outer) }
    unsafe filterColumn(u, v, chromaStride) { $0.filterOuter(outer) }
  }
  if filter.filtersInside {
    for x in 1..<4 { unsafe filterColumn(luma + x &* 4, stride) { $0.filterInner(inner) } }
    unsafe filterColumn(u + 4, v + 4, chromaStride) { $0.filterInner(inner) }
  }
  if hasAbove {
    unsafe filterRow(luma, stride) { $0.filterOuter(outer) }
    unsafe filterRow(u, v, chromaStride) { $0.filterOuter(outer) }
  }
  if filter.filtersInside {
    for y in 1..<4 { unsafe filterRow(luma + y &* 4 &* stride, stride) { $0.filterInner(inner) } }
    unsafe filterRow(u + 4 &* chromaStride, v + 4 &* chromaStride, chromaStride) { $0.filterInner(inner) }
  }
}

@inline(never)
@unsafe private func filterSimply(
  _ luma: Samples, _ stride: Int, _ filter: MacroblockFilter, hasLeft: Bool, hasAbove: Bool
) {
  let outer = Limits(filter, isOuter: true)
  let inner = Limits(filter, isOuter: false)
  if hasLeft { unsafe filterColumn(luma, stride) { $0.filterSimply(outer) } }
  if filter.filtersInside {
    for x in 1..<4 { unsafe filterColumn(luma + x &* 4, stride) { $0.filterSimply(inner) } }
  }
  if hasAbove { unsafe filterRow(luma, stride) { $0.filterSimply(outer) } }
  if filter.filtersInside {
    for y in 1..<4 { unsafe filterRow(luma + y &* 4 &* stride, stride) { $0.filterSimply(inner) } }
  }
}
