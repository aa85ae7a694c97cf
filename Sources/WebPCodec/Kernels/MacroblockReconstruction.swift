// Prediction of a macroblock from its neighbours (RFC 6386, section 12) and addition of its residuals.

internal import VectorLanes

/// The layout of the samples of a macroblock and of its neighbours in a buffer: luma, below it U and V next to each
/// other, each with a row above and a column to the left. The row above luma has four more samples to the right.
package enum MacroblockLayout {
  package static var stride: Int { 32 }
  package static var luma: Int { 40 }
  package static var u: Int { 584 }
  package static var v: Int { 600 }
  /// The size of the buffer in bytes.
  package static var byteCount: Int { 864 }
}

/// The neighbours of a macroblock that are outside the picture. Their samples are placeholders.
package struct MacroblockEdges {
  package var hasAbove: Bool
  package var hasLeft: Bool

  package init(hasAbove: Bool, hasLeft: Bool) {
    self.hasAbove = hasAbove
    self.hasLeft = hasLeft
  }
}

@inline(__always) private var stride: Int { MacroblockLayout.stride }
private typealias Samples = UnsafeMutablePointer<UInt8>

/// Returns the offset of a luma block from the first one.
@inline(__always)
private func lumaOffset(_ block: Int) -> Int { (block &>> 2) &* 4 &* stride &+ (block & 3) &* 4 }

/// Predicts and reconstructs the luma of a whole macroblock.
///
/// - Parameters:
///   - samples: a buffer in the layout of ``MacroblockLayout``.
///   - coefficients: sixteen blocks of sixteen.
///   - codes: the value of ``Residuals/luma``.
package func reconstructLuma(
  _ samples: inout MutableSpan<UInt8>, mode: UInt8, edges: MacroblockEdges, coefficients: Span<Int16>, codes: UInt32
) {
  precondition(samples.count >= MacroblockLayout.byteCount && coefficients.count >= 256, "a buffer is too short")
  // SAFETY: all offsets are constants of MacroblockLayout and below its byteCount; blocks have 16 of 256 coefficients.
  unsafe samples.withUnsafeMutableBufferPointer { buffer in
    unsafe coefficients.withUnsafeBufferPointer { input in
      guard let base = buffer.baseAddress, let input = input.baseAddress else { return }
      let luma = unsafe base + MacroblockLayout.luma
      unsafe predict16(luma, mode, edges)
      guard codes != 0 else { return }
      var block = 0
      while block < 16 {
        let code = codes &>> UInt32(truncatingIfNeeded: 30 &- 2 &* block)
        let target = unsafe luma + lumaOffset(block)
        let source = unsafe input + block &* 16
        if block & 1 == 0, code & 3 == 3, codes &>> UInt32(truncatingIfNeeded: 28 &- 2 &* block) & 3 == 3 {
          unsafe addResidualPair(source, to: target)
          block &+= 2
        } else {
          unsafe add(source, code & 3, to: target)
          block &+= 1
        }
      }
    }
  }
}

/// Predicts and reconstructs luma by subblocks.
///
/// - Parameter modes: the modes of the sixteen subblocks.
package func reconstructSubblocks(
  _ samples: inout MutableSpan<UInt8>, modes: InlineArray<16, UInt8>, coefficients: Span<Int16>, codes: UInt32
) {
  precondition(samples.count >= MacroblockLayout.byteCount && coefficients.count >= 256, "a buffer is too short")
  // SAFETY: as in reconstructLuma. A subblock reads four samples to its right in the row above, at most the 20th.
  unsafe samples.withUnsafeMutableBufferPointer { buffer in
    unsafe coefficients.withUnsafeBufferPointer { input in
      guard let base = buffer.baseAddress, let input = input.baseAddress else { return }
      let luma = unsafe base + MacroblockLayout.luma
      let aboveRight = unsafe load(luma + 16 - stride)
      unsafe store(aboveRight, luma + 3 * stride + 16)
      unsafe store(aboveRight, luma + 7 * stride + 16)
      unsafe store(aboveRight, luma + 11 * stride + 16)
      for block in 0..<16 {
        let target = unsafe luma + lumaOffset(block)
        let rows = unsafe predictedRows(target, modes[block])
        let code = codes &>> UInt32(truncatingIfNeeded: 30 &- 2 &* block) & 3
        if code == 3 {
          unsafe storeRows(adding(input + block &* 16, to: rows), target)
        } else {
          unsafe storeRows(rows, target)
          unsafe add(input + block &* 16, code, to: target)
        }
      }
    }
  }
}

