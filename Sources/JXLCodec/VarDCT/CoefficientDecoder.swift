// The HF coefficients of a group in a pass (ISO/IEC 18181-1, I.8).

internal import ImageCoding

/// Decodes the coefficients of the varblocks of a group, in order.
struct CoefficientDecoder {
  let grid: BlockGrid
  let region: PixelRegion
  let contexts: BlockContexts
  let presetCount: Int
  /// The number of low bits that the coefficients of the pass lack.
  let shift: Int

  /// The greatest size of a group in blocks.
  private static let groupSize = 1 << BlockGrid.groupShift

  /// Decodes the coefficients and adds them to those of earlier passes.
  func decode(
    _ bits: inout BitReader, _ pass: HighFrequencyGlobal.Pass, _ blocks: BlockMap, classes: [UInt8],
    into coefficients: inout GroupCoefficients, budget: inout ResourceBudget
  ) throws(CodecError) {
    let preset = try bits.readInt(LowFrequencyGroup.bitCount(presetCount))
    guard preset < presetCount else { throw bits.error(.malformed, "a group has the preset \(preset)") }
    let windowByteCount = SymbolReader.windowByteCount(pass.code, valueCount: region.width * region.height * 195)
    try budget.allocate(windowByteCount)
    defer { budget.release(windowByteCount) }
    var symbols = SymbolReader(&bits, pass.code)
    let view = EntropyView(pass.code)
    let (transforms, multipliers) = (blocks.transforms.span, blocks.multipliers.span)
    let (orders, orderStarts) = (pass.places.span, pass.starts.span)
    var state = State(firstContext: preset * contexts.contextCount, starts: coefficients.starts)
    var values = coefficients.values.mutableSpan
    for y in 0..<region.height {
      let row = (region.y + y) * grid.columns + region.x
      for x in 0..<region.width {
        guard let kind = TransformKind(rawValue: transforms[row + x]) else { continue }
        let multiplierClass = contexts.multiplierClass(multipliers[row + x])
        let lowFrequencyClass = classes.isEmpty ? 0 : Int(classes[row + x])
        let shape = kind.shape
        for place in 0..<3 {
          // The channels are in the order Y, X, B.
          let channel = place < 2 ? 1 - place : 2
          guard grid.hasBlock(channel, x: x, y: y) else { continue }
          let index = contexts.index(
            channel: channel, order: Int(shape.order), multiplierClass: multiplierClass,
            lowFrequencyClass: lowFrequencyClass)
          let isValid = state.decodeVarblock(
            &symbols, &bits, view, orders, start: orderStarts[3 &* Int(shape.order) &+ channel], shape,
            cluster: Int(contexts.clusters[index]), clusterCount: contexts.clusterCount,
            channel: channel, x: x >> grid.horizontalShifts[channel], y: y >> grid.verticalShifts[channel],
            shift: shift, into: &values)
          guard isValid, !bits.isOverrun else {
            state.clearVarblock(kind, channel: channel, of: &values)
            try bits.checkEnd()
            throw bits.error(.malformed, "a varblock has too many coefficients")
          }
        }
      }
      try budget.chargeWork(
        count: state.symbolCount + region.width * 3, unitsEach: 10, byteOffset: bits.byteOffset)
      state.symbolCount = 0
    }
    try symbols.finish(&bits, pass.code)
  }

  /// The state that the varblocks of a group share.
  private struct State {
    /// The first context of the group's preset.
    let firstContext: Int
    /// The numbers of nonzero coefficients of the blocks of each channel.
    private var counts = [UInt8](repeating: 0, count: 3 * groupSize * groupSize)
    /// The index of the first coefficient of the next varblock, for each channel.
    private var starts: [Int]
    var symbolCount = 0
    private let frequencies = CoefficientContexts.frequency
    private let remainders = CoefficientContexts.remaining

    /// - Parameter starts: the index of the first coefficient of each channel.
    init(firstContext: Int, starts: [Int]) {
      (self.firstContext, self.starts) = (firstContext, starts)
    }

