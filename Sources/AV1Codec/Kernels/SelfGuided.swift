// The self-guided filter (sections 7.17.2 and 7.17.3), four or eight samples at once.

internal import VectorLanes

/// One of two passes.
struct SelfGuidedPass {
  /// 0 for a pass that is not used.
  let radius: Int
  let strength: Int
}

/// Working memory: rows of sums, of A and of B, and the results of both passes.
enum SelfGuidedMemory {
  /// Values in a row, which has one column on both sides of a part.
  static let stride = 144
  private static let rowCount = 66

  static let sums = 0
  static let squares = stride
  static let scales = 2 * stride
  static let offsets = scales + rowCount * stride
  static let first = offsets + rowCount * stride
  static let second = first + 64 * stride
  static let count = second + 64 * stride
}

/// Filters a part of a unit.
///
/// - Parameters:
///   - window: the part and three rows and columns around it, ``RestorationWindow/stride`` samples in a row.
///   - weights: of the first pass, and of the samples.
///   - memory: ``SelfGuidedMemory/count`` values.
@inline(never)
func restoreSelfGuided(
  _ window: Span<UInt16>, _ passes: (SelfGuidedPass, SelfGuidedPass), weights: (Int32, Int32),
  _ block: RestorationBlock, bitDepth: Int, _ memory: inout MutableSpan<Int32>, _ samples: inout MutableSpan<UInt16>
) {
  let (width, height) = (block.width, block.height)
  precondition(
    window.count >= RestorationWindow.sampleCount && memory.count >= SelfGuidedMemory.count && width > 0
      && width <= RestorationWindow.maximumWidth && height > 0 && height <= RestorationWindow.rowCount &- 6
      && block.index >= 0 && block.stride >= width && block.stride < 1 << 24
      && block.index <= samples.count &- (height &- 1) &* block.stride &- width && passes.0.radius <= 2
      && passes.1.radius <= 2, "the part is present")
  // SAFETY: groups of eight columns start below the width, at most 128, and rows of the window, of which 16 samples
  // follow the last one, and of the memory have 144 values. Results are stored for the columns of the part only.
  unsafe window.withUnsafeBufferPointer { window in
    unsafe memory.withUnsafeMutableBufferPointer { memory in
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        guard let base = window.baseAddress, let work = memory.baseAddress, let output = samples.baseAddress else {
          return
        }
        let filter = unsafe SelfGuidedLanes(
          window: base, memory: work, width: width, height: height, depthShift: Int32(bitDepth &- 8))
        if passes.0.radius > 0 {
          unsafe filter.measure(passes.0, rowStep: 2)
          unsafe filter.combineOddRows()
        }
        if passes.1.radius > 0 {
          unsafe filter.measure(passes.1, rowStep: 1)
          unsafe filter.combineAllRows()
        }
        unsafe filter.mix(
          weights, usesFirst: passes.0.radius > 0, usesSecond: passes.1.radius > 0, output + block.index,
          stride: block.stride)
      }
    }
  }
}

/// `a2` by z (section 7.17.3).
private let scalesByVariance: InlineArray<256, UInt32> = [
  1, 128, 171, 192, 205, 213, 219, 224, 228, 230, 233, 235, 236, 238, 239, 240, 241, 242, 243, 243, 244, 244, 245,
  245, 246, 246, 247, 247, 247, 247, 248, 248, 248, 248, 249, 249, 249, 249, 249, 250, 250, 250, 250, 250, 250, 250,
  251, 251, 251, 251, 251, 251, 251, 251, 251, 251, 252, 252, 252, 252, 252, 252, 252, 252, 252, 252, 252, 252, 252,
  252, 252, 252, 252, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 253,
  253, 253, 253, 253, 253, 253, 253, 253, 253, 253, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254,
  254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254,
  254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254, 254,
  254, 254, 254, 254, 254, 254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 256,
]

@safe private struct SelfGuidedLanes {
  let window: UnsafePointer<UInt16>
  let memory: UnsafeMutablePointer<Int32>
  let width: Int
  let height: Int
  /// Bits per sample less 8.
  let depthShift: Int32

  private static var stride: Int { SelfGuidedMemory.stride }

  @inline(__always)
  @unsafe private func load(_ index: Int) -> DoubleWords {
    unsafe UnsafeRawPointer(memory + index).loadUnaligned(as: DoubleWords.self)
  }

  @inline(__always)
  @unsafe private func store(_ values: DoubleWords, _ index: Int) {
    unsafe UnsafeMutableRawPointer(memory + index).storeBytes(of: values, as: DoubleWords.self)
  }