/// Prepares the neighbours of the subblocks of a macroblock: in all rows of subblocks, the rightmost one uses the samples
/// of the macroblock above and to the right.
package func extendSubblockNeighbors(_ samples: inout MutableSpan<UInt8>) {
  precondition(samples.count >= MacroblockLayout.byteCount, "a buffer is too short")
  // SAFETY: as in reconstructSubblocks.
  unsafe samples.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let luma = unsafe base + MacroblockLayout.luma
    let aboveRight = unsafe load(luma + 16 - stride)
    unsafe store(aboveRight, luma + 3 * stride + 16)
    unsafe store(aboveRight, luma + 7 * stride + 16)
    unsafe store(aboveRight, luma + 11 * stride + 16)
  }
}

/// Predicts one subblock of luma from its neighbours in the buffer.
///
/// - Parameter block: 0…15, in raster order.
package func predictSubblock(_ samples: inout MutableSpan<UInt8>, block: Int, mode: UInt8) {
  precondition(samples.count >= MacroblockLayout.byteCount && block >= 0 && block < 16, "a buffer is too short")
  // SAFETY: as in reconstructSubblocks.
  unsafe samples.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    let target = unsafe base + MacroblockLayout.luma + lumaOffset(block)
    unsafe storeRows(predictedRows(target, mode), target)
  }
}

/// Returns the predictions of one subblock of luma by a mode and by the next one.
///
/// - Parameter block: 0…15, in raster order.
@inline(__always)
package func predictedPair(_ samples: Span<UInt8>, block: Int, mode: UInt8) -> BlockPair {
  precondition(samples.count >= MacroblockLayout.byteCount && block >= 0 && block < 16, "a buffer is too short")
  // SAFETY: as in reconstructSubblocks.
  return unsafe samples.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return BlockPair(r0: .zero, r1: .zero, r2: .zero, r3: .zero) }
    let target = unsafe base + MacroblockLayout.luma + lumaOffset(block)
    let first = unsafe predictedRows(target, mode)
    let second = unsafe predictedRows(target, mode &+ 1)
    // SAFETY (all casts): both types have 16 bytes, and every bit pattern is valid.
    let (a, b) = unsafe (unsafeBitCast(first, to: SIMD8<Int16>.self), unsafeBitCast(second, to: SIMD8<Int16>.self))
    let upper = unsafe unsafeBitCast(interleaveLow32(a, b), to: SIMD16<UInt8>.self)
    let lower = unsafe unsafeBitCast(interleaveHigh32(a, b), to: SIMD16<UInt8>.self)
    return BlockPair(r0: widenLow(upper), r1: widenHigh(upper), r2: widenLow(lower), r3: widenHigh(lower))
  }
}

/// Predicts and reconstructs both chroma planes.
///
/// - Parameters:
///   - coefficients: four blocks of U, followed by four of V.
///   - codes: the value of ``Residuals/chroma``.
package func reconstructChroma(
  _ samples: inout MutableSpan<UInt8>, mode: UInt8, edges: MacroblockEdges, coefficients: Span<Int16>, codes: UInt32
) {
  precondition(samples.count >= MacroblockLayout.byteCount && coefficients.count >= 128, "a buffer is too short")
  // SAFETY: as in reconstructLuma.
  unsafe samples.withUnsafeMutableBufferPointer { buffer in
    unsafe coefficients.withUnsafeBufferPointer { input in
      guard let base = buffer.baseAddress, let input = input.baseAddress else { return }
      unsafe predict8(base + MacroblockLayout.u, mode, edges)
      unsafe predict8(base + MacroblockLayout.v, mode, edges)
      unsafe addChroma(input, codes & 0xFF, to: base + MacroblockLayout.u)
      unsafe addChroma(input + 64, codes &>> 8 & 0xFF, to: base + MacroblockLayout.v)
    }
  }
}

