// The coefficients of a transform block (section 7.3.8.11), scaled as they are read (section 8.6.4.2).

/// The coding tools for residuals that a picture uses.
struct ResidualTools {
  /// `Log2MaxTransformSkipSize`; 0 if transform skip is disabled.
  var log2MaximumSkip = 0
  var hidesSigns = false
  var hasImplicitRDPCM = false
  var hasSingleSkipContext = false
  var adaptsRiceParameter = false
  var alignsBypass = false
}

/// The block whose coefficients are read.
struct ResidualBlock {
  /// 0 for luma, 1 for Cb, 2 for Cr.
  let component: Int
  let log2Size: Int
  /// The mode of the prediction.
  let mode: Int
  /// `cu_transquant_bypass_flag`.
  let isBypass: Bool
  /// 0 for diagonal, 1 for horizontal, 2 for vertical.
  var scan = 0
  /// The scale of a level of a coefficient of weight 1; each is multiplied by its weight.
  var scale: Int64 = 0
  /// The right shift after scaling.
  var shift: Int64 = 0
  /// Whether weights are those of scaling lists.
  var hasWeights = false

  init(component: Int, log2Size: Int, mode: Int, isBypass: Bool) {
    (self.component, self.log2Size, self.mode, self.isBypass) = (component, log2Size, mode, isBypass)
  }

  /// Whether the mode is exactly horizontal or vertical.
  var isStraight: Bool { mode == 10 || mode == 26 }
}

/// The part of a block that has coefficients.
struct ResidualExtent {
  /// Whether the coefficients are residuals.
  var isTransformSkipped = false
  /// Columns and rows, multiples of 4, outside of which all coefficients are zero.
  var columnCount = 0
  var rowCount = 0
  /// Whether only the first coefficient is coded.
  var isFirstOnly = false
}

