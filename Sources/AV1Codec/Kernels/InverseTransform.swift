// The two-dimensional inverse transforms (section 7.13.3): rows, then columns, eight at once.

/// Working memory of an inverse transform: 64 lanes, and a block of 64 × 64 intermediate values.
package let transformScratchByteCount = 64 * 32 + 64 * 64 * 4

extension TransformSize {
  /// `Transform_Row_Shift`: the logarithm of the divisor of row transforms.
  @inline(__always)
  var rowShift: Int32 {
    let sum = log2Width &+ log2Height
    return sum <= 5 ? 0 : sum == 6 || sum == 7 || sum == 9 || sum == 11 ? 1 : 2
  }
}

/// The coefficients of a transform block.
package struct CoefficientBlock {
  package let size: TransformSize
  package let type: TransformType
  /// The number of columns and rows, from the first on, outside of which all coefficients are zero; 1…32.
  package let columnCount: Int
  package let rowCount: Int
  /// The sum of the magnitudes of all coefficients, or more.
  package let magnitude: Int

  package init(size: TransformSize, type: TransformType, columnCount: Int, rowCount: Int, magnitude: Int) {
    (self.size, self.type, self.columnCount, self.rowCount) = (size, type, columnCount, rowCount)
    self.magnitude = magnitude
  }

  /// Whether no intermediate value exceeds 16 bits, so that it is the same with 16 bits as with more. Each one is a sum
  /// of coefficients with factors of at most 2 for transforms of rows and of columns by cosines or sines, and of at
  /// most 4 for each identity.
  @inline(__always)
  fileprivate var isSmall: Bool {
    let hasIdentity = type.horizontal == .identity || type.vertical == .identity
    return magnitude <= (hasIdentity ? 1024 : 8192)
  }
}

/// Inverts a transform and adds the residuals to samples.
///
/// - Parameters:
///   - coefficients: column by column, with at most 32 rows each. Those of `block` are set to zero.
///   - scratch: ``transformScratchByteCount`` bytes.
///   - index: of the block's first sample.
///   - bitDepth: 8, 10 or 12.
@inline(never)
package func addInverseTransform(
  _ block: CoefficientBlock, _ coefficients: inout MutableSpan<Int32>, _ scratch: inout MutableSpan<Int32>,
  to samples: inout MutableSpan<UInt16>, at index: Int, stride: Int, bitDepth: Int
) {
  let (width, height) = (block.size.width, block.size.height)
  precondition(
    index >= 0 && stride >= width && stride < 1 << 24 && height <= 64
      && index <= samples.count &- (height &- 1) &* stride &- width
      && coefficients.count >= min(width, 32) &* min(height, 32) && scratch.count >= transformScratchByteCount / 4
      && block.columnCount > 0 && block.columnCount <= min(width, 32) && block.rowCount > 0
      && block.rowCount <= min(height, 32) && bitDepth >= 8 && bitDepth <= 12, "the block is present")
  // SAFETY: the rows of the block are in the samples, its coefficients and its intermediate values in their memory, by
  // the precondition; lanes are loaded and stored for as many columns as the block has.
  unsafe coefficients.withUnsafeMutableBufferPointer { coefficients in
    unsafe scratch.withUnsafeMutableBufferPointer { scratch in
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        guard let input = coefficients.baseAddress, let work = scratch.baseAddress,
          let output = samples.baseAddress
        else { return }
        let target = unsafe UnsafeMutableRawPointer(output + index)
        if bitDepth == 8 || block.isSmall {
          unsafe BlockTransform<NarrowLanes>(block, work, bitDepth: bitDepth).perform(
            input, target, stride: stride &* 2)
        } else {
          unsafe BlockTransform<WideLanes>(block, work, bitDepth: bitDepth).perform(
            input, target, stride: stride &* 2)
        }
      }
    }
  }
}

/// The inverse transform of one block.
@safe private struct BlockTransform<Lanes: TransformLanes> {
  let block: CoefficientBlock
  let line: LaneBuffer<Lanes>
  /// Intermediate values: for each group of eight columns, all rows, where the transform of columns needs them.
  let middle: LaneBuffer<Lanes>
  let rowRange: LaneRange
  let columnRange: LaneRange
  let maximum: Int16

