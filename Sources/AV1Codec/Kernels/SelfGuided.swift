// The self-guided filter (sections 7.17.2 and 7.17.3), eight samples at once.

internal import VectorLanes

/// One of two passes.
struct SelfGuidedPass {
  /// 0 for a pass that is not used.
  let radius: Int
  let strength: Int
}

/// Working memory in units of 32 bits: a row of sums of columns, rows of A and of B, and the results of the first pass.
enum SelfGuidedMemory {
  /// Values in a row, which has one column on both sides of a part.
  static let stride = 144
  private static let rowCount = 66

  /// Sums of columns and A have 16 bits, the others 32.
  static let sums = 0
  static let squares = stride / 2
  static let scales = squares + stride
  static let offsets = scales + rowCount * stride / 2
  static let results = offsets + rowCount * stride
  static let count = results + 64 * stride
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
        let (usesFirst, usesSecond) = (passes.0.radius > 0, passes.1.radius > 0)
        let mixer = unsafe SelfGuidedMixer(
          weights, usesFirst: usesFirst, usesSecond: usesSecond, bitDepth: bitDepth, output + block.index,
          stride: block.stride, width: width)
        if usesFirst {
          unsafe filter.measure(passes.0, rowStep: 2)
          if usesSecond {
            unsafe filter.combineOddRows { unsafe filter.storeResults($3, row: $0, column: $1) }
          } else {
            unsafe filter.combineOddRows { unsafe mixer.mix($0, $1, $2, $3, nil) }
          }
        }
        if usesSecond {
          unsafe filter.measure(passes.1, rowStep: 1)
          if usesFirst {
            unsafe filter.combineAllRows {
              unsafe mixer.mix($0, $1, $2, $3, filter.results(row: $0, column: $1))
            }
          } else {
            unsafe filter.combineAllRows { unsafe mixer.mix($0, $1, $2, $3, nil) }
          }
        }
      }
    }
  }
}

@safe private struct SelfGuidedLanes {
  let window: UnsafePointer<UInt16>
  let memory: UnsafeMutablePointer<Int32>
  let width: Int
  let height: Int
  /// Bits per sample less 8.
  let depthShift: Int32

  private static var stride: Int { SelfGuidedMemory.stride }

  /// Loads eight values of 32 bits.
  @inline(__always)
  @unsafe private func loadWide(_ start: Int, _ index: Int) -> WideValues {
    let source = unsafe UnsafeRawPointer(memory + (start &+ index))
    return unsafe WideValues(
      source.loadUnaligned(as: Int32x4.self), source.loadUnaligned(fromByteOffset: 16, as: Int32x4.self))
  }

  @inline(__always)
  @unsafe private func store(_ values: WideValues, _ start: Int, _ index: Int) {
    let target = unsafe UnsafeMutableRawPointer(memory + (start &+ index))
    unsafe target.storeBytes(of: values.low, as: Int32x4.self)
    unsafe target.storeBytes(of: values.high, toByteOffset: 16, as: Int32x4.self)
  }

  /// Loads eight values of 16 bits.
  @inline(__always)
  @unsafe private func load(_ start: Int, _ index: Int) -> Int16x8 {
    unsafe UnsafeRawPointer(memory + start).loadUnaligned(fromByteOffset: index &* 2, as: Int16x8.self)
  }

  @inline(__always)
  @unsafe private func store(_ values: Int16x8, _ start: Int, _ index: Int) {
    unsafe UnsafeMutableRawPointer(memory + start).storeBytes(of: values, toByteOffset: index &* 2, as: Int16x8.self)
  }

  @inline(__always)
  @unsafe func storeResults(_ values: WideValues, row: Int, column: Int) {
    unsafe store(values, SelfGuidedMemory.results, row &* Self.stride &+ column)
  }

  @inline(__always)
  @unsafe func results(row: Int, column: Int) -> WideValues {
    unsafe loadWide(SelfGuidedMemory.results, row &* Self.stride &+ column)
  }

  /// Computes A and B for the part and one row and column around it, in every row or every second one.
  @inline(__always)
  @unsafe func measure(_ pass: SelfGuidedPass, rowStep: Int) {
    let numbers = BoxNumbers(pass, depthShift)
    var row = 0
    while row < height &+ 2 {
      // The box of row 0 has the row above the part, which is row 2 of the window, in its middle.
      let first = unsafe window + (row &+ 2 &- pass.radius) &* RestorationWindow.stride
      if pass.radius == 2 {
        unsafe sumColumns(first, rowCount: 5)
        unsafe measureRow(row, numbers, side: 5)
      } else {
        unsafe sumColumns(first, rowCount: 3)
        unsafe measureRow(row, numbers, side: 3)
      }
      row &+= rowStep
    }
  }

