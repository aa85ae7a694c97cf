// Encoding on several threads: rows of MCUs that begin with a restart interval do not depend on earlier ones. Each thread
// encodes slabs of such rows, whose bytes are joined.

internal import ImageCoding
internal import Threading

extension JPEGRowEncoder {
  private static let minimumRowsPerSlab = 8
  /// More slabs than threads, so that no thread waits long for the last one.
  private static let slabsPerThread = 4

  /// The MCU rows of each slab; `nil` if the options do not allow several.
  var slabs: [Range<Int>]? {
    let threads = ParallelRows.threadCount(options.parallelism)
    guard threads > 1, restartInterval > 0, !options.storesCoefficients,
      let step = (1...Self.minimumRowsPerSlab).first(where: { $0 * frame.mcusPerRow % restartInterval == 0 })
    else { return nil }
    let wanted = max(Self.minimumRowsPerSlab, frame.mcuRowCount / Self.slabsPerThread / threads)
    let size = (wanted + step - 1) / step * step
    let starts = Array(stride(from: 0, to: frame.mcuRowCount, by: size))
    return starts.count > 1 ? starts.map { $0..<min($0 + size, frame.mcuRowCount) } : nil
  }

  /// Encodes the slabs of a bitmap and writes the file. No row has been appended.
  mutating func encode(
    _ bitmap: Bitmap, slabs: [Range<Int>], to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    let template = self
    let parts = try parallelResults(count: slabs.count, parallelism: options.parallelism, &budget) {
      (index, budget) throws(CodecError) in
      try template.bytes(of: slabs[index], of: bitmap, &budget)
    }
    flush()
    try output.append(segments.bytes, budget: &budget)
    for part in parts { try output.append(part, budget: &budget) }
    var end = SegmentWriter()
    end.append(.endOfImage)
    try output.append(end.bytes, budget: &budget)
  }

  /// Encodes some rows of MCUs. The bytes start with the restart marker before them, unless they are the first.
  private func bytes(
    of slab: Range<Int>, of bitmap: Bitmap, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var encoder = self
    encoder.segments = SegmentWriter()
    encoder.writer = EntropyWriter(position: 0)
    encoder.chargedByteCount = 0
    encoder.mcuRow = slab.lowerBound
    encoder.rowCount = slab.lowerBound * frame.mcuHeight
    for y in slab.lowerBound * frame.mcuHeight..<min(slab.upperBound * frame.mcuHeight, frame.height) {
      try encoder.append(bitmap.row(y), budget: &budget)
    }
    encoder.flush()
    return encoder.segments.bytes
  }
}