/// Reads the coefficients of a block that has some.
///
/// - Parameters:
///   - weights: those of the block's size and component, in raster order; not used for flat weights.
///   - coefficients: zeros, in raster order; at least the size of the block.
@inline(never)
func readResidual(
  _ decoder: inout CABACDecoder, _ models: inout ContextModels, _ bytes: Span<UInt8>, _ block: ResidualBlock,
  _ tools: ResidualTools, weights: Span<UInt8>, into coefficients: inout MutableSpan<Int16>
) -> ResidualExtent {
  var cabac = decoder
  defer { decoder = cabac }
  let log2Size = block.log2Size
  let isChroma = block.component > 0
  precondition(log2Size >= 2 && log2Size <= 5 && coefficients.count >= 1 << (2 * log2Size), "the block is present")
  precondition(!block.hasWeights || weights.count >= 1 << (2 * log2Size), "the weights are present")

  var extent = ResidualExtent()
  if log2Size <= tools.log2MaximumSkip, !block.isBypass {
    extent.isTransformSkipped =
      cabac.decode(ContextIndex.transformSkip &+ (isChroma ? 1 : 0), &models, bytes) == 1
  }
  let isSpatial = extent.isTransformSkipped || block.isBypass
  let last = readLastPosition(&cabac, &models, bytes, block)
  extent.isFirstOnly = last.x | last.y == 0

  let scan = block.scan
  let layout = log2Size == 3 && scan > 0 ? 3 &+ scan : log2Size &- 2
  let lastSubblock = Int(subblockOrder[(layout &<< 6 | (last.y &>> 2) &<< 3 | last.x &>> 2) & 511])
  let lastInSubblock = Int(coefficientOrder[(scan &<< 4 | (last.y & 3) &<< 2 | last.x & 3) & 63])

  // The context of sig_coeff_flag: a base for the block, to which the place in the subblock is added.
  let significantBase = ContextIndex.significant &+ (isChroma ? 27 : 0)
  let hasSkipContext = tools.hasSingleSkipContext && isSpatial
  var sizeOffset = 0
  if log2Size == 3 {
    sizeOffset = isChroma ? 9 : scan == 0 ? 9 : 15
  } else if log2Size > 3 {
    sizeOffset = isChroma ? 12 : 21
  }
  let codedBase = ContextIndex.codedSubblock &+ (isChroma ? 2 : 0)
  let greater1Base = ContextIndex.greaterThan1 &+ (isChroma ? 16 : 0)
  let greater2Base = ContextIndex.greaterThan2 &+ (isChroma ? 4 : 0)
  let hidesSigns =
    tools.hidesSigns && !block.isBypass
    && !(tools.hasImplicitRDPCM && extent.isTransformSkipped && block.isStraight)
  let riceSet = (isChroma ? 0 : 2) &+ (isSpatial ? 1 : 0)

  let isWeighted = block.hasWeights && !(extent.isTransformSkipped && log2Size > 2)
  let flatScale = block.scale &* 16
  let rounding: Int64 = block.shift > 0 ? 1 &<< (block.shift &- 1) : 0

  var codedSubblocks: UInt64 = 0
  var greater1Context = 1
  var positions = InlineArray<16, UInt8>(repeating: 0)
  var subblock = lastSubblock
  while subblock >= 0 {
    defer { subblock &-= 1 }
    let place = Int(subblockPlaces[(layout &<< 6 | subblock) & 511])
    let (column, row) = (place & 7, place &>> 3)
    let neighbours = codedSubblocks &>> UInt64(truncatingIfNeeded: row &<< 3)
    let right = Int(truncatingIfNeeded: ((neighbours & 0xFF) &>> UInt64(truncatingIfNeeded: column &+ 1)) & 1)
    let below = Int(truncatingIfNeeded: ((neighbours &>> 8) &>> UInt64(truncatingIfNeeded: column)) & 1)
    var isInferred = false
    if subblock < lastSubblock, subblock > 0 {
      if cabac.decode(codedBase &+ (right | below), &models, bytes) == 0 { continue }
      isInferred = true
    }
    codedSubblocks |= 1 &<< UInt64(truncatingIfNeeded: place)

    // Which coefficients are not zero.
    var count = 0
    var start = 15
    if subblock == lastSubblock {
      positions[0] = UInt8(truncatingIfNeeded: lastInSubblock)
      count = 1
      start = lastInSubblock &- 1
    }
    if hasSkipContext {
      let context = ContextIndex.significant &+ (isChroma ? 43 : 42)
      while start > 0 || start == 0 && !(isInferred && count == 0) {
        positions[count & 15] = UInt8(truncatingIfNeeded: start)
        count &+= cabac.decode(context, &models, bytes)
        start &-= 1
      }
    } else {
      let pattern = log2Size == 2 ? 0 : 1 &+ right &+ below &<< 1
      let contexts = (scan &* 5 &+ pattern) &<< 4
      let base = significantBase &+ sizeOffset &+ (!isChroma && log2Size > 2 && subblock > 0 ? 3 : 0)
      while start > 0 {
        positions[count & 15] = UInt8(truncatingIfNeeded: start)
        count &+= cabac.decode(base &+ Int(significanceContexts[(contexts | start) & 255]), &models, bytes)
        start &-= 1
      }
      if start == 0, !(isInferred && count == 0) {
        let context = subblock == 0 ? significantBase : base &+ Int(significanceContexts[contexts & 255])
        positions[count & 15] = 0
        count &+= cabac.decode(context, &models, bytes)
        start = -1
      }
    }
    if start == 0 {
      positions[0] = 0
      count = 1
    }
    guard count > 0 else { continue }
    extent.columnCount = max(extent.columnCount, column &+ 1)
    extent.rowCount = max(extent.rowCount, row &+ 1)

    // Which levels are greater than 1, and whether the first of them is greater than 2.
    var contextSet = subblock == 0 || isChroma ? 0 : 2
    if subblock < lastSubblock, greater1Context == 0 { contextSet &+= 1 }
    greater1Context = 1
    let flagCount = min(count, 8)
    var greater1: UInt32 = 0
    var index = 0
    while index < flagCount {
      let bin = cabac.decode(greater1Base &+ contextSet &<< 2 &+ greater1Context, &models, bytes)
      greater1 |= UInt32(truncatingIfNeeded: bin) &<< UInt32(truncatingIfNeeded: index)
      // 0 once a level was greater, otherwise up to 3.
      let next = greater1Context == 0 ? 0 : min(greater1Context &+ 1, 3)
      greater1Context = bin == 1 ? 0 : next
      index &+= 1
    }
    let firstGreater = greater1 == 0 ? -1 : greater1.trailingZeroBitCount
    var greater2 = 0
    if firstGreater >= 0 { greater2 = cabac.decode(greater2Base &+ contextSet, &models, bytes) }

    let isHidden = hidesSigns && positions[0] &- positions[(count &- 1) & 15] > 3
    if tools.alignsBypass, count > 8 || greater1 & (greater1 &- 1) != 0 || greater2 == 1 { cabac.alignBypass() }
    let signCount = isHidden ? count &- 1 : count
    var signs = UInt32(truncatingIfNeeded: cabac.decodeBypass(count: signCount, bytes))
    signs &<<= UInt32(truncatingIfNeeded: 32 &- signCount)

    var rice = tools.adaptsRiceParameter ? Int(models.riceStatistics[riceSet]) / 4 : 0
    var isFirstRemaining = tools.adaptsRiceParameter
    var sum = 0
    let target = (row &<< (2 &+ log2Size)) &+ column &<< 2
    index = 0
    while index < count {
      var level: Int
      let threshold: Int
      if index < 8 {
        level = 1 &+ Int(truncatingIfNeeded: (greater1 &>> UInt32(truncatingIfNeeded: index)) & 1)
        if index == firstGreater {
          level &+= greater2
          threshold = 3
        } else {
          threshold = 2
        }
      } else {
        level = 1
        threshold = 1
      }
      if level == threshold {
        let remaining = cabac.decodeRemaining(rice: rice, bytes)
        level &+= remaining
        if level > 3 &<< rice { rice = tools.adaptsRiceParameter ? min(rice &+ 1, 20) : min(rice &+ 1, 4) }
        if isFirstRemaining {
          isFirstRemaining = false
          adaptRiceStatistics(&models.riceStatistics, riceSet, remaining)
        }
      }
      sum &+= level
      if isHidden, index == count &- 1, sum & 1 == 1 { level = 0 &- level }
      if Int32(bitPattern: signs) < 0 { level = 0 &- level }
      signs &<<= 1
      let place = Int(coefficientPlaces[(scan &<< 4 | Int(positions[index & 15])) & 63])
      let address = target &+ (place &>> 2) &<< log2Size &+ place & 3
      var value = Int64(level)
      if !block.isBypass {
        let scale = isWeighted ? block.scale &* Int64(weights[address]) : flatScale
        value = (value &* scale &+ rounding) &>> block.shift
      }
      coefficients[address] = Int16(truncatingIfNeeded: min(max(value, -32768), 32767))
      index &+= 1
    }
  }
  extent.columnCount &<<= 2
  extent.rowCount &<<= 2
  return extent
}