@inline(__always)
@unsafe private func add(_ coefficients: UnsafePointer<Int16>, _ code: UInt32, to samples: Samples) {
  switch code {
  case 0: break
  case 1: unsafe addConstantResidual(coefficients[0], to: samples)
  case 2: unsafe addLowResiduals(coefficients, to: samples)
  default: unsafe addResiduals(coefficients, to: samples)
  }
}

@inline(__always)
@unsafe private func addChroma(_ coefficients: UnsafePointer<Int16>, _ codes: UInt32, to samples: Samples) {
  guard codes != 0 else { return }
  if codes & 0xAA != 0 {
    unsafe addResidualPair(coefficients, to: samples)
    unsafe addResidualPair(coefficients + 32, to: samples + 4 * stride)
  } else {
    for block in 0..<4 where unsafe coefficients[block &* 16] != 0 {
      unsafe addConstantResidual(
        coefficients[block &* 16], to: samples + ((block &>> 1) &* 4 &* stride &+ (block & 1) &* 4))
    }
  }
}

// MARK: Whole blocks

@inline(__always)
@unsafe private func load(_ samples: UnsafePointer<UInt8>) -> UInt32 {
  unsafe UInt32(littleEndian: UnsafeRawPointer(samples).loadUnaligned(as: UInt32.self))
}

@inline(__always)
@unsafe private func store(_ value: UInt32, _ samples: Samples) {
  unsafe UnsafeMutableRawPointer(samples).storeBytes(of: value.littleEndian, as: UInt32.self)
}

@unsafe private func predict16(_ samples: Samples, _ mode: UInt8, _ edges: MacroblockEdges) {
  let above = unsafe UnsafeRawPointer(samples - stride).loadUnaligned(as: SIMD16<UInt8>.self)
  switch mode {
  case PredictionMode.vertical:
    for y in 0..<16 { unsafe storeRow(above, samples + y &* stride) }
  case PredictionMode.horizontal:
    for y in 0..<16 { unsafe storeRow(SIMD16(repeating: samples[y &* stride &- 1]), samples + y &* stride) }
  case PredictionMode.trueMotion:
    let zero = SIMD16<UInt8>()
    let corner = unsafe SIMD8(repeating: Int16(samples[-stride - 1]))
    // SAFETY (both casts): both types have 16 bytes, and every bit pattern is valid.
    let low = unsafe unsafeBitCast(interleaveLow8(above, zero), to: SIMD8<Int16>.self) &- corner
    let high = unsafe unsafeBitCast(interleaveHigh8(above, zero), to: SIMD8<Int16>.self) &- corner
    for y in 0..<16 {
      let left = unsafe SIMD8(repeating: Int16(samples[y &* stride &- 1]))
      unsafe storeRow(packUnsignedSaturating(low &+ left, high &+ left), samples + y &* stride)
    }
  default:
    var sum: Int32 = 0
    if edges.hasAbove { for x in 0..<16 { unsafe sum &+= Int32(samples[x &- stride]) } }
    if edges.hasLeft { for y in 0..<16 { unsafe sum &+= Int32(samples[y &* stride &- 1]) } }
    let mean: Int32
    switch (edges.hasAbove, edges.hasLeft) {
    case (true, true): mean = (sum &+ 16) &>> 5
    case (false, false): mean = 128
    default: mean = (sum &+ 8) &>> 4
    }
    for y in 0..<16 { unsafe storeRow(SIMD16(repeating: UInt8(truncatingIfNeeded: mean)), samples + y &* stride) }
  }
}

@inline(__always)
@unsafe private func storeRow(_ row: SIMD16<UInt8>, _ samples: Samples) {
  unsafe UnsafeMutableRawPointer(samples).storeBytes(of: row, as: SIMD16<UInt8>.self)
}

