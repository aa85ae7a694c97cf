// Inverse transforms (section 8.6.4.2): columns, then rows, each as sums of products of pairs of coefficients. The even
// half of a transform is the transform of half the size.

internal import VectorLanes

/// Samples of working memory that ``invertTransform(_:_:into:log2Size:columnCount:rowCount:bitDepth:)`` needs.
package let transformScratchCount = 1024 + 32 * 8 + 32 * 16 + 32 * 16

private typealias Longs = SIMD4<Int32>

/// Two coefficients in each word.
@inline(__always)
private func pair(_ first: Int16, _ second: Int16) -> Int16x8 {
  let bits = UInt32(UInt16(bitPattern: first)) | UInt32(UInt16(bitPattern: second)) &<< 16
  return pair(Int32(bitPattern: bits))
}
@inline(__always)
private func pair(_ bits: Int32) -> Int16x8 {
  // SAFETY: both types are 16 bytes of which every bit pattern is valid.
  unsafe unsafeBitCast(SIMD4<Int32>(repeating: bits), to: Int16x8.self)
}

/// Inverts the cosine transform of a block of 8, 16 or 32 columns.
///
/// - Parameters:
///   - coefficients: in raster order.
///   - residuals: in raster order.
///   - columnCount, rowCount: outside of these all coefficients are zero.
@inline(never)
package func invertTransform(
  _ coefficients: Span<Int16>, _ scratch: inout MutableSpan<Int16>, into residuals: inout MutableSpan<Int16>,
  log2Size: Int, columnCount: Int, rowCount: Int, bitDepth: Int
) {
  let size = 1 &<< log2Size
  precondition(
    log2Size >= 3 && log2Size <= 5 && coefficients.count >= size &* size && residuals.count >= size &* size
      && scratch.count >= transformScratchCount && columnCount > 0 && columnCount <= size && rowCount > 0
      && rowCount <= size && bitDepth >= 8 && bitDepth <= 16, "the block is present")
  // SAFETY: groups of eight columns start below the size, and rows are below it; the working memory holds a block of 32
  // × 32 and what eight columns need.
  unsafe coefficients.withUnsafeBufferPointer { coefficients in
    unsafe scratch.withUnsafeMutableBufferPointer { scratch in
      unsafe residuals.withUnsafeMutableBufferPointer { residuals in
        guard let input = coefficients.baseAddress, let middle = scratch.baseAddress, let output = residuals.baseAddress
        else { return }
        let work = unsafe UnsafeMutableRawPointer(middle + 1024)
        let shift = Int32(truncatingIfNeeded: 20 &- bitDepth)
        if log2Size == 3 {
          unsafe invertEight(UnsafeRawPointer(input), pitch: 16, shift: 7).store(work, pitch: 16)
          unsafe invertEight(UnsafeRawPointer(work), pitch: 16, shift: shift).store(
            UnsafeMutableRawPointer(output), pitch: 16)
          return
        }
        unsafe transposeColumns(
          input, middle, log2Size: log2Size, columnCount: columnCount, rowCount: rowCount, work)
        var group = 0
        while group < size {
          unsafe invertColumns(
            UnsafeRawPointer(middle + group), pitch: 2 &* size, limit: columnCount, log2Size: log2Size, shift: shift,
            work)
          unsafe transposeRows(work, UnsafeMutableRawPointer(output + group &* size), size: size)
          group &+= 8
        }
      }
    }
  }
}

