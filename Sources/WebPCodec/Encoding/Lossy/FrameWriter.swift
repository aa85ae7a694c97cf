// The partitions of a key frame: the header with the modes of all macroblocks, and their tokens (RFC 6386, sections 9
// and 19).

internal import ImageCoding

/// Writes the frame of macroblocks that have been decided.
struct FrameWriter {
  let size: PixelSize
  let columns: Int
  let coded: CodedMacroblocks
  let quantization: FrameQuantization
  let model: TokenModel
  /// 1, 2, 4 or 8.
  let partitionCount: Int

  private var rows: Int { coded.headers.count / columns }

  /// The work of writing the tokens of a macroblock.
  private static let workPerMacroblock = 4_000

  /// Returns the first partition and those of the coefficients.
  func partitions(
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> (header: [UInt8], coefficients: [[UInt8]]) {
    var writer = BoolEncoder()
    // Colour space and clamping: as usual.
    writer.writeLiteral(0, bitCount: 2)
    let segmentProbabilities = writeSegments(&writer)
    writeFilter(&writer)
    writer.writeLiteral(partitionCount.trailingZeroBitCount, bitCount: 2)
    writeQuantizers(&writer)
    // Probabilities are not kept for another frame.
    writer.writeFlag(false)
    writeProbabilities(&writer)
    let skipProbability = skipProbability
    writer.writeFlag(skipProbability != nil)
    if let skipProbability { writer.writeLiteral(Int(skipProbability), bitCount: 8) }
    writeModes(segmentProbabilities, skipProbability, &writer)
    return (writer.finish(), try tokens(skips: skipProbability != nil, &budget))
  }

  /// Returns the frame: its tag, the partitions and their sizes.
  func frame(_ header: [UInt8], _ partitions: [[UInt8]]) -> [UInt8] {
    var bytes = ByteWriter(.littleEndian)
    // A shown key frame of version 0.
    bytes.append(UInt64(header.count << 5 | 1 << 4), byteCount: 3)
    bytes.append([0x9D, 0x01, 0x2A])
    bytes.append(UInt16(size.width))
    bytes.append(UInt16(size.height))
    bytes.append(header)
    for partition in partitions.dropLast() { bytes.append(UInt64(partition.count), byteCount: 3) }
    for partition in partitions { bytes.append(partition) }
    return bytes.bytes
  }

  // MARK: Header

  /// Writes the segments and returns the probabilities of their numbers; `nil` if there is only one segment.
  private func writeSegments(_ writer: inout BoolEncoder) -> [UInt8]? {
    let segments = quantization.segments
    guard segments.count > 1 else {
      writer.writeFlag(false)
      return nil
    }
    var counts = [Int](repeating: 0, count: 4)
    for header in coded.headers { counts[Int(header.segment)] += 1 }
    func probability(_ zero: Int, _ one: Int) -> UInt8 {
      zero + one == 0 ? 255 : UInt8(max(1, (255 * zero + (zero + one) / 2) / (zero + one)))
    }
    let probabilities = [
      probability(counts[0] + counts[1], counts[2] + counts[3]), probability(counts[0], counts[1]),
      probability(counts[2], counts[3]),
    ]
    writer.writeFlag(true)
    // The map and the parameters are updated; the parameters are absolute.
    writer.writeFlag(true)
    writer.writeFlag(true)
    writer.writeFlag(true)
    for segment in 0..<4 { writer.writeOptionalSigned(parameters(segment).index, bitCount: 7) }
    for segment in 0..<4 { writer.writeOptionalSigned(parameters(segment).filterLevel, bitCount: 6) }
    for probability in probabilities {
      writer.writeFlag(probability != 255)
      if probability != 255 { writer.writeLiteral(Int(probability), bitCount: 8) }
    }
    return probabilities
  }

  private func parameters(_ segment: Int) -> SegmentParameters {
    quantization.segments[min(segment, quantization.segments.count - 1)]
  }

  private func writeFilter(_ writer: inout BoolEncoder) {
    // The normal filter. A level of 0 would disable it for all segments.
    writer.writeFlag(false)
    writer.writeLiteral(quantization.segments.map { $0.filterLevel }.max() ?? 0, bitCount: 6)
    writer.writeLiteral(quantization.sharpness, bitCount: 3)
    // No adjustments by mode.
    writer.writeFlag(false)
  }

  private func writeQuantizers(_ writer: inout BoolEncoder) {
    let deltas = quantization.deltas
    writer.writeLiteral(quantization.segments[0].index, bitCount: 7)
    for delta in [deltas.lumaDC, deltas.secondaryDC, deltas.secondaryAC, deltas.chromaDC, deltas.chromaAC] {
      writer.writeOptionalSigned(delta, bitCount: 4)
    }
  }

  private func writeProbabilities(_ writer: inout BoolEncoder) {
    for index in model.probabilities.indices {
      let probability = model.probabilities[index]
      let isUpdated = probability != CoefficientProbabilities.initial[index]
      writer.write(isUpdated, CoefficientProbabilities.update[index])
      if isUpdated { writer.writeLiteral(Int(probability), bitCount: 8) }
    }
  }

  /// The probability that a macroblock has coefficients; `nil` if it is not worth a flag.
  private var skipProbability: UInt8? {
    let total = coded.headers.count
    let skipped = coded.headers.reduce(0) { $0 + ($1.isSkipped ? 1 : 0) }
    let probability = (total - skipped) * 255 / total
    return probability < 250 ? UInt8(max(1, probability)) : nil
  }

  // MARK: Macroblocks

  private func writeModes(
    _ segmentProbabilities: [UInt8]?, _ skipProbability: UInt8?, _ writer: inout BoolEncoder
  ) {
    let subblockTrees = (0..<1000).map { ModeTree.subblock(UInt8($0 % 10), context: $0 / 10) }
    var above = [UInt8](repeating: PredictionMode.dc, count: columns * 4)
    for row in 0..<rows {
      var left = InlineArray<4, UInt8>(repeating: PredictionMode.dc)
      for column in 0..<columns {
        let header = coded.headers[row * columns + column]
        if let segmentProbabilities {
          writer.write(header.segment > 1, segmentProbabilities[0])
          writer.write(header.segment & 1 == 1, segmentProbabilities[header.segment > 1 ? 2 : 1])
        }
        if let skipProbability { writer.write(header.isSkipped, skipProbability) }
        writer.write(!header.hasSubblocks, 145)
        if header.hasSubblocks {
          for block in 0..<16 {
            let (x, y) = (column * 4 + block & 3, block >> 2)
            let mode = header.subblockModes[block]
            let tree = subblockTrees[(Int(above[x]) * 10 + Int(left[y])) * 10 + Int(mode)]
            for (bit, probability) in tree { writer.write(bit, probability) }
            above[x] = mode
            left[y] = mode
          }
        } else {
          for (bit, probability) in ModeTree.luma(header.lumaMode) { writer.write(bit, probability) }
          for index in 0..<4 {
            above[column * 4 + index] = header.lumaMode
            left[index] = header.lumaMode
          }
        }
        for (bit, probability) in ModeTree.chroma(header.chromaMode) { writer.write(bit, probability) }
      }
    }
  }

  /// Returns the partitions of tokens; rows of macroblocks are in them in turn.
  private func tokens(skips: Bool, _ budget: inout ResourceBudget) throws(CodecError) -> [[UInt8]] {
    var writers = [BoolEncoder](repeating: BoolEncoder(), count: partitionCount)
    var contexts = TokenContexts(columns: columns)
    let all = coded.levels.span
    for row in 0..<rows {
      var writer = writers[row & (partitionCount - 1)]
      writers[row & (partitionCount - 1)] = BoolEncoder()
      contexts.beginRow()
      try budget.chargeWork(count: columns, unitsEach: Self.workPerMacroblock)
      for column in 0..<columns {
        let index = row * columns + column
        let header = coded.headers[index]
        if skips, header.isSkipped {
          contexts.skip(header, column: column)
          continue
        }
        let size = CodedMacroblocks.levelsPerMacroblock
        let levels = all.extracting(index * size..<(index + 1) * size)
        contexts.forEachBlock(of: header, levels, column: column) { block, context in
          model.write(block, levels, context: context, &writer)
        }
      }
      writers[row & (partitionCount - 1)] = writer
    }
    return writers.map { $0.finish() }
  }
}