@unsafe private func predict8(_ samples: Samples, _ mode: UInt8, _ edges: MacroblockEdges) {
  let raw = UnsafeMutableRawPointer(samples)
  let above = unsafe (raw - stride).loadUnaligned(as: UInt64.self)
  switch mode {
  case PredictionMode.vertical:
    for y in 0..<8 { unsafe raw.storeBytes(of: above, toByteOffset: y &* stride, as: UInt64.self) }
  case PredictionMode.horizontal:
    for y in 0..<8 {
      let row = unsafe UInt64(samples[y &* stride &- 1]) &* 0x0101_0101_0101_0101
      unsafe raw.storeBytes(of: row, toByteOffset: y &* stride, as: UInt64.self)
    }
  case PredictionMode.trueMotion:
    let corner = unsafe SIMD8(repeating: Int16(samples[-stride - 1]))
    // SAFETY (all casts): the types have equal sizes, and every bit pattern is valid.
    let bytes = unsafe unsafeBitCast(SIMD2<UInt64>(above, 0), to: SIMD16<UInt8>.self)
    let base = unsafe unsafeBitCast(interleaveLow8(bytes, SIMD16<UInt8>()), to: SIMD8<Int16>.self) &- corner
    for y in 0..<8 {
      let sums = unsafe base &+ SIMD8(repeating: Int16(samples[y &* stride &- 1]))
      let row = unsafe unsafeBitCast(packUnsignedSaturating(sums, sums), to: SIMD2<UInt64>.self)[0]
      unsafe raw.storeBytes(of: row, toByteOffset: y &* stride, as: UInt64.self)
    }
  default:
    var sum: Int32 = 0
    if edges.hasAbove { for x in 0..<8 { unsafe sum &+= Int32(samples[x &- stride]) } }
    if edges.hasLeft { for y in 0..<8 { unsafe sum &+= Int32(samples[y &* stride &- 1]) } }
    let mean: Int32
    switch (edges.hasAbove, edges.hasLeft) {
    case (true, true): mean = (sum &+ 8) &>> 4
    case (false, false): mean = 128
    default: mean = (sum &+ 4) &>> 3
    }
    let row = UInt64(truncatingIfNeeded: mean) &* 0x0101_0101_0101_0101
    for y in 0..<8 { unsafe raw.storeBytes(of: row, toByteOffset: y &* stride, as: UInt64.self) }
  }
}

// MARK: Subblocks

@inline(__always)
private func average(_ a: UInt32, _ b: UInt32) -> UInt32 { (a &+ b &+ 1) &>> 1 }

@inline(__always)
private func average(_ a: UInt32, _ b: UInt32, _ c: UInt32) -> UInt32 { (a &+ 2 &* b &+ c &+ 2) &>> 2 }

/// Returns four samples of a row.
@inline(__always)
private func row(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
  a | b &<< 8 | c &<< 16 | d &<< 24
}

/// Stores the four rows of a subblock.
@inline(__always)
@unsafe private func storeRows(_ rows: SIMD4<UInt32>, _ samples: Samples) {
  let target = UnsafeMutableRawPointer(samples)
  unsafe target.storeBytes(of: rows[0], as: UInt32.self)
  unsafe target.storeBytes(of: rows[1], toByteOffset: stride, as: UInt32.self)
  unsafe target.storeBytes(of: rows[2], toByteOffset: 2 &* stride, as: UInt32.self)
  unsafe target.storeBytes(of: rows[3], toByteOffset: 3 &* stride, as: UInt32.self)
}