/// `StatCoeff` after the first remaining level of a subblock (section 9.3.4.2.6).
@inline(never)
private func adaptRiceStatistics(_ statistics: inout InlineArray<4, UInt8>, _ set: Int, _ remaining: Int) {
  let value = statistics[set]
  if remaining >= 3 << (Int(value) / 4) {
    statistics[set] = min(value + 1, 80)
  } else if 2 * remaining < 1 << (Int(value) / 4), value > 0 {
    statistics[set] = value - 1
  }
}

/// The place of the last coefficient in scanning order.
@inline(__always)
private func readLastPosition(
  _ cabac: inout CABACDecoder, _ models: inout ContextModels, _ bytes: Span<UInt8>, _ block: ResidualBlock
) -> (x: Int, y: Int) {
  let log2Size = block.log2Size
  let offset: Int
  let shift: Int
  if block.component == 0 {
    offset = 3 &* (log2Size &- 2) &+ (log2Size &- 1) &>> 2
    shift = (log2Size &+ 1) &>> 2
  } else {
    offset = 15
    shift = log2Size &- 2
  }
  let maximum = log2Size &<< 1 &- 1
  var x = 0
  while x < maximum,
    cabac.decode(ContextIndex.lastColumn &+ offset &+ x &>> shift, &models, bytes) == 1
  { x &+= 1 }
  var y = 0
  while y < maximum,
    cabac.decode(ContextIndex.lastRow &+ offset &+ y &>> shift, &models, bytes) == 1
  { y &+= 1 }
  if x > 3 {
    let count = x &>> 1 &- 1
    x = (2 &+ x & 1) &<< count &+ cabac.decodeBypass(count: count, bytes)
  }
  if y > 3 {
    let count = y &>> 1 &- 1
    y = (2 &+ y & 1) &<< count &+ cabac.decodeBypass(count: count, bytes)
  }
  return block.scan == 2 ? (y, x) : (x, y)
}