    /// Decodes the coefficients of a varblock in a channel. Returns whether there are not more than it can have.
    @_lifetime(bits: copy bits)
    mutating func decodeVarblock(
      _ symbols: inout SymbolReader, _ bits: inout BitReader, _ view: borrowing EntropyView,
      _ orders: Span<Int32>, start orderStart: Int, _ shape: TransformKind.Shape, cluster: Int, clusterCount: Int,
      channel: Int, x: Int, y: Int, shift: Int,
      into values: inout MutableSpan<Int32>
    ) -> Bool {
      let blockCount = shape.blockCount
      let blockShift = blockCount.trailingZeroBitCount
      let place = (channel * groupSize + y) * groupSize + x
      let predicted = predictedCount(x: x, y: y, at: place)
      let bucket = predicted < 8 ? predicted : 4 + predicted / 2
      let countContext = firstContext + cluster + bucket * clusterCount
      symbolCount += 1
      let count = Int(truncatingIfNeeded: symbols.read(cluster: Int(view.contextMap[countContext]), view, &bits))
      let start = starts[channel]
      starts[channel] += 64 * blockCount
      guard 0...63 * blockCount ~= count else { return false }
      let stored = UInt8(truncatingIfNeeded: (count + blockCount - 1) >> blockShift)
      for row in 0..<Int(shape.rows) {
        for column in 0..<Int(shape.columns) { counts[place + row * groupSize + column] = stored }
      }
      guard count > 0 else { return true }
      var coefficients = values._mutatingExtracting(start..<start + 64 * blockCount)
      let context =
        firstContext + CoefficientContexts.countContextCount * clusterCount
        + CoefficientContexts.count * cluster
      let places = orders.extracting(orderStart..<orderStart + 64 * blockCount)
      let end =
        view.copies == nil && !view.isPrefixCoded
        ? decodeCoefficients(
          &symbols, &bits, view, places, count: count, context: context, blockCount: blockCount, shift: shift,
          into: &coefficients)
        : decodeAnyCoefficients(
          &symbols, &bits, view, places, count: count, context: context, blockCount: blockCount, shift: shift,
          into: &coefficients)
      symbolCount += end - blockCount
      return end <= 64 * blockCount
    }

    /// Decodes the nonzero coefficients of a varblock, which are coded by ANS without copies, and the zeros between
    /// them. Returns the index after the last one, which exceeds the varblock if there are too many.
    @inline(__always)
    @_lifetime(bits: copy bits)
    private func decodeCoefficients(
      _ symbols: inout SymbolReader, _ bits: inout BitReader, _ view: borrowing EntropyView, _ order: Span<Int32>,
      count: Int, context: Int, blockCount: Int, shift: Int, into coefficients: inout MutableSpan<Int32>
    ) -> Int {
      let blockShift = blockCount.trailingZeroBitCount
      let size = 64 &* blockCount
      let (frequencies, remainders) = (frequencies.span, remainders.span)
      let (map, clusters) = (view.contextMap, view.clusters)
      var remaining = count
      var index = blockCount
      var wasNonzero = count <= 4 &* blockCount ? 1 : 0
      // Local variables are held in registers.
      var (reader, state) = (bits, symbols.state)
      while remaining > 0 {
        // The contexts are as many as this requires.
        guard remaining <= size &- index else {
          index = size + 1
          break
        }
        let rest = Int(remainders[(remaining &+ blockCount &- 1) &>> blockShift])
        let frequency = Int(frequencies[index &>> blockShift])
        let cluster = clusters[Int(map[context &+ 2 &* (rest &+ frequency) &+ wasNonzero])]
        reader.refill()
        let token = SymbolReader.token(&state, Int(truncatingIfNeeded: cluster.tableStart), view, &reader)
        let value = cluster.integers.value(token, &reader)
        wasNonzero = value == 0 ? 0 : 1
        remaining &-= wasNonzero
        if value != 0 {
          coefficients[Int(order[index])] &+= unpackSigned(value) &<< Int32(truncatingIfNeeded: shift)
        }
        index &+= 1
      }
      (bits, symbols.state) = (reader, state)
      return index
    }

    /// The same for all codes.
    @inline(never)
    @_lifetime(bits: copy bits)
    private func decodeAnyCoefficients(
      _ symbols: inout SymbolReader, _ bits: inout BitReader, _ view: borrowing EntropyView, _ order: Span<Int32>,
      count: Int, context: Int, blockCount: Int, shift: Int, into coefficients: inout MutableSpan<Int32>
    ) -> Int {
      let blockShift = blockCount.trailingZeroBitCount
      let size = 64 &* blockCount
      var remaining = count
      var wasNonzero = count <= 4 * blockCount ? 1 : 0
      var index = blockCount
      while remaining > 0 {
        guard remaining <= size &- index else { return size + 1 }
        let rest = Int(remainders[(remaining &+ blockCount &- 1) &>> blockShift])
        let frequency = Int(frequencies[index &>> blockShift])
        let cluster = Int(view.contextMap[context &+ 2 &* (rest &+ frequency) &+ wasNonzero])
        let value = symbols.read(cluster: cluster, view, &bits)
        wasNonzero = value == 0 ? 0 : 1
        remaining &-= wasNonzero
        if value != 0 {
          coefficients[Int(order[index])] &+= unpackSigned(value) &<< Int32(truncatingIfNeeded: shift)
        }
        index &+= 1
      }
      return index
    }

    /// Clears the coefficients of the last varblock of a channel, which is damaged.
    func clearVarblock(_ kind: TransformKind, channel: Int, of values: inout MutableSpan<Int32>) {
      for index in starts[channel] - 64 * kind.blockCount..<starts[channel] { values[index] = 0 }
    }

    private func predictedCount(x: Int, y: Int, at place: Int) -> Int {
      if y == 0 { return x == 0 ? 32 : Int(counts[place - 1]) }
      let above = Int(counts[place - groupSize])
      return x == 0 ? above : (above + Int(counts[place - 1]) + 1) / 2
    }
  }
}
