// The coefficients of a transform block (section 5.11.39) and their contexts (section 8.3.2).

internal import ImageCoding

extension TileDecoder {
  /// The location of a transform block, in samples and in units of its plane.
  struct TransformBlock {
    let plane: Int
    let x: Int
    let y: Int
    let size: TransformSize

    @inline(__always)
    var column: Int { x &>> 2 }
    @inline(__always)
    var row: Int { y &>> 2 }
  }

  /// Reads and dequantizes the coefficients of a transform block.
  ///
  /// - Returns: `nil` if all are zero.
  mutating func readCoefficients(_ transform: TransformBlock, _ bytes: Span<UInt8>) -> CoefficientBlock? {
    let size = transform.size
    let sizeContext = (size.shorterSide &+ size.longerSide &+ 1) &>> 1
    let plane = transform.plane
    let (zeroContext, signContext) = neighbourContexts(transform)
    guard !symbols.decodeFlag(CDFIndex.allZero &+ sizeContext &* 13 &+ zeroContext, contexts, bytes) else {
      setLevels(transform, 0)
      if plane == 0, block.isCopied { setTransformType(.dct, transform) }
      return nil
    }
    let type = plane == 0 ? readTransformType(transform, bytes) : chromaTransformType(transform)
    let kind = sizeContext &* 2 &+ (plane > 0 ? 1 : 0)
    let endOfBlock = readEndOfBlock(size, type, kind, isChroma: plane > 0, bytes)
    let count = readLevels(size, type, kind, endOfBlock: endOfBlock, bytes)
    let extent = readSigns(transform, type, count: count, signContext, bytes)
    setLevels(transform, extent.level)
    return CoefficientBlock(
      size: size, type: type, columnCount: extent.columns, rowCount: extent.rows,
      magnitude: extent.magnitude)
  }

  /// The contexts of `all_zero` and of `dc_sign`.
  private mutating func neighbourContexts(_ transform: TransformBlock) -> (zero: Int, sign: Int) {
    let (plane, size) = (transform.plane, transform.size)
    let firstAbove = above.levelIndex(plane, transform.column)
    let firstLeft = left.levelIndex(plane, leftIndex(transform))
    let aboveLevels = above.levels.span
    let leftLevels = left.levels.span
    var (aboveLevel, leftLevel) = (0, 0)
    var (aboveBits, leftBits) = (0, 0)
    var sign = 0
    for index in firstAbove..<firstAbove &+ size.columns {
      let value = Int(aboveLevels[index])
      aboveLevel = max(aboveLevel, value & 63)
      aboveBits |= value
      sign &+= (value &>> 7) &- (value &>> 6 & 1)
    }
    for index in firstLeft..<firstLeft &+ size.rows {
      let value = Int(leftLevels[index])
      leftLevel = max(leftLevel, value & 63)
      leftBits |= value
      sign &+= (value &>> 7) &- (value &>> 6 & 1)
    }
    let signContext = sign < 0 ? 1 : sign > 0 ? 2 : 0
    if plane > 0 {
      let chroma = block.size.subsampled(parameters.subsamplingX, parameters.subsamplingY)
      let isPart = chroma.width &* chroma.height > size.width &* size.height
      return ((isPart ? 10 : 7) &+ (aboveBits != 0 ? 1 : 0) &+ (leftBits != 0 ? 1 : 0), signContext)
    }
    if block.size.width == size.width, block.size.height == size.height { return (0, signContext) }
    let (larger, smaller) = (max(aboveLevel, leftLevel), min(aboveLevel, leftLevel))
    if larger == 0 { return (1, signContext) }
    if smaller == 0 { return (larger > 3 ? 3 : 2, signContext) }
    return (larger <= 3 ? 4 : smaller <= 3 ? 5 : 6, signContext)
  }

  /// The index of the first unit of a transform block among those to the left of its superblock.
  @inline(__always)
  private mutating func leftIndex(_ transform: TransformBlock) -> Int {
    let shift = transform.plane == 0 ? 0 : parameters.subsamplingY
    return transform.row & (31 &>> shift)
  }

  /// Sets the level contexts of units in the frame. Those outside of it stay zero.
  @inline(__always)
  private mutating func setLevels(_ transform: TransformBlock, _ value: UInt8) {
    let (shiftX, shiftY) = parameters.shifts(transform.plane)
    let columns = min(transform.size.columns, parameters.columns &>> shiftX &- transform.column)
    let rows = min(transform.size.rows, parameters.rows &>> shiftY &- transform.row)
    above.setLevels(transform.plane, at: transform.column, count: columns, value)
    left.setLevels(transform.plane, at: leftIndex(transform), count: rows, value)
  }

