// Prediction from neighbouring samples (section 8.4.4.2).
//
// The neighbours form one row: from the lowest at the left upwards, the corner, then along the top to the right.
// Directions below and to the left of the diagonal are predicted as their mirror images and transposed.

/// A block to predict.
package struct IntraBlock {
  /// The index of the block's first sample, and the distance of rows.
  package var index = 0
  package var stride = 0
  package var log2Size = 2
  /// `predModeIntra`, 0…34.
  package var mode = 0
  package var bitDepth = 8
  /// Available samples at the left from the first row of the block down, and at the top from its first column on:
  /// multiples of 4 up to twice the size.
  package var leftCount = 0
  package var topCount = 0
  /// The number of the first samples at the top that are not available although later ones are: 0 or the size of the
  /// block. A slice that starts within a row of coding tree blocks makes the block at the top right available without
  /// that at the top.
  package var topGap = 0
  package var hasCorner = false
  /// Whether neighbours are smoothed, and whether that may be by interpolation.
  package var isSmoothed = false
  package var isStronglySmoothed = false
  /// Whether the first row and column are blended with the neighbours.
  package var blendsEdges = false

  package init() {}
}

/// Samples of working memory that ``predictIntra(_:_:_:)`` needs.
package let intraScratchCount = 1664

/// `intraPredAngle` of modes 2…34 (table 8-5).
private let angles: InlineArray<64, Int8> = [
  0, 0, 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5,
  9, 13, 17, 21, 26, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]

/// The negated `invAngle` of modes 11…25 (table 8-6), from index 0 on.
private let inverseAngles: InlineArray<16, Int16> = [
  4096, 1638, 910, 630, 482, 390, 315, 256, 315, 390, 482, 630, 910, 1638, 4096, 0,
]

private typealias Samples = UnsafeMutablePointer<UInt16>

/// Predicts a block.
@inline(never)
package func predictIntra(
  _ samples: inout MutableSpan<UInt16>, _ scratch: inout MutableSpan<UInt16>, _ block: IntraBlock
) {
  let size = 1 &<< block.log2Size
  precondition(
    block.log2Size >= 2 && block.log2Size <= 5 && block.mode >= 0 && block.mode <= 34 && block.stride >= size
      && block.stride < 1 << 24 && block.index >= 0 && scratch.count >= intraScratchCount
      && block.index <= samples.count &- (size &- 1) &* block.stride &- size, "the block is present")
  precondition(
    block.leftCount >= 0 && block.leftCount <= 2 &* size && block.topCount >= 0 && block.topCount <= 2 &* size
      && block.topGap >= 0 && (block.topGap == 0 || block.topGap < block.topCount)
      && (block.leftCount == 0
        || block.index > 0
          && block.index &+ (block.leftCount &- 1) &* block.stride <= samples.count)
      && (block.topCount == 0 || block.index >= block.stride)
      && (!block.hasCorner || block.index > block.stride), "the neighbours are present")
  // SAFETY: blocks and neighbours are in the samples by the preconditions; offsets into the working memory are bounded
  // by the size of 32.
  unsafe samples.withUnsafeMutableBufferPointer { samples in
    unsafe scratch.withUnsafeMutableBufferPointer { scratch in
      guard let samples = samples.baseAddress, let scratch = scratch.baseAddress else { return }
      let target = unsafe samples + block.index
      var line = unsafe scratch + 16
      unsafe gather(target, line, block)
      if block.isSmoothed {
        let smooth = unsafe scratch + 192
        unsafe smoothen(line, smooth, block)
        unsafe line = smooth
      }
      let corner = unsafe line + 2 * size
      switch block.mode {
      case 0: unsafe predictPlanar(target, corner, block)
      case 1: unsafe predictMean(target, corner, block)
      case 2..<18: unsafe predictFromLeft(target, corner, scratch + 384, block)
      default: unsafe predictFromTop(target, corner, scratch + 384, block)
      }
    }
  }
}

// MARK: Neighbours