  init(_ block: CoefficientBlock, _ scratch: UnsafeMutablePointer<Int32>, bitDepth: Int) {
    self.block = block
    let memory = UnsafeMutableRawPointer(scratch)
    unsafe line = LaneBuffer(base: memory)
    unsafe middle = LaneBuffer(base: memory + 64 * 32)
    rowRange = LaneRange(bitCount: bitDepth &+ 8)
    columnRange = LaneRange(bitCount: max(bitDepth &+ 6, 16))
    maximum = 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1
  }

  @inline(__always)
  @unsafe func perform(_ coefficients: UnsafeMutablePointer<Int32>, _ target: UnsafeMutableRawPointer, stride: Int) {
    let height = block.size.height
    let storedRowCount = min(height, 32)
    let all = inputPositions
    unsafe all.withUnsafeBufferPointer { all in
      guard let positions = all.baseAddress else { return }
      let columns = unsafe positions + firstInputPosition(block.size.log2Width, block.type.horizontal)
      let rows = unsafe positions + firstInputPosition(block.size.log2Height, block.type.vertical)
      var row = 0
      while row < block.rowCount {
        unsafe transformRows(coefficients + row, rowCount: storedRowCount, row, columns, rows)
        row &+= 8
      }
      for group in 0..<(block.size.width &+ 7) &>> 3 {
        let buffer = unsafe LaneBuffer<Lanes>(base: middle.base + group &* height &* Lanes.byteCount)
        for empty in min(row, height)..<height { unsafe buffer[Int(rows[empty])] = .zero }
        unsafe transformColumns(buffer, target + group &* 16, stride: stride)
      }
    }
  }

  /// Transforms eight rows, or four, and stores the columns that result.
  ///
  /// - Parameters:
  ///   - columns, rows: where the inputs of both transforms have to be.
  @inline(__always)
  @unsafe private func transformRows(
    _ coefficients: UnsafeMutablePointer<Int32>, rowCount: Int, _ row: Int, _ columns: UnsafePointer<UInt8>,
    _ rows: UnsafePointer<UInt8>
  ) {
    let n = block.size.log2Width
    let isScaled = abs(n &- block.size.log2Height) == 1
    for column in 0..<block.columnCount {
      let source = unsafe UnsafeMutableRawPointer(coefficients + column &* rowCount)
      var lanes: Lanes
      if rowCount == 4 {
        lanes = unsafe .loadFour(coefficients: source)
        unsafe source.storeBytes(of: SIMD4(), as: SIMD4<Int32>.self)
      } else {
        lanes = unsafe .load(coefficients: source)
        unsafe source.storeBytes(of: SIMD8(), as: SIMD8<Int32>.self)
      }
      if isScaled { lanes = lanes.scaled(by: 2896, shift: 0) }
      unsafe line[Int(columns[column])] = lanes
    }
    for column in block.columnCount..<1 &<< n { unsafe line[Int(columns[column])] = .zero }
    let kind = block.type.horizontal
    unsafe transformLine(line, n, kind, rowRange, shift: block.size.rowShift)
    let outputs = TransformOutputs(n, kind)
    if outputs.isPermuted {
      unsafe storeColumns(row, outputs, isPermuted: true, rows)
    } else {
      unsafe storeColumns(row, outputs, isPermuted: false, rows)
    }
  }