/// Inverts the cosine transform of a block of 8, 16 or 32 columns whose residuals exceed 16 bits.
///
/// - Parameters:
///   - coefficients: in raster order.
///   - residuals: in raster order.
///   - factorPairs: for each column of the block, the factors of two frequencies each, the lower one in the low 16 bits.
///   - columnCount, rowCount: multiples of 4; outside of these all coefficients are zero.
@inline(never)
package func invertWideTransform(
  _ coefficients: Span<Int16>, _ scratch: inout MutableSpan<Int16>, into residuals: inout MutableSpan<Int32>,
  factorPairs: Span<Int32>, log2Size: Int, columnCount: Int, rowCount: Int, bitDepth: Int
) {
  let size = 1 &<< log2Size
  precondition(
    log2Size >= 3 && log2Size <= 5 && coefficients.count >= size &* size && residuals.count >= size &* size
      && scratch.count >= transformScratchCount && factorPairs.count >= size &* size / 2 && columnCount > 0
      && columnCount <= size && columnCount & 3 == 0 && rowCount > 0 && rowCount <= size && bitDepth >= 8
      && bitDepth <= 16, "the block is present")
  // SAFETY: groups of eight columns start below the size, and rows are below it; the working memory holds a block of 32
  // × 32 and what eight columns, or 16 pairs of eight rows, need.
  unsafe coefficients.withUnsafeBufferPointer { coefficients in
    unsafe scratch.withUnsafeMutableBufferPointer { scratch in
      unsafe residuals.withUnsafeMutableBufferPointer { residuals in
        unsafe factorPairs.withUnsafeBufferPointer { factorPairs in
          guard let input = coefficients.baseAddress, let middle = scratch.baseAddress,
            let output = residuals.baseAddress, let factors = factorPairs.baseAddress
          else { return }
          let work = unsafe UnsafeMutableRawPointer(middle + 1024)
          // The columns become rows of the working memory.
          if log2Size == 3 {
            unsafe invertEight(UnsafeRawPointer(input), pitch: 16, shift: 7).store(
              UnsafeMutableRawPointer(middle), pitch: 16)
          } else {
            unsafe transposeColumns(
              input, middle, log2Size: log2Size, columnCount: columnCount, rowCount: rowCount, work)
          }
          var row = 0
          while row < size {
            unsafe invertWideRows(
              UnsafeRawPointer(middle + row), output + row &* size, factors, size: size, columnCount: columnCount,
              shift: Int32(truncatingIfNeeded: 20 &- bitDepth), work)
            row &+= 8
          }
        }
      }
    }
  }
}

/// The second stage of eight rows, as sums of 32 bits.
///
/// - Parameters:
///   - input: the columns, in each of which the eight rows are adjacent.
///   - work: room for the pairs of columns, 32 bytes each.
@inline(__always)
@unsafe private func invertWideRows(
  _ input: UnsafeRawPointer, _ output: UnsafeMutablePointer<Int32>, _ factors: UnsafePointer<Int32>, size: Int,
  columnCount: Int, shift: Int32, _ work: UnsafeMutableRawPointer
) {
  let pairCount = columnCount &>> 1
  for index in 0..<pairCount {
    let upper = unsafe input.loadUnaligned(fromByteOffset: 4 &* index &* size, as: Int16x8.self)
    let lower = unsafe input.loadUnaligned(fromByteOffset: (4 &* index &+ 2) &* size, as: Int16x8.self)
    unsafe work.storeBytes(of: interleaveLow16(upper, lower), toByteOffset: 32 &* index, as: Int16x8.self)
    unsafe work.storeBytes(of: interleaveHigh16(upper, lower), toByteOffset: 32 &* index &+ 16, as: Int16x8.self)
  }
  let counts = Longs(repeating: shift)
  let rounding = Longs(repeating: 1 &<< (shift &- 1))
  var column = 0
  while column < size {
    var (low, high) = (rounding, rounding)
    let base = column &* (size &>> 1)
    for index in 0..<pairCount {
      let factor = unsafe pair(factors[base &+ index])
      low = low &+ multiplyAddPairs(unsafe work.loadUnaligned(fromByteOffset: 32 &* index, as: Int16x8.self), factor)
      high =
        high &+ multiplyAddPairs(unsafe work.loadUnaligned(fromByteOffset: 32 &* index &+ 16, as: Int16x8.self), factor)
    }
    (low, high) = (low &>> counts, high &>> counts)
    for lane in 0..<4 {
      unsafe output[lane &* size &+ column] = low[lane]
      unsafe output[(lane &+ 4) &* size &+ column] = high[lane]
    }
    column &+= 1
  }
}