  /// Sums three or five rows of the window, and their squares, column by column.
  @inline(__always)
  @unsafe private func sumColumns(_ rows: UnsafePointer<UInt16>, rowCount: Int) {
    var column = 0
    while column < width &+ 6 {
      @inline(__always)
      func line(_ index: Int) -> Int16x8 {
        unsafe UnsafeRawPointer(rows + (index &* RestorationWindow.stride &+ column)).loadUnaligned(as: Int16x8.self)
      }
      @inline(__always)
      func squares(_ a: Int16x8, _ b: Int16x8) -> WideValues {
        let (low, high) = (interleaveLow16(a, b), interleaveHigh16(a, b))
        return WideValues(multiplyAddPairs(low, low), multiplyAddPairs(high, high))
      }
      let (a, b, c) = (line(0), line(1), line(2))
      if rowCount == 5 {
        let (d, e) = (line(3), line(4))
        unsafe store(((a &+ b) &+ (c &+ d)) &+ e, SelfGuidedMemory.sums, column)
        unsafe store(squares(a, b) &+ squares(c, d) &+ squares(e, Int16x8()), SelfGuidedMemory.squares, column)
      } else {
        unsafe store((a &+ b) &+ c, SelfGuidedMemory.sums, column)
        unsafe store(squares(a, b) &+ squares(c, Int16x8()), SelfGuidedMemory.squares, column)
      }
      column &+= 8
    }
  }

  /// Computes a row of A and B from the sums of columns.
  @inline(__always)
  @unsafe private func measureRow(_ row: Int, _ numbers: BoxNumbers, side: Int) {
    var column = 0
    while column < width &+ 2 {
      let first = column &+ 2 &- side / 2
      var square = unsafe loadWide(SelfGuidedMemory.squares, first)
      for offset in 1..<side { unsafe square = square &+ loadWide(SelfGuidedMemory.squares, first &+ offset) }
      let sum = unsafe sumOfColumns(first, side)
      let low = numbers.box(sum.low, square.low, side: side)
      let high = numbers.box(sum.high, square.high, side: side)
      let index = row &* Self.stride &+ column
      unsafe store(packSaturating(low.scale, high.scale), SelfGuidedMemory.scales, index)
      unsafe store(WideValues(low.offset, high.offset), SelfGuidedMemory.offsets, index)
      column &+= 8
    }
  }

  @inline(__always)
  @unsafe private func sumOfColumns(_ first: Int, _ side: Int) -> WideValues {
    if depthShift <= 2 {
      var sum = unsafe load(SelfGuidedMemory.sums, first)
      for offset in 1..<side { unsafe sum &+= load(SelfGuidedMemory.sums, first &+ offset) }
      return WideValues(
        int32x4(interleaveLow16(sum, Int16x8())), int32x4(interleaveHigh16(sum, Int16x8())))
    }
    // Sums of 25 samples of 12 bits have 17.
    var sum = WideValues(Int32x4(), Int32x4())
    for offset in 0..<side {
      let values = unsafe load(SelfGuidedMemory.sums, first &+ offset)
      let wide = WideValues(
        int32x4(interleaveLow16(values, Int16x8())), int32x4(interleaveHigh16(values, Int16x8())))
      sum = sum &+ wide
    }
    return sum
  }

  /// Eight samples of the part.
  @inline(__always)
  @unsafe private func samples(_ row: Int, _ column: Int) -> Int16x8 {
    let index = (row &+ RestorationWindow.border) &* RestorationWindow.stride &+ column &+ RestorationWindow.border
    return unsafe UnsafeRawPointer(window + index).loadUnaligned(as: Int16x8.self)
  }

  /// The first pass: even rows use those of A and B above and below, odd rows their own.
  ///
  /// - Parameter use: takes the row, the column, eight samples and their results.
  @inline(__always)
  @unsafe func combineOddRows(_ use: (Int, Int, Int16x8, WideValues) -> Void) {
    for row in 0..<height {
      let above = row &* Self.stride
      let (own, below) = (above &+ Self.stride, above &+ 2 &* Self.stride)
      let isEven = row & 1 == 0
      var column = 0
      while column < width {
        @inline(__always)
        func scale(_ offset: Int) -> Int16x8 {
          let index = column &+ offset
          if !isEven { return unsafe load(SelfGuidedMemory.scales, own &+ index) }
          return unsafe load(SelfGuidedMemory.scales, above &+ index) &+ load(SelfGuidedMemory.scales, below &+ index)
        }
        @inline(__always)
        func shift(_ offset: Int) -> WideValues {
          let index = column &+ offset
          if !isEven { return unsafe loadWide(SelfGuidedMemory.offsets, own &+ index) }
          return unsafe loadWide(SelfGuidedMemory.offsets, above &+ index)
            &+ loadWide(SelfGuidedMemory.offsets, below &+ index)
        }
        // Weights of 5, 6 and 5.
        let (scaleMiddle, shiftMiddle) = (scale(1), shift(1))
        let scales = scale(0) &+ scaleMiddle &+ scale(2)
        let shifts = shift(0) &+ shiftMiddle &+ shift(2)
        let a = scales &<< 2 &+ scales &+ scaleMiddle
        let b = WideValues(shifts.low &<< 2, shifts.high &<< 2) &+ shifts &+ shiftMiddle
        let samples = unsafe samples(row, column)
        let sum = WideValues(productOf: a, samples) &+ b
        use(row, column, samples, isEven ? sum.rounded(9) : sum.rounded(8))
        column &+= 8
      }
    }
  }

