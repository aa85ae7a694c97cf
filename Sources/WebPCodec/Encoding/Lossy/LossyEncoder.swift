// Encodes planes as a VP8 key frame (RFC 6386): analysis, mode decisions with adapting probabilities, then the partitions.

internal import ImageCoding

/// A VP8 key frame.
struct LossyFrame: Sendable {
  let bytes: [UInt8]
  /// The quality that was used.
  let quality: Double
}

/// An encoder of lossy images.
struct LossyEncoder {
  let options: WebPEncoder.Options
  private let effort: LossyEffort
  /// Receives the reconstruction of each macroblock, before the loop filter, in the layout of ``MacroblockLayout``.
  var observeReconstruction: ((_ column: Int, _ row: Int, _ samples: [UInt8]) -> Void)?

  /// The work of deciding the modes of a macroblock.
  static let workPerMacroblock = 40_000
  /// The greatest size of the first partition, whose size has 19 bits.
  private static let greatestFirstPartition = 1 << 19 - 1

  init(options: WebPEncoder.Options) {
    self.options = options
    effort = LossyEffort(level: options.effort)
  }

  /// Returns the frame of a picture, which the budget then holds.
  ///
  /// - Parameter overhead: the number of bytes of the file besides the frame, which count towards its maximum size.
  func encode(
    _ source: LossySource, overhead: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LossyFrame {
    let analysis = try SegmentAnalysis(
      source, segmentCount: options.segmentCount, parallelism: options.parallelism, &budget)
    let quality = Double(options.quality)
    let frame = try encode(source, analysis, quality: quality, &budget)
    guard let maximum = options.maximumByteCount, frame.bytes.count + overhead > maximum else { return frame }
    budget.release(frame.bytes.count)
    return try fit(source, analysis, maximumByteCount: maximum - overhead, &budget)
  }

  /// Returns the frame of the highest quality below that of the options that has at most a number of bytes.
  private func fit(
    _ source: LossySource, _ analysis: SegmentAnalysis, maximumByteCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LossyFrame {
    var (low, high) = (0.0, Double(options.quality))
    var best = try encode(source, analysis, quality: 0, &budget)
    guard best.bytes.count <= maximumByteCount else {
      throw CodecError(
        .encodingFailed,
        "even at quality 0 the image has \(best.bytes.count) bytes, more than the \(maximumByteCount) that are left",
        format: WebPDecoder.type)
    }
    for _ in 0..<8 where high - low > 0.4 {
      let middle = (low + high) / 2
      let frame = try encode(source, analysis, quality: middle, &budget)
      if frame.bytes.count <= maximumByteCount {
        budget.release(best.bytes.count)
        (best, low) = (frame, middle)
      } else {
        budget.release(frame.bytes.count)
        high = middle
      }
    }
    return best
  }

  /// Returns the frame of one quality.
  func encode(
    _ source: LossySource, _ analysis: SegmentAnalysis, quality: Double, _ budget: inout ResourceBudget
  ) throws(CodecError) -> LossyFrame {
    let count = source.columns * source.rows
    let held = try budget.allocate(count: count, bytesEach: CodedMacroblocks.bytesPerMacroblock)
    defer { budget.release(held) }
    var quantization = FrameQuantization(
      quality: quality, analysis.textures, chromaSusceptibility: analysis.chromaSusceptibility, options: options,
      weighsTexture: effort.weighsTexture)
    var model = TokenModel()
    var effort = effort
    while true {
      var coded = CodedMacroblocks(headers: [], levels: [])
      for _ in 0..<effort.passCount {
        coded = try decide(source, analysis, &quantization, &model, effort, &budget)
      }
      model.adaptProbabilities()
      let writer = FrameWriter(
        size: source.size, columns: source.columns, coded: coded, quantization: quantization, model: model,
        partitionCount: options.partitionCount)
      let (header, partitions) = try writer.partitions(&budget)
      if header.count <= Self.greatestFirstPartition {
        let bytes = writer.frame(header, partitions)
        try budget.allocate(bytes.count)
        return LossyFrame(bytes: bytes, quality: quality)
      }
      // The modes of subblocks need most of the first partition.
      guard effort.subblockModeCount > 0 else {
        throw CodecError(
          .encodingFailed, "the modes of the macroblocks do not fit into the first partition", format: WebPDecoder.type)
      }
      effort.subblockModeCount = 0
    }
  }

  /// Decides the modes and levels of all macroblocks, and collects statistics of their tokens.
  private func decide(
    _ source: LossySource, _ analysis: SegmentAnalysis, _ quantization: inout FrameQuantization,
    _ model: inout TokenModel, _ effort: LossyEffort, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedMacroblocks {
    let count = source.columns * source.rows
    var headers = [MacroblockHeader](repeating: MacroblockHeader(), count: count)
    var allLevels = [Int16](repeating: 0, count: count * CodedMacroblocks.levelsPerMacroblock)
    var encoder = MacroblockEncoder(columns: source.columns, effort: effort)
    var contexts = TokenContexts(columns: source.columns)
    model.resetStatistics()
    // The costs follow the statistics about eight times.
    let interval = max(96, count / 8)
    var index = 0
    for row in 0..<source.rows {
      try budget.chargeWork(count: source.columns, unitsEach: Self.workPerMacroblock)
      try budget.checkpoint()
      encoder.beginRow(row)
      contexts.beginRow()
      for column in 0..<source.columns {
        if index > 0, index % interval == 0 {
          model.adaptProbabilities()
          model.updateCosts()
        }
        var header = MacroblockHeader()
        header.segment = quantization.merged[Int(analysis.segments[index])]
        var all = allLevels.mutableSpan
        let range = index * CodedMacroblocks.levelsPerMacroblock..<(index + 1) * CodedMacroblocks.levelsPerMacroblock
        var levels = all._mutatingExtracting(range)
        encoder.encode(
          source, column: column, &header, quantization.segments[Int(header.segment)], model, contexts, into: &levels)
        observeReconstruction?(column, row, encoder.samples)
        let final = allLevels.span.extracting(range)
        if header.isSkipped {
          contexts.skip(header, column: column)
        } else {
          contexts.forEachBlock(of: header, final, column: column) { block, context in
            model.record(block, final, context: context)
          }
        }
        headers[index] = header
        index += 1
      }
    }
    if options.filterStrength > 0 { quantization.strengthenFilters(encoder.visibleEdges) }
    model.adaptProbabilities()
    model.updateCosts()
    return CodedMacroblocks(headers: headers, levels: allLevels)
  }
}

extension WebPEncoder {
  /// Encodes the colours of a bitmap as a VP8 key frame.
  ///
  /// - Parameter observe: receives the reconstruction of each macroblock, before the loop filter, in the layout of
  ///   ``MacroblockLayout``; once for every pass.
  package func keyFrame(
    of bitmap: Bitmap, observing observe: @escaping (_ column: Int, _ row: Int, _ samples: [UInt8]) -> Void
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(encoding: [bitmap.pixelSize], format: type)
    let source = try LossySource(EncodablePicture(bitmap, &budget), usesSharpChroma: options.usesSharpChroma, &budget)
    var encoder = LossyEncoder(options: options)
    encoder.observeReconstruction = observe
    return try encoder.encode(source, overhead: 0, &budget).bytes
  }
}