/// The first stage of a block of 16 or 32 columns, which become rows of `middle`.
@inline(__always)
@unsafe private func transposeColumns(
  _ input: UnsafePointer<Int16>, _ middle: UnsafeMutablePointer<Int16>, log2Size: Int, columnCount: Int, rowCount: Int,
  _ work: UnsafeMutableRawPointer
) {
  let size = 1 &<< log2Size
  var group = 0
  while group < columnCount {
    unsafe invertColumns(
      UnsafeRawPointer(input + group), pitch: 2 &* size, limit: rowCount, log2Size: log2Size, shift: 7, work)
    unsafe transposeRows(work, UnsafeMutableRawPointer(middle + group &* size), size: size)
    group &+= 8
  }
}

/// Rows of eight lanes to columns.
@inline(__always)
@unsafe private func transposeRows(_ work: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, size: Int) {
  var row = 0
  while row < size {
    let square = unsafe WordSquare(UnsafeRawPointer(work + row &* 16), pitch: 16).transposed()
    unsafe square.store(target + row &* 2, pitch: 2 &* size)
    row &+= 8
  }
}

/// The sums and differences of the halves, shifted.
@inline(__always)
private func combine(
  _ evenLow: Longs, _ evenHigh: Longs, _ oddLow: Longs, _ oddHigh: Longs, _ shift: Longs
) -> (Int16x8, Int16x8) {
  (
    packSaturating((evenLow &+ oddLow) &>> shift, (evenHigh &+ oddHigh) &>> shift),
    packSaturating((evenLow &- oddLow) &>> shift, (evenHigh &- oddHigh) &>> shift)
  )
}

/// The transform of eight columns of eight rows, transposed.
@inline(__always)
@unsafe private func invertEight(_ input: UnsafeRawPointer, pitch: Int, shift: Int32) -> WordSquare {
  let rows = unsafe WordSquare(input, pitch: pitch)
  let counts = Longs(repeating: shift)
  let rounding = Longs(repeating: 1 &<< (shift &- 1))
  let (low04, high04) = (interleaveLow16(rows.r0, rows.r4), interleaveHigh16(rows.r0, rows.r4))
  let (low26, high26) = (interleaveLow16(rows.r2, rows.r6), interleaveHigh16(rows.r2, rows.r6))
  let (low13, high13) = (interleaveLow16(rows.r1, rows.r3), interleaveHigh16(rows.r1, rows.r3))
  let (low57, high57) = (interleaveLow16(rows.r5, rows.r7), interleaveHigh16(rows.r5, rows.r7))
  let sum = pair(64, 64)
  let difference = pair(64, -64)
  let (a0, b0) = (multiplyAddPairs(low04, sum) &+ rounding, multiplyAddPairs(high04, sum) &+ rounding)
  let (a1, b1) = (multiplyAddPairs(low04, difference) &+ rounding, multiplyAddPairs(high04, difference) &+ rounding)
  let (c0, d0) = (multiplyAddPairs(low26, pair(83, 36)), multiplyAddPairs(high26, pair(83, 36)))
  let (c1, d1) = (multiplyAddPairs(low26, pair(36, -83)), multiplyAddPairs(high26, pair(36, -83)))
  @inline(__always) func odd(_ first: Int16x8, _ second: Int16x8) -> (Longs, Longs) {
    (
      multiplyAddPairs(low13, first) &+ multiplyAddPairs(low57, second),
      multiplyAddPairs(high13, first) &+ multiplyAddPairs(high57, second)
    )
  }
  let o0 = odd(pair(89, 75), pair(50, 18))
  let o1 = odd(pair(75, -18), pair(-89, -50))
  let o2 = odd(pair(50, -89), pair(18, 75))
  let o3 = odd(pair(18, -50), pair(75, -89))
  let (x0, x7) = combine(a0 &+ c0, b0 &+ d0, o0.0, o0.1, counts)
  let (x1, x6) = combine(a1 &+ c1, b1 &+ d1, o1.0, o1.1, counts)
  let (x2, x5) = combine(a1 &- c1, b1 &- d1, o2.0, o2.1, counts)
  let (x3, x4) = combine(a0 &- c0, b0 &- d0, o3.0, o3.1, counts)
  return WordSquare(x0, x1, x2, x3, x4, x5, x6, x7).transposed()
}