  /// Transposes the results of eight rows, or four.
  @inline(__always)
  @unsafe private func storeColumns(
    _ row: Int, _ outputs: TransformOutputs, isPermuted: Bool, _ rows: UnsafePointer<UInt8>
  ) {
    let (width, height) = (block.size.width, block.size.height)
    let shift = block.type.horizontal == .identity ? 0 : 0 &- block.size.rowShift
    /// A result of the row transform, limited to the range of column transforms.
    @inline(__always)
    func result(_ index: Int) -> Lanes {
      let value = unsafe outputs.value(line, index, isPermuted: isPermuted)
      return (shift == 0 ? value : value.shifted(by: shift)).clamped(columnRange)
    }
    var c = 0
    while c < width {
      let isHalf = width == 4
      let columns = Lanes.transpose(
        (
          result(c), result(c &+ 1), result(c &+ 2), result(c &+ 3), isHalf ? .zero : result(c &+ 4),
          isHalf ? .zero : result(c &+ 5), isHalf ? .zero : result(c &+ 6), isHalf ? .zero : result(c &+ 7)
        ))
      let first = (c &>> 3) &* height
      unsafe middle[first &+ Int(rows[row])] = columns.0
      unsafe middle[first &+ Int(rows[row &+ 1])] = columns.1
      unsafe middle[first &+ Int(rows[row &+ 2])] = columns.2
      unsafe middle[first &+ Int(rows[row &+ 3])] = columns.3
      if height > 4 {
        unsafe middle[first &+ Int(rows[row &+ 4])] = columns.4
        unsafe middle[first &+ Int(rows[row &+ 5])] = columns.5
        unsafe middle[first &+ Int(rows[row &+ 6])] = columns.6
        unsafe middle[first &+ Int(rows[row &+ 7])] = columns.7
      }
      c &+= 8
    }
  }

  /// Transforms eight columns, or four, in place and adds the results to samples.
  @inline(__always)
  @unsafe private func transformColumns(_ buffer: LaneBuffer<Lanes>, _ target: UnsafeMutableRawPointer, stride: Int) {
    let n = block.size.log2Height
    unsafe transformLine(buffer, n, block.type.vertical, columnRange, shift: 4)
    let outputs = TransformOutputs(n, block.type.vertical)
    if outputs.isPermuted {
      unsafe addResiduals(buffer, outputs, isPermuted: true, target, stride: stride)
    } else {
      unsafe addResiduals(buffer, outputs, isPermuted: false, target, stride: stride)
    }
  }

  @inline(__always)
  @unsafe private func addResiduals(
    _ buffer: LaneBuffer<Lanes>, _ outputs: TransformOutputs, isPermuted: Bool, _ target: UnsafeMutableRawPointer,
    stride: Int
  ) {
    let isShifted = block.type.vertical != .identity
    let isNarrow = block.size.log2Width == 2
    var samples = unsafe target
    for row in 0..<block.size.height {
      let value = unsafe outputs.value(buffer, row, isPermuted: isPermuted)
      let residuals = isShifted ? value.shifted(by: -4) : value
      if isNarrow {
        unsafe residuals.addFour(to: samples, maximum: maximum)
      } else {
        unsafe residuals.add(to: samples, maximum: maximum)
      }
      unsafe samples += stride
    }
  }

  /// - Parameter shift: the logarithm of the divisor of results, which identity transforms include in their scale.
  @inline(never)
  @unsafe private func transformLine(
    _ line: LaneBuffer<Lanes>, _ n: Int, _ kind: Transform1D, _ range: LaneRange, shift: Int32
  ) {
    switch (kind, n) {
    case (.dct, 2): unsafe line.invertCosine4(range)
    case (.dct, 3): unsafe line.invertCosine8(range)
    case (.dct, 4): unsafe line.invertCosine16(range)
    case (.dct, 5): unsafe line.invertCosine32(range)
    case (.dct, _): unsafe line.invertCosine64(range)
    case (.identity, 2): for i in 0..<4 { line[i] = line[i].scaled(by: 5793, shift: shift) }
    case (.identity, 3): for i in 0..<8 { line[i] = line[i].shifted(by: 1 &- shift) }
    case (.identity, 4): for i in 0..<16 { line[i] = line[i].scaled(by: 11586, shift: shift) }
    case (.identity, _): for i in 0..<32 { line[i] = line[i].shifted(by: 2 &- shift) }
    case (_, 2): unsafe line.invertSine4()
    case (_, 3): unsafe line.invertSine8(range)
    case (_, _): unsafe line.invertSine16(range)
    }
  }
}