/// Collects the neighbours and substitutes missing ones (section 8.4.4.2.2).
@inline(__always)
@unsafe private func gather(_ target: Samples, _ line: Samples, _ block: IntraBlock) {
  let (size, stride) = (1 &<< block.log2Size, block.stride)
  let cornerIndex = 2 &* size
  if block.leftCount | block.topCount == 0, !block.hasCorner {
    unsafe fill(line, 4 &* size &+ 1, 1 &<< UInt16(truncatingIfNeeded: block.bitDepth &- 1))
    return
  }
  if block.leftCount > 0 {
    var source = unsafe target - 1
    var place = unsafe line + (cornerIndex - 1)
    for _ in 0..<block.leftCount {
      unsafe place.pointee = unsafe source.pointee
      unsafe source += stride
      unsafe place -= 1
    }
    let missing = 2 &* size &- block.leftCount
    unsafe fill(line, missing, line[missing])
  }
  if block.hasCorner { unsafe line[cornerIndex] = unsafe target[-1 - stride] }
  if block.topCount > 0 {
    let source = unsafe UnsafeRawPointer(target - stride)
    let place = unsafe UnsafeMutableRawPointer(line + cornerIndex + 1)
    for index in stride0(block.topCount) {
      unsafe place.storeBytes(
        of: source.loadUnaligned(fromByteOffset: 2 &* index, as: UInt64.self), toByteOffset: 2 &* index,
        as: UInt64.self)
    }
  }
  if block.leftCount == 0 {
    let first = block.hasCorner ? cornerIndex : cornerIndex &+ 1 &+ block.topGap
    unsafe fill(line, first, line[first])
  } else if !block.hasCorner {
    unsafe line[cornerIndex] = unsafe line[cornerIndex - 1]
  }
  unsafe fill(line + cornerIndex + 1, block.topGap, line[cornerIndex])
  let missing = 2 &* size &- block.topCount
  let last = cornerIndex &+ block.topCount
  unsafe fill(line + last + 1, missing, line[last])
}

/// 0, 4, 8, … below a count.
@inline(__always)
private func stride0(_ count: Int) -> StrideTo<Int> { stride(from: 0, to: count, by: 4) }

@inline(__always)
@unsafe private func fill(_ samples: Samples, _ count: Int, _ value: UInt16) {
  var index = 0
  while index < count {
    unsafe samples[index] = value
    index &+= 1
  }
}

/// Smooths the neighbours (section 8.4.4.2.3).
@inline(__always)
@unsafe private func smoothen(_ line: Samples, _ smooth: Samples, _ block: IntraBlock) {
  let size = 1 &<< block.log2Size
  let last = 4 &* size
  if block.isStronglySmoothed {
    let (low, corner, high) = unsafe (Int32(line[0]), Int32(line[2 * size]), Int32(line[last]))
    let threshold: Int32 = 1 &<< Int32(truncatingIfNeeded: block.bitDepth &- 5)
    let isFlat =
      unsafe abs(corner &+ high &- 2 &* Int32(line[3 * size])) < threshold
      && abs(corner &+ low &- 2 &* Int32(line[size])) < threshold
    if isFlat {
      for index in 0..<Int32(64) {
        let place = Int(index)
        unsafe smooth[place] = UInt16(truncatingIfNeeded: ((64 &- index) &* low &+ index &* corner &+ 32) &>> 6)
        unsafe smooth[64 + place] = UInt16(
          truncatingIfNeeded: ((64 &- index) &* corner &+ index &* high &+ 32) &>> 6)
      }
      unsafe smooth[128] = UInt16(truncatingIfNeeded: high)
      return
    }
  }
  unsafe smooth[0] = unsafe line[0]
  var index = 1
  if block.bitDepth <= 14 {
    let source = UnsafeRawPointer(line)
    let place = UnsafeMutableRawPointer(smooth)
    while index < last {
      let before = unsafe source.loadUnaligned(fromByteOffset: 2 &* index &- 2, as: SIMD8<UInt16>.self)
      let middle = unsafe source.loadUnaligned(fromByteOffset: 2 &* index, as: SIMD8<UInt16>.self)
      let after = unsafe source.loadUnaligned(fromByteOffset: 2 &* index &+ 2, as: SIMD8<UInt16>.self)
      let sum = before &+ middle &+ middle &+ after &+ SIMD8(repeating: 2)
      unsafe place.storeBytes(of: sum &>> 2, toByteOffset: 2 &* index, as: SIMD8<UInt16>.self)
      index &+= 8
    }
  } else {
    while index < last {
      let sum = unsafe Int32(line[index - 1]) &+ 2 &* Int32(line[index]) &+ Int32(line[index + 1]) &+ 2
      unsafe smooth[index] = UInt16(truncatingIfNeeded: sum &>> 2)
      index &+= 1
    }
  }
  unsafe smooth[last] = unsafe line[last]
}

// MARK: Modes

/// Stores as many lanes as the block has columns.
@inline(__always)
@unsafe private func store(_ value: SIMD8<UInt16>, _ target: UnsafeMutableRawPointer, isNarrow: Bool) {
  if isNarrow {
    let bits = unsafe unsafeBitCast(value, to: SIMD2<UInt64>.self)
    unsafe target.storeBytes(of: bits[0], as: UInt64.self)
  } else {
    unsafe target.storeBytes(of: value, as: SIMD8<UInt16>.self)
  }
}