  /// The second pass: weights of 3 in the corners and of 4 elsewhere.
  ///
  /// - Parameter use: takes the row, the column, eight samples and their results.
  @inline(__always)
  @unsafe func combineAllRows(_ use: (Int, Int, Int16x8, WideValues) -> Void) {
    for row in 0..<height {
      let above = row &* Self.stride
      let (own, below) = (above &+ Self.stride, above &+ 2 &* Self.stride)
      var column = 0
      while column < width {
        @inline(__always)
        func scale(_ row: Int, _ offset: Int) -> Int16x8 {
          unsafe load(SelfGuidedMemory.scales, row &+ column &+ offset)
        }
        @inline(__always)
        func shift(_ row: Int, _ offset: Int) -> WideValues {
          unsafe loadWide(SelfGuidedMemory.offsets, row &+ column &+ offset)
        }
        let scaleCorners = (scale(above, 0) &+ scale(above, 2)) &+ (scale(below, 0) &+ scale(below, 2))
        let scaleCross = (scale(above, 1) &+ scale(below, 1)) &+ (scale(own, 0) &+ scale(own, 2)) &+ scale(own, 1)
        let shiftCorners = (shift(above, 0) &+ shift(above, 2)) &+ (shift(below, 0) &+ shift(below, 2))
        let shiftCross = (shift(above, 1) &+ shift(below, 1)) &+ (shift(own, 0) &+ shift(own, 2)) &+ shift(own, 1)
        let a = (scaleCorners &+ scaleCross) &<< 2 &- scaleCorners
        let all = shiftCorners &+ shiftCross
        let b = WideValues(all.low &<< 2, all.high &<< 2) &- shiftCorners
        let samples = unsafe samples(row, column)
        use(row, column, samples, (WideValues(productOf: a, samples) &+ b).rounded(9))
        column &+= 8
      }
    }
  }
}

/// The constants of boxes of one size.
private struct BoxNumbers {
  private let scale: UInt32
  private let reciprocal: UInt32
  private let depthShift: Int32

  @inline(__always)
  init(_ pass: SelfGuidedPass, _ depthShift: Int32) {
    let n = (2 &* pass.radius &+ 1) &* (2 &* pass.radius &+ 1)
    let scaled = n &* n &* pass.strength
    scale = UInt32((1 &<< 20 &+ scaled / 2) / scaled)
    reciprocal = UInt32((4096 &+ n / 2) / n)
    self.depthShift = depthShift
  }

  /// A and B of four boxes.
  @inline(__always)
  func box(_ sum: Int32x4, _ square: Int32x4, side: Int) -> (scale: Int32x4, offset: Int32x4) {
    let squareHalf = Int32x4(repeating: (1 &<< (2 &* depthShift)) / 2)
    let sumHalf = Int32x4(repeating: (1 &<< depthShift) / 2)
    let a = shiftRight(square &+ squareHalf, by: 2 &* depthShift)
    let d = shiftRight(sum &+ sumHalf, by: depthShift)
    let excess = (side == 3 ? a &<< 3 &+ a : a &<< 4 &+ a &<< 3 &+ a) &- multiplyAddPairs(int16x8(d), int16x8(d))
    let p = unsigned(excess & ~shiftRight(excess, by: 31))
    // Products have 32 bits at most, and their upper 12 are less than 4096.
    let excessive = signed((p &* scale &+ 1 &<< 19) &>> 20)
    let z = int32x4(minimum(int16x8(excessive), int16x8(Int32x4(repeating: 255))))
    // `a2`: 256 · z / (z + 1), rounded, but at least 1, and 256 for 255. The quotients of such small numbers never
    // round up to an integer.
    let quotient = truncate(convertToFloat(z &<< 8 &+ shiftRight(z, by: 1)) / convertToFloat(z &+ 1))
    let scale =
      int32x4(maximum(int16x8(quotient), int16x8(Int32x4(repeating: 1)))) &+ shiftRight(z &+ 1, by: 8)
    let rest = 256 &- scale
    // Sums of 12 bits exceed 16.
    let product =
      depthShift <= 2
      ? unsigned(multiplyAddPairs(int16x8(rest), int16x8(sum))) &* reciprocal
      : unsigned(rest) &* (unsigned(sum) &* reciprocal)
    return (scale, signed((product &+ 2048) &>> 12))
  }
}

// SAFETY: all types have 16 bytes, and every bit pattern is valid.
@inline(__always)
private func unsigned(_ vector: Int32x4) -> SIMD4<UInt32> { unsafe unsafeBitCast(vector, to: SIMD4<UInt32>.self) }
@inline(__always)
private func signed(_ vector: SIMD4<UInt32>) -> Int32x4 { unsafe unsafeBitCast(vector, to: Int32x4.self) }