/// The transform of eight columns of 16 or 32 rows.
///
/// - Parameters:
///   - limit: rows from here on are zero.
///   - work: gets the rows, sixteen bytes each; after 512 bytes there is room for what is in between.
@inline(__always)
@unsafe private func invertColumns(
  _ input: UnsafeRawPointer, pitch: Int, limit: Int, log2Size: Int, shift: Int32, _ work: UnsafeMutableRawPointer
) {
  let size = 1 &<< log2Size
  let even = unsafe work + 512
  let pairs = unsafe work + 1536
  let rounding = Longs(repeating: 1 &<< (shift &- 1))
  @inline(__always) func row(_ index: Int) -> Int16x8 {
    index < limit ? unsafe input.loadUnaligned(fromByteOffset: index &* pitch, as: Int16x8.self) : Int16x8()
  }
  let (first, second) = (row(0), row(size &>> 1))
  let (low, high) = (interleaveLow16(first, second), interleaveHigh16(first, second))
  let (sum, difference) = (pair(64, 64), pair(64, -64))
  unsafe even.storeBytes(of: multiplyAddPairs(low, sum) &+ rounding, as: Longs.self)
  unsafe even.storeBytes(of: multiplyAddPairs(high, sum) &+ rounding, toByteOffset: 16, as: Longs.self)
  unsafe even.storeBytes(of: multiplyAddPairs(low, difference) &+ rounding, toByteOffset: 32, as: Longs.self)
  unsafe even.storeBytes(of: multiplyAddPairs(high, difference) &+ rounding, toByteOffset: 48, as: Longs.self)

  var length = 4
  while length <= size {
    let step = size / length
    // Pairs of odd rows that are not all zero.
    let pairCount = limit <= step ? 0 : min(length &>> 2, (limit &- step &- 1) / (4 &* step) &+ 1)
    for index in 0..<pairCount {
      let (upper, lower) = (row((4 &* index &+ 1) &* step), row((4 &* index &+ 3) &* step))
      unsafe pairs.storeBytes(of: interleaveLow16(upper, lower), toByteOffset: 32 &* index, as: Int16x8.self)
      unsafe pairs.storeBytes(of: interleaveHigh16(upper, lower), toByteOffset: 32 &* index &+ 16, as: Int16x8.self)
    }
    let table = length == 4 ? 0 : length == 8 ? 8 : length == 16 ? 16 : 48
    let half = length &>> 1
    let isLast = length == size
    let counts = Longs(repeating: shift)
    var column = 0
    while column < half {
      var (oddLow, oddHigh) = (Longs(), Longs())
      let base = table &+ column &* (length &>> 2)
      for index in 0..<pairCount {
        let factors = pair(oddTransformPairs[(base &+ index) & 255])
        let low = unsafe pairs.loadUnaligned(fromByteOffset: 32 &* index, as: Int16x8.self)
        let high = unsafe pairs.loadUnaligned(fromByteOffset: 32 &* index &+ 16, as: Int16x8.self)
        oddLow = oddLow &+ multiplyAddPairs(low, factors)
        oddHigh = oddHigh &+ multiplyAddPairs(high, factors)
      }
      let evenLow = unsafe even.loadUnaligned(fromByteOffset: 32 &* column, as: Longs.self)
      let evenHigh = unsafe even.loadUnaligned(fromByteOffset: 32 &* column &+ 16, as: Longs.self)
      let mirror = length &- 1 &- column
      if isLast {
        let (near, far) = combine(evenLow, evenHigh, oddLow, oddHigh, counts)
        unsafe work.storeBytes(of: near, toByteOffset: 16 &* column, as: Int16x8.self)
        unsafe work.storeBytes(of: far, toByteOffset: 16 &* mirror, as: Int16x8.self)
      } else {
        unsafe even.storeBytes(of: evenLow &+ oddLow, toByteOffset: 32 &* column, as: Longs.self)
        unsafe even.storeBytes(of: evenHigh &+ oddHigh, toByteOffset: 32 &* column &+ 16, as: Longs.self)
        unsafe even.storeBytes(of: evenLow &- oddLow, toByteOffset: 32 &* mirror, as: Longs.self)
        unsafe even.storeBytes(of: evenHigh &- oddHigh, toByteOffset: 32 &* mirror &+ 16, as: Longs.self)
      }
      column &+= 1
    }
    length &*= 2
  }
}