private let columnNumbers = SIMD8<UInt16>(0, 1, 2, 3, 4, 5, 6, 7)

/// Interpolates between opposite neighbours (section 8.4.4.2.4).
@inline(__always)
@unsafe private func predictPlanar(_ target: Samples, _ corner: Samples, _ block: IntraBlock) {
  let size = 1 &<< block.log2Size
  let (right, below) = unsafe (corner[size + 1], corner[-size - 1])
  let top = unsafe UnsafeRawPointer(corner + 1)
  if block.bitDepth <= 10 {
    let isNarrow = size == 4
    let shift = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: block.log2Size &+ 1))
    for y in 0..<size {
      let row = unsafe UnsafeMutableRawPointer(target + y &* block.stride)
      let left = unsafe SIMD8<UInt16>(repeating: corner[-1 - y])
      let topWeight = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: size &- 1 &- y))
      let base = SIMD8<UInt16>(
        repeating: UInt16(truncatingIfNeeded: y &+ 1) &* below &+ UInt16(truncatingIfNeeded: size))
      var x = 0
      while x < size {
        let columns = columnNumbers &+ SIMD8(repeating: UInt16(truncatingIfNeeded: x &+ 1))
        let above = unsafe top.loadUnaligned(fromByteOffset: 2 &* x, as: SIMD8<UInt16>.self)
        let mirrored = SIMD8(repeating: UInt16(truncatingIfNeeded: size)) &- columns
        let sum = mirrored &* left &+ columns &* SIMD8(repeating: right) &+ above &* topWeight &+ base
        unsafe store(sum &>> shift, row + 2 &* x, isNarrow: isNarrow)
        x &+= 8
      }
    }
    return
  }
  for y in 0..<size {
    let row = unsafe target + y &* block.stride
    let left = unsafe Int32(corner[-1 - y])
    for x in 0..<size {
      let horizontal =
        Int32(truncatingIfNeeded: size &- 1 &- x) &* left
        &+ Int32(truncatingIfNeeded: x &+ 1) &* Int32(right)
      let vertical =
        unsafe Int32(truncatingIfNeeded: size &- 1 &- y) &* Int32(corner[1 + x])
        &+ Int32(truncatingIfNeeded: y &+ 1) &* Int32(below)
      let sum = horizontal &+ vertical &+ Int32(truncatingIfNeeded: size)
      unsafe row[x] = UInt16(truncatingIfNeeded: sum &>> Int32(truncatingIfNeeded: block.log2Size &+ 1))
    }
  }
}

/// The mean of the neighbours (section 8.4.4.2.5).
@inline(__always)
@unsafe private func predictMean(_ target: Samples, _ corner: Samples, _ block: IntraBlock) {
  let size = 1 &<< block.log2Size
  var sum = UInt32(truncatingIfNeeded: size)
  for index in 1...size { unsafe sum = sum &+ UInt32(corner[index]) &+ UInt32(corner[-index]) }
  let mean = UInt16(truncatingIfNeeded: sum &>> UInt32(truncatingIfNeeded: block.log2Size &+ 1))
  let value = SIMD8<UInt16>(repeating: mean)
  for y in 0..<size {
    let row = unsafe UnsafeMutableRawPointer(target + y &* block.stride)
    var x = 0
    while x < size {
      unsafe store(value, row + 2 &* x, isNarrow: size == 4)
      x &+= 8
    }
  }
  guard block.blendsEdges else { return }
  let wide = UInt32(mean)
  unsafe target.pointee = UInt16(
    truncatingIfNeeded: (UInt32(corner[1]) &+ UInt32(corner[-1]) &+ 2 &* wide &+ 2) &>> 2)
  for index in 1..<size {
    unsafe target[index] = UInt16(truncatingIfNeeded: (UInt32(corner[index + 1]) &+ 3 &* wide &+ 2) &>> 2)
    unsafe target[index &* block.stride] = UInt16(
      truncatingIfNeeded: (UInt32(corner[-1 - index]) &+ 3 &* wide &+ 2) &>> 2)
  }
}