/// Returns the four rows of the prediction of a subblock. Names as in the figure of section 12.3: A…H above, I…L to the
/// left, X in the corner.
@inline(never)
@unsafe private func predictedRows(_ samples: UnsafePointer<UInt8>, _ mode: UInt8) -> SIMD4<UInt32> {
  @inline(__always)
  func above(_ x: Int) -> UInt32 { unsafe UInt32(samples[x &- stride]) }
  @inline(__always)
  func left(_ y: Int) -> UInt32 { unsafe UInt32(samples[y &* stride &- 1]) }
  @inline(__always)
  func set(_ r0: UInt32, _ r1: UInt32, _ r2: UInt32, _ r3: UInt32) -> SIMD4<UInt32> {
    SIMD4(r0.littleEndian, r1.littleEndian, r2.littleEndian, r3.littleEndian)
  }
  let (A, B, C, D) = (above(0), above(1), above(2), above(3))
  let (I, J, K, L) = (left(0), left(1), left(2), left(3))
  let X = above(-1)
  switch mode {
  case PredictionMode.dc:
    let mean = (A &+ B &+ C &+ D &+ I &+ J &+ K &+ L &+ 4) &>> 3 &* 0x0101_0101
    return set(mean, mean, mean, mean)
  case PredictionMode.trueMotion: return unsafe predictedTrueMotion(samples)
  case PredictionMode.vertical:
    let smooth = row(average(X, A, B), average(A, B, C), average(B, C, D), average(C, D, above(4)))
    return set(smooth, smooth, smooth, smooth)
  case PredictionMode.horizontal:
    return set(
      average(X, I, J) &* 0x0101_0101, average(I, J, K) &* 0x0101_0101, average(J, K, L) &* 0x0101_0101,
      average(K, L, L) &* 0x0101_0101)
  case PredictionMode.leftDown:
    let (E, F, G, H) = (above(4), above(5), above(6), above(7))
    let low = row(average(A, B, C), average(B, C, D), average(C, D, E), average(D, E, F))
    let diagonal = UInt64(low) | UInt64(row(average(E, F, G), average(F, G, H), average(G, H, H), 0)) &<< 32
    return set(
      low, UInt32(truncatingIfNeeded: diagonal &>> 8), UInt32(truncatingIfNeeded: diagonal &>> 16),
      UInt32(truncatingIfNeeded: diagonal &>> 24))
  case PredictionMode.rightDown:
    let low = row(average(J, K, L), average(I, J, K), average(X, I, J), average(A, X, I))
    let diagonal = UInt64(low) | UInt64(row(average(B, A, X), average(C, B, A), average(D, C, B), 0)) &<< 32
    return set(
      UInt32(truncatingIfNeeded: diagonal &>> 24), UInt32(truncatingIfNeeded: diagonal &>> 16),
      UInt32(truncatingIfNeeded: diagonal &>> 8), low)
  case PredictionMode.verticalRight:
    let r0 = row(average(X, A), average(A, B), average(B, C), average(C, D))
    let r1 = row(average(I, X, A), average(X, A, B), average(A, B, C), average(B, C, D))
    return set(r0, r1, r0 &<< 8 | average(J, I, X), r1 &<< 8 | average(K, J, I))
  case PredictionMode.verticalLeft:
    let (E, F, G, H) = (above(4), above(5), above(6), above(7))
    let r0 = row(average(A, B), average(B, C), average(C, D), average(D, E))
    let r1 = row(average(A, B, C), average(B, C, D), average(C, D, E), average(D, E, F))
    return set(r0, r1, r0 &>> 8 | average(E, F, G) &<< 24, r1 &>> 8 | average(F, G, H) &<< 24)
  case PredictionMode.horizontalDown:
    let r0 = row(average(X, I), average(A, X, I), average(B, A, X), average(C, B, A))
    let r1 = r0 &<< 16 | average(I, J) | average(X, I, J) &<< 8
    let r2 = r1 &<< 16 | average(J, K) | average(I, J, K) &<< 8
    return set(r0, r1, r2, r2 &<< 16 | average(K, L) | average(J, K, L) &<< 8)
  default:
    let r0 = row(average(I, J), average(I, J, K), average(J, K), average(J, K, L))
    let r1 = r0 &>> 16 | average(K, L) &<< 16 | average(K, L, L) &<< 24
    return set(r0, r1, r1 &>> 16 | L &<< 16 | L &<< 24, L &* 0x0101_0101)
  }
}

@inline(__always)
@unsafe private func predictedTrueMotion(_ samples: UnsafePointer<UInt8>) -> SIMD4<UInt32> {
  let corner = unsafe Int16(samples[-stride - 1])
  // SAFETY (all casts): the types have 16 bytes, and every bit pattern is valid.
  let row = unsafe unsafeBitCast(SIMD4(load(samples - stride).littleEndian, 0, 0, 0), to: SIMD8<Int16>.self)
  let above = unsafe widenLow(unsafeBitCast(interleaveLow32(row, row), to: SIMD16<UInt8>.self))
  @inline(__always)
  func difference(_ y: Int) -> Int16 { unsafe Int16(samples[y &* stride &- 1]) &- corner }
  @inline(__always)
  func rows(_ y: Int) -> SIMD8<Int16> {
    above &+ interleaveLow64(SIMD8(repeating: difference(y)), SIMD8(repeating: difference(y &+ 1)))
  }
  return unsafe unsafeBitCast(packUnsignedSaturating(rows(0), rows(2)), to: SIMD4<UInt32>.self)
}