/// Inverts the transform of a block of 4 × 4: the cosine transform, or the sine transform of luma.
@inline(never)
package func invertSmallTransform(
  _ coefficients: Span<Int16>, into residuals: inout MutableSpan<Int16>, isSine: Bool, bitDepth: Int
) {
  precondition(
    coefficients.count >= 16 && residuals.count >= 16 && bitDepth >= 8 && bitDepth <= 16, "the block is present")
  // SAFETY: the precondition.
  unsafe coefficients.withUnsafeBufferPointer { coefficients in
    unsafe residuals.withUnsafeMutableBufferPointer { residuals in
      guard let input = coefficients.baseAddress, let output = residuals.baseAddress else { return }
      let source = unsafe UnsafeRawPointer(input)
      let target = UnsafeMutableRawPointer(output)
      let upper = unsafe source.loadUnaligned(as: Int16x8.self)
      let lower = unsafe source.loadUnaligned(fromByteOffset: 16, as: Int16x8.self)
      let middle = isSine ? invertSine(upper, lower, 7) : invertCosine(upper, lower, 7)
      let shift = Int32(truncatingIfNeeded: 20 &- bitDepth)
      let result =
        isSine ? invertSine(middle.0, middle.1, shift) : invertCosine(middle.0, middle.1, shift)
      unsafe target.storeBytes(of: result.0, as: Int16x8.self)
      unsafe target.storeBytes(of: result.1, toByteOffset: 16, as: Int16x8.self)
    }
  }
}

/// Two rows in each vector, transformed as columns and transposed.
@inline(__always)
private func invertCosine(_ upper: Int16x8, _ lower: Int16x8, _ shift: Int32) -> (Int16x8, Int16x8) {
  let even = interleaveLow16(upper, lower)
  let odd = interleaveHigh16(upper, lower)
  let rounding = Longs(repeating: 1 &<< (shift &- 1))
  let e0 = multiplyAddPairs(even, pair(64, 64)) &+ rounding
  let e1 = multiplyAddPairs(even, pair(64, -64)) &+ rounding
  let o0 = multiplyAddPairs(odd, pair(83, 36))
  let o1 = multiplyAddPairs(odd, pair(36, -83))
  return transposeFour(e0 &+ o0, e1 &+ o1, e1 &- o1, e0 &- o0, shift)
}

@inline(__always)
private func invertSine(_ upper: Int16x8, _ lower: Int16x8, _ shift: Int32) -> (Int16x8, Int16x8) {
  let even = interleaveLow16(upper, lower)
  let odd = interleaveHigh16(upper, lower)
  let rounding = Longs(repeating: 1 &<< (shift &- 1))
  @inline(__always) func sum(_ first: Int16x8, _ second: Int16x8) -> Longs {
    multiplyAddPairs(even, first) &+ multiplyAddPairs(odd, second) &+ rounding
  }
  return transposeFour(
    sum(pair(29, 84), pair(74, 55)), sum(pair(55, -29), pair(74, -84)), sum(pair(74, -74), pair(0, 74)),
    sum(pair(84, 55), pair(-74, -29)), shift)
}

@inline(__always)
private func transposeFour(_ r0: Longs, _ r1: Longs, _ r2: Longs, _ r3: Longs, _ shift: Int32) -> (Int16x8, Int16x8) {
  let counts = Longs(repeating: shift)
  let first = packSaturating(r0 &>> counts, r1 &>> counts)
  let second = packSaturating(r2 &>> counts, r3 &>> counts)
  // 00 20 01 21 02 22 03 23, 10 30 11 31 …
  let even = interleaveLow16(first, second)
  let odd = interleaveHigh16(first, second)
  return (interleaveLow16(even, odd), interleaveHigh16(even, odd))
}