/// Directions from the top: modes 18…34 (section 8.4.4.2.6).
@inline(__always)
@unsafe private func predictFromTop(_ target: Samples, _ corner: Samples, _ scratch: Samples, _ block: IntraBlock) {
  let size = 1 &<< block.log2Size
  let angle = Int(angles[block.mode & 63])
  var reference = unsafe corner
  if angle < 0 {
    unsafe reference = unsafe scratch + 40
    for index in 0...size { unsafe reference[index] = unsafe corner[index] }
    unsafe extend(reference, size: size, angle: angle, mode: block.mode) { unsafe corner[-$0] }
  }
  unsafe predictRows(target, stride: block.stride, reference, size: size, angle: angle, bitDepth: block.bitDepth)
  guard block.mode == 26, block.blendsEdges else { return }
  let maximum = Int32(1) &<< Int32(truncatingIfNeeded: block.bitDepth) &- 1
  let (first, base) = unsafe (Int32(corner[1]), Int32(corner[0]))
  for y in 0..<size {
    let value = unsafe first &+ (Int32(corner[-1 - y]) &- base) &>> 1
    unsafe target[y &* block.stride] = UInt16(truncatingIfNeeded: min(max(value, 0), maximum))
  }
}

/// Directions from the left: modes 2…17.
@inline(__always)
@unsafe private func predictFromLeft(_ target: Samples, _ corner: Samples, _ scratch: Samples, _ block: IntraBlock) {
  let size = 1 &<< block.log2Size
  let angle = Int(angles[block.mode & 63])
  let reference = unsafe scratch + 40
  let count = angle < 0 ? size : 2 &* size
  for index in 0...count { unsafe reference[index] = unsafe corner[-index] }
  if angle < 0 { unsafe extend(reference, size: size, angle: angle, mode: block.mode) { unsafe corner[$0] } }
  let mirror = unsafe scratch + 160
  unsafe predictRows(mirror, stride: 32, reference, size: size, angle: angle, bitDepth: block.bitDepth)
  unsafe transposeBlock(mirror, target, stride: block.stride, size: size)
  guard block.mode == 10, block.blendsEdges else { return }
  let maximum = Int32(1) &<< Int32(truncatingIfNeeded: block.bitDepth) &- 1
  let (first, base) = unsafe (Int32(corner[-1]), Int32(corner[0]))
  for x in 0..<size {
    let value = unsafe first &+ (Int32(corner[1 + x]) &- base) &>> 1
    unsafe target[x] = UInt16(truncatingIfNeeded: min(max(value, 0), maximum))
  }
}

/// Projects the neighbours of the other side onto the extension of the reference.
@inline(__always)
@unsafe private func extend(
  _ reference: Samples, size: Int, angle: Int, mode: Int, _ side: (_ distance: Int) -> UInt16
) {
  let last = (size &* angle) &>> 5
  guard last < -1 else { return }
  let inverse = Int(inverseAngles[(mode &- 11) & 15])
  var index = -1
  while index >= last {
    unsafe reference[index] = side((0 &- index &* inverse &+ 128) &>> 8)
    index &-= 1
  }
}

/// Rows of samples interpolated between neighbours of the reference.
@inline(__always)
@unsafe private func predictRows(
  _ target: Samples, stride: Int, _ reference: Samples, size: Int, angle: Int, bitDepth: Int
) {
  var position = 0
  for y in 0..<size {
    position &+= angle
    let fraction = position & 31
    let row = unsafe UnsafeMutableRawPointer(target + y &* stride)
    let source = unsafe UnsafeRawPointer(reference + (position &>> 5 &+ 1))
    if fraction == 0 {
      var x = 0
      while x < size {
        unsafe store(
          source.loadUnaligned(fromByteOffset: 2 &* x, as: SIMD8<UInt16>.self), row + 2 &* x, isNarrow: size == 4)
        x &+= 8
      }
    } else if bitDepth <= 10 {
      let second = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: fraction))
      let first = SIMD8<UInt16>(repeating: 32) &- second
      var x = 0
      while x < size {
        let a = unsafe source.loadUnaligned(fromByteOffset: 2 &* x, as: SIMD8<UInt16>.self)
        let b = unsafe source.loadUnaligned(fromByteOffset: 2 &* x &+ 2, as: SIMD8<UInt16>.self)
        let sum = a &* first &+ b &* second &+ SIMD8(repeating: 16)
        unsafe store(sum &>> 5, row + 2 &* x, isNarrow: size == 4)
        x &+= 8
      }
    } else {
      let samples = unsafe row.assumingMemoryBound(to: UInt16.self)
      let neighbours = unsafe source.assumingMemoryBound(to: UInt16.self)
      let weight = UInt32(truncatingIfNeeded: fraction)
      for x in 0..<size {
        let sum = unsafe (32 &- weight) &* UInt32(neighbours[x]) &+ weight &* UInt32(neighbours[x + 1]) &+ 16
        unsafe samples[x] = UInt16(truncatingIfNeeded: sum &>> 5)
      }
    }
  }
}