  /// The number of coefficients to the last one that is not zero.
  private mutating func readEndOfBlock(
    _ size: TransformSize, _ type: TransformType, _ kind: Int, isChroma: Bool, _ bytes: Span<UInt8>
  ) -> Int {
    let log2Count = min(size.log2Width, 5) &+ min(size.log2Height, 5) &- 4
    let plane = isChroma ? 1 : 0
    let group =
      log2Count < 5
      ? CDFIndex.endOfBlock &+ ((log2Count &* 2 &+ plane) &* 2 &+ (type.coefficientClass == 0 ? 0 : 1)) &* 4
      : CDFIndex.endOfLargeBlock &+ ((log2Count &- 5) &* 2 &+ plane) &* 4
    let symbol = symbols.decodeSymbol16(group, count: log2Count &+ 5, contexts, bytes)
    guard symbol > 1 else { return symbol &+ 1 }
    let bitCount = symbol &- 1
    var extra = 0
    let extraGroup = CDFIndex.endOfBlockExtra &+ kind &* 9 &+ symbol &- 2
    if symbols.decodeFlag(extraGroup, contexts, bytes) { extra = 1 &<< (bitCount &- 1) }
    extra |= symbols.decodeLiteral(bitCount &- 1, bytes)
    return 1 &<< bitCount &+ 1 &+ extra
  }

  /// Reads the levels of coefficients, at most 15, the last one first.
  ///
  /// - Returns: the number of those that are not zero.
  private mutating func readLevels(
    _ size: TransformSize, _ type: TransformType, _ kind: Int, endOfBlock: Int, _ bytes: Span<UInt8>
  ) -> Int {
    let (columns, rows) = (min(size.width, 32), min(size.height, 32))
    let stride = rows &+ ScanOrders.levelPadding
    let coefficientClass = type.coefficientClass
    let order = ScanOrders.shared.order(size, coefficientClass)
    let scan = order.span
    let third = coefficientClass == 0 ? stride &+ 1 : coefficientClass == 1 ? 2 &* stride : 2
    let fourth = coefficientClass == 0 ? 2 &* stride : coefficientClass == 1 ? 3 &* stride : 3
    let fifth = coefficientClass == 0 ? 2 : coefficientClass == 1 ? 4 &* stride : 4
    let baseGroup = CDFIndex.base &+ kind &* 42
    let rangeGroup = CDFIndex.baseRange &+ min(kind, 7) &* 21 &- (kind > 7 && kind & 1 == 0 ? 21 : 0)
    let contexts = contexts
    var symbols = symbols
    if endOfBlock > 1 { coefficients.clearLevels(count: stride &* (columns &+ ScanOrders.levelPadding)) }

    var entry = scan[endOfBlock &- 1]
    let endContext =
      endOfBlock == 1
      ? 0 : endOfBlock &- 1 <= columns &* rows / 8 ? 1 : endOfBlock &- 1 <= columns &* rows / 4 ? 2 : 3
    var level =
      symbols.decodeSymbol4(CDFIndex.baseEnd &+ kind &* 4 &+ endContext, count: 3, contexts, bytes) &+ 1
    if level > 2 {
      level = Self.readRange(rangeGroup &+ Int(entry &>> 27), &symbols, contexts, bytes)
    }
    coefficients.levels[Int(entry &>> 10 & 2047)] = Self.packedLevel(level)
    coefficients.nonzero[0] = entry
    coefficients.nonzeroLevels[0] = UInt8(truncatingIfNeeded: level)
    var count = 1
    var position = endOfBlock &- 2
    while position >= 0 {
      entry = scan[position]
      let index = Int(entry &>> 10 & 2047)
      let near =
        coefficients.level(index &+ 1) &+ coefficients.level(index &+ stride) &+ coefficients.level(index &+ third)
      let all = near &+ coefficients.level(index &+ fourth) &+ coefficients.level(index &+ fifth)
      let magnitude = all > 512 ? 4 : (all &+ 64) &>> 7
      let isFirst = position == 0 && coefficientClass == 0
      let context = isFirst ? 0 : magnitude &+ Int(entry &>> 21 & 63)
      level = symbols.decodeSymbol4(baseGroup &+ context, count: 4, contexts, bytes)
      if level > 2 {
        let range = near & 63
        let rangeContext = (range > 12 ? 6 : (range &+ 1) &>> 1) &+ Int(entry &>> 27)
        level = Self.readRange(rangeGroup &+ rangeContext, &symbols, contexts, bytes)
      }
      coefficients.levels[index] = Self.packedLevel(level)
      coefficients.nonzero[count & 1023] = entry
      coefficients.nonzeroLevels[count & 1023] = UInt8(truncatingIfNeeded: level)
      count &+= level == 0 ? 0 : 1
      position &-= 1
    }
    self.symbols = symbols
    return count
  }