  /// Computes A and B for the part and one row and column around it, in every row or every second one.
  @inline(__always)
  @unsafe func measure(_ pass: SelfGuidedPass, rowStep: Int) {
    let side = 2 &* pass.radius &+ 1
    let n = side &* side
    let scaled = n &* n &* pass.strength
    let numbers = BoxNumbers(
      count: UInt32(n), scale: UInt32((1 &<< 20 &+ scaled / 2) / scaled), reciprocal: UInt32((4096 &+ n / 2) / n))
    var row = 0
    while row < height &+ 2 {
      // The box of row 0 has the row above the part, which is row 2 of the window, in its middle.
      unsafe sumColumns(window + (row &+ 2 &- pass.radius) &* RestorationWindow.stride, rowCount: side)
      var column = 0
      while column < width &+ 2 {
        let first = column &+ 2 &- pass.radius
        var sum = unsafe load(SelfGuidedMemory.sums &+ first)
        var square = unsafe load(SelfGuidedMemory.squares &+ first)
        for offset in 1..<side {
          unsafe sum &+= load(SelfGuidedMemory.sums &+ first &+ offset)
          unsafe square &+= load(SelfGuidedMemory.squares &+ first &+ offset)
        }
        let (scale, offset) = box(sum, square, numbers)
        unsafe store(scale, SelfGuidedMemory.scales &+ row &* Self.stride &+ column)
        unsafe store(offset, SelfGuidedMemory.offsets &+ row &* Self.stride &+ column)
        column &+= 4
      }
      row &+= rowStep
    }
  }

  private struct BoxNumbers {
    let count: UInt32
    let scale: UInt32
    let reciprocal: UInt32
  }

  /// Sums three or five rows of the window, and their squares, column by column.
  @inline(__always)
  @unsafe private func sumColumns(_ rows: UnsafePointer<UInt16>, rowCount: Int) {
    var column = 0
    while column < width &+ 6 {
      @inline(__always)
      func line(_ index: Int) -> Words {
        unsafe UnsafeRawPointer(rows + (index &* RestorationWindow.stride &+ column)).loadUnaligned(as: Words.self)
      }
      let ones = Words(repeating: 1)
      var (lowSum, highSum, lowSquare, highSquare) = (DoubleWords(), DoubleWords(), DoubleWords(), DoubleWords())
      @inline(__always)
      func add(_ a: Words, _ b: Words) {
        let (low, high) = (interleaveLow16(a, b), interleaveHigh16(a, b))
        lowSum &+= multiplyAddPairs(low, ones)
        highSum &+= multiplyAddPairs(high, ones)
        lowSquare &+= multiplyAddPairs(low, low)
        highSquare &+= multiplyAddPairs(high, high)
      }
      add(line(0), line(1))
      if rowCount == 5 {
        add(line(2), line(3))
        add(line(4), Words())
      } else {
        add(line(2), Words())
      }
      unsafe store(lowSum, SelfGuidedMemory.sums &+ column)
      unsafe store(highSum, SelfGuidedMemory.sums &+ column &+ 4)
      unsafe store(lowSquare, SelfGuidedMemory.squares &+ column)
      unsafe store(highSquare, SelfGuidedMemory.squares &+ column &+ 4)
      column &+= 8
    }
  }

  /// A and B of four boxes.
  @inline(__always)
  private func box(
    _ sum: DoubleWords, _ square: DoubleWords, _ numbers: BoxNumbers
  ) -> (scale: DoubleWords, offset: DoubleWords) {
    let squareHalf = DoubleWords(repeating: (1 &<< (2 &* depthShift)) / 2)
    let sumHalf = DoubleWords(repeating: (1 &<< depthShift) / 2)
    let a = shiftRight(square &+ squareHalf, by: 2 &* depthShift)
    let d = shiftRight(sum &+ sumHalf, by: depthShift)
    let excess = (numbers.count == 9 ? a &<< 3 &+ a : a &<< 4 &+ a &<< 3 &+ a) &- product(d, d)
    let p = unsigned(excess & ~shiftRight(excess, by: 31))
    // Products have 32 bits at most.
    let z = (p &* numbers.scale &+ 1 &<< 19) &>> 20
    let scale = SIMD4<UInt32>(
      scalesByVariance[Int(min(z.x, 255))], scalesByVariance[Int(min(z.y, 255))],
      scalesByVariance[Int(min(z.z, 255))], scalesByVariance[Int(min(z.w, 255))])
    let offset = ((256 &- scale) &* (unsigned(sum) &* numbers.reciprocal) &+ 2048) &>> 12
    return (signed(scale), signed(offset))
  }

  /// The weighted sum of three columns.
  @inline(__always)
  @unsafe private func line(_ index: Int, _ outer: Int32, _ inner: Int32) -> DoubleWords {
    unsafe (load(index) &+ load(index &+ 2)) &* outer &+ load(index &+ 1) &* inner
  }

  /// Four samples of the part.
  @inline(__always)
  @unsafe private func samples(_ row: Int, _ column: Int) -> DoubleWords {
    let index = (row &+ RestorationWindow.border) &* RestorationWindow.stride &+ column &+ RestorationWindow.border
    let four = unsafe UnsafeRawPointer(window + index).loadUnaligned(as: SIMD4<Int16>.self)
    return doubleWords(interleaveLow16(SIMD8(lowHalf: four, highHalf: SIMD4()), Words()))
  }

