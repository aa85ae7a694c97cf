// Files of a limited size: coefficients are kept as the transform yields them, and quantised again for every quality that
// is tried.

internal import ImageCoding

extension JPEGRowEncoder {
  /// Returns the file of the highest quality found at which it has at most `maximumByteCount` bytes. The budget holds it.
  ///
  /// Sizes are those of whole files. They hardly ever fall while the quality rises, so the search halves the range.
  /// - Parameter store: the coefficients before quantisation.
  /// - Throws: `CodecError.Kind.encodingFailed` if the file is larger at every quality.
  mutating func fit(
    _ store: CoefficientStore, maximumByteCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var best: (quality: Int, file: [UInt8])?
    var smallestByteCount = Int.max
    var low = 1
    var high = options.quality
    var candidate = high
    while low <= high {
      let file = try file(of: store, quality: candidate, &budget)
      smallestByteCount = min(smallestByteCount, file.count)
      if file.count <= maximumByteCount {
        budget.release(best?.file.count ?? 0)
        try budget.allocate(file.count)
        best = (candidate, file)
        low = candidate + 1
      } else {
        high = candidate - 1
      }
      candidate = (low + high) / 2
    }
    guard let best else {
      throw CodecError(
        .encodingFailed, "the file has at least \(smallestByteCount) bytes, more than \(maximumByteCount)",
        format: JPEGDecoder.type)
    }
    quality = best.quality
    return best.file
  }

  private func file(
    of store: CoefficientStore, quality: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let divisors = options.tables(quality: quality).map { BlockQuantizer(naturalSteps: $0.naturalSteps) }
    let heldByteCount = budget.heldByteCount
    let quantized = try store.quantized(frame, divisors, &budget)
    var header = segments
    appendFrameHeader(quality: quality, to: &header)
    var output = EncodedOutput()
    var scans = BufferedScanWriter(
      frame: frame, isProgressive: options.isProgressive, optimizesHuffmanTables: options.optimizesHuffmanTables,
      restartInterval: options.restartInterval)
    try scans.write(quantized, after: header, to: &output, &budget)
    budget.release(budget.heldByteCount - heldByteCount)
    return try output.finish()
  }
}

extension CoefficientStore {
  /// Returns the coefficients, which are not quantised and in natural order, divided by their steps.
  fileprivate func quantized(
    _ frame: EncodingFrame, _ divisors: [BlockQuantizer], _ budget: inout ResourceBudget
  ) throws(CodecError) -> CoefficientStore {
    var result = try CoefficientStore(frame, budget: &budget)
    let conversion = CoefficientOrder.MaskConversion()
    let places = CoefficientOrder.natural
    var block = [Int16](repeating: 0, count: 64)
    var values = block.mutableSpan
    for (index, component) in frame.components.enumerated() {
      let words = divisors[component.table].divisors
      for row in 0..<component.paddedBlockRowCount {
        try budget.chargeWork(count: component.paddedBlocksPerRow, unitsEach: 40)
        for column in 0..<component.paddedBlocksPerRow {
          let place = self.index(component: index, row: row, column: column)
          let natural = quantize(
            coefficients.span.extracting(place &* 64..<place &* 64 &+ 64), divisors: words.span, into: &values)
          result.store(
            values.span, mask: conversion.zigzagMask(natural: natural), at: place, places: places.span)
        }
      }
    }
    return result
  }
}