  @inline(__always)
  private static func packedLevel(_ level: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: level | min(level, 3) &<< 6)
  }

  /// The level of a coefficient whose level is at least 3; 15 if more follows.
  @inline(__always)
  private static func readRange(
    _ group: Int, _ symbols: inout SymbolDecoder, _ contexts: CDFContexts, _ bytes: Span<UInt8>
  ) -> Int {
    var level = 3
    for _ in 0..<4 {
      let increment = symbols.decodeSymbol4(group, count: 4, contexts, bytes)
      level &+= increment
      if increment < 3 { break }
    }
    return level
  }

  /// Reads signs and the rest of high levels, and dequantizes.
  ///
  /// - Returns: the columns and rows outside of which all coefficients are zero, the sum of their magnitudes and the
  ///   level context.
  private mutating func readSigns(
    _ transform: TransformBlock, _ type: TransformType, count: Int, _ signContext: Int, _ bytes: Span<UInt8>
  ) -> (columns: Int, rows: Int, magnitude: Int, level: UInt8) {
    let (plane, size) = (transform.plane, transform.size)
    let log2Rows = min(size.log2Height, 5)
    let rowMask = 1 &<< log2Rows &- 1
    let matrix = block.isLossless ? [] : coefficients.matrix(plane, size, type)
    let weights = matrix.span
    let (dcStep, acStep) = (block.dcSteps[plane], block.acSteps[plane])
    let area = size.log2Width &+ size.log2Height
    // `dqDenom` as a logarithm.
    let shift = area <= 8 ? 0 : area <= 10 ? 1 : 2
    let maximum = 1 &<< (parameters.bitDepth &+ 7) &- 1
    let contexts = contexts
    var symbols = symbols
    var (total, magnitudes, rowBits, columnBits) = (0, 0, 0, 0)
    var category = 0
    var index = count &- 1
    while index >= 0 {
      let position = Int(coefficients.nonzero[index & 1023] & 1023)
      var level = Int(coefficients.nonzeroLevels[index & 1023])
      let isNegative: Bool
      var step = acStep
      if position == 0 {
        let group = CDFIndex.dcSign &+ (plane > 0 ? 3 : 0) &+ signContext
        isNegative = symbols.decodeFlag(group, contexts, bytes)
        category = isNegative ? 1 : 2
        step = dcStep
      } else {
        isNegative = symbols.decodeBit(bytes) == 1
      }
      if level > 14 { level = (Self.readGolomb(&symbols, bytes) &+ 14) & 0xFFFFF }
      total &+= level
      if !weights.isEmpty { step = (step &* Int(weights[position]) &+ 16) &>> 5 }
      let magnitude = Int(truncatingIfNeeded: (Int64(level) &* Int64(step)) & 0xFF_FFFF) &>> shift
      magnitudes = min(magnitudes &+ magnitude, 0xFF_FFFF)
      let sign = isNegative ? -1 : 0
      let value = (min(magnitude, maximum &- sign) ^ sign) &- sign
      coefficients.values[position] = Int32(truncatingIfNeeded: value)
      rowBits |= position & rowMask
      columnBits |= position &>> log2Rows
      index &-= 1
    }
    self.symbols = symbols
    let columns = Int.bitWidth &- columnBits.leadingZeroBitCount
    let rows = Int.bitWidth &- rowBits.leadingZeroBitCount
    let level = UInt8(truncatingIfNeeded: min(total, 63) | category &<< 6)
    return (1 &<< columns, 1 &<< rows, magnitudes, level)
  }

  /// The code of what exceeds a level of 14. Codes of more than 20 bits are damage, and any value will do.
  private static func readGolomb(_ symbols: inout SymbolDecoder, _ bytes: Span<UInt8>) -> Int {
    var count = 0
    while count < 20, symbols.decodeBit(bytes) == 0 { count += 1 }
    return 1 << count | symbols.decodeLiteral(count, bytes)
  }
}