  /// Products of numbers that have 15 bits.
  @inline(__always)
  private func product(_ a: DoubleWords, _ b: DoubleWords) -> DoubleWords {
    multiplyAddPairs(words(a), words(b))
  }

  /// The first pass: even rows use those of A and B above and below, odd rows their own.
  @inline(__always)
  @unsafe func combineOddRows() {
    for row in 0..<height {
      let above = row &* Self.stride
      let own = above &+ Self.stride
      let below = own &+ Self.stride
      var column = 0
      while column < width {
        let (scales, offsets) = (SelfGuidedMemory.scales &+ column, SelfGuidedMemory.offsets &+ column)
        let target = SelfGuidedMemory.first &+ above &+ column
        if row & 1 == 0 {
          let a = unsafe line(scales &+ above, 5, 6) &+ line(scales &+ below, 5, 6)
          let b = unsafe line(offsets &+ above, 5, 6) &+ line(offsets &+ below, 5, 6)
          unsafe store(shiftRight(product(a, samples(row, column)) &+ b &+ 256, by: 9), target)
        } else {
          let (a, b) = unsafe (line(scales &+ own, 5, 6), line(offsets &+ own, 5, 6))
          unsafe store(shiftRight(product(a, samples(row, column)) &+ b &+ 128, by: 8), target)
        }
        column &+= 4
      }
    }
  }

  /// The second pass.
  @inline(__always)
  @unsafe func combineAllRows() {
    for row in 0..<height {
      let above = row &* Self.stride
      let own = above &+ Self.stride
      let below = own &+ Self.stride
      var column = 0
      while column < width {
        let (scales, offsets) = (SelfGuidedMemory.scales &+ column, SelfGuidedMemory.offsets &+ column)
        let a = unsafe weighted(scales &+ above, scales &+ own, scales &+ below)
        let b = unsafe weighted(offsets &+ above, offsets &+ own, offsets &+ below)
        let result = unsafe shiftRight(product(a, samples(row, column)) &+ b &+ 256, by: 9)
        unsafe store(result, SelfGuidedMemory.second &+ above &+ column)
        column &+= 4
      }
    }
  }

  /// Weights of 3 in the corners and of 4 elsewhere.
  @inline(__always)
  @unsafe private func weighted(_ above: Int, _ own: Int, _ below: Int) -> DoubleWords {
    let corners = unsafe load(above) &+ load(above &+ 2) &+ load(below) &+ load(below &+ 2)
    let cross = unsafe load(above &+ 1) &+ load(below &+ 1) &+ load(own) &+ load(own &+ 1) &+ load(own &+ 2)
    return (corners &+ cross) &<< 2 &- corners
  }

  /// Mixes the samples and the results of both passes.
  @inline(__always)
  @unsafe func mix(
    _ weights: (Int32, Int32), usesFirst: Bool, usesSecond: Bool, _ output: UnsafeMutablePointer<UInt16>, stride: Int
  ) {
    let (w0, w1) = weights
    let w2 = 128 &- w0 &- w1
    let largest = Words(repeating: 1 &<< Int16(truncatingIfNeeded: depthShift &+ 8) &- 1)
    // The weight of the samples includes those of passes that are not used.
    let own = w1 &+ (usesFirst ? 0 : w0) &+ (usesSecond ? 0 : w2)
    for row in 0..<height {
      var column = 0
      while column < width {
        let index = row &* Self.stride &+ column
        var sum = unsafe (samples(row, column) &<< 4) &* own &+ 1024
        if usesFirst { unsafe sum &+= load(SelfGuidedMemory.first &+ index) &* w0 }
        if usesSecond { unsafe sum &+= load(SelfGuidedMemory.second &+ index) &* w2 }
        let packed = packSaturating(shiftRight(sum, by: 11), DoubleWords())
        let result = minimum(maximum(packed, Words()), largest)
        let target = unsafe output + (row &* stride &+ column)
        if width &- column >= 4 {
          unsafe UnsafeMutableRawPointer(target).storeBytes(of: result.lowHalf, as: SIMD4<Int16>.self)
        } else {
          for lane in 0..<width &- column { unsafe target[lane] = UInt16(truncatingIfNeeded: result[lane]) }
        }
        column &+= 4
      }
    }
  }
}

// SAFETY: all types have 16 bytes, and every bit pattern is valid.
@inline(__always)
private func words(_ vector: DoubleWords) -> Words { unsafe unsafeBitCast(vector, to: Words.self) }
@inline(__always)
private func doubleWords(_ vector: Words) -> DoubleWords { unsafe unsafeBitCast(vector, to: DoubleWords.self) }
@inline(__always)
private func unsigned(_ vector: DoubleWords) -> SIMD4<UInt32> { unsafe unsafeBitCast(vector, to: SIMD4<UInt32>.self) }
@inline(__always)
private func signed(_ vector: SIMD4<UInt32>) -> DoubleWords { unsafe unsafeBitCast(vector, to: DoubleWords.self) }
