// The rows of one strip or tile, whatever its compression.

internal import ByteCompression
internal import ImageCoding

/// The position in a block. Blocks side by side are read row by row, so that none is held as a whole, except those of
/// lossy JPEG.
struct BlockRows {
  /// The source of samples.
  private enum Source {
    case stored(position: Int)
    case deflate(InflateStream, position: Int)
    /// The rows of a stream may be longer or shorter than those of the block: its samples are one run. The samples of
    /// its current row from a position on are not yet used.
    case lossless(any SampleRowReader, row: [UInt16], position: Int, remainingRowCount: Int)
    case picture(Bitmap, y: Int)
  }

  /// The range of the coded bytes in the file.
  private let range: Range<Int>
  private let bits: Int
  private let isBigEndian: Bool
  private let samplesPerPixel: Int
  private let hasPredictor: Bool
  private var source: Source
  /// The bytes of a decompressed row.
  private var bytes: [UInt8] = []
  /// The number of bytes charged to the budget.
  private(set) var heldByteCount: Int

  /// The work units for starting a block.
  private static let workPerBlock = 3_000
  /// The memory of a stream of Deflate.
  private static let inflateByteCount = 96 << 10

  /// Opens a block.
  init(
    _ range: Range<Int>, _ layout: SensorLayout, _ decoder: RawDecoder, _ file: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    self.range = range
    bits = layout.bits
    isBigEndian = layout.isBigEndian
    samplesPerPixel = layout.samplesPerPixel
    hasPredictor = layout.hasPredictor
    let held = context.budget.heldByteCount
    let data = file.extracting(range)
    let rowByteCount = (layout.blockSize.width * samplesPerPixel * bits + 7) / 8
    try context.budget.chargeWork(Self.workPerBlock)
    switch layout.compression {
    case .stored: source = .stored(position: 0)
    case .deflate:
      try context.budget.allocate(Self.inflateByteCount + rowByteCount)
      bytes = [UInt8](repeating: 0, count: rowByteCount)
      source = .deflate(InflateStream(.zlib), position: 0)
    case .losslessJPEG:
      guard let lossless = decoder.losslessJPEGDecoder else {
        throw CodecError(.unsupported, "no decoder of lossless JPEG was passed to the decoder", format: context.format)
      }
      let reader = try lossless.makeRowReader(data, budget: &context.budget)
      let count = reader.frame.rowSampleCount
      try context.budget.allocate(count: count, bytesEach: 2)
      let row = [UInt16](repeating: 0, count: count)
      source = .lossless(reader, row: row, position: count, remainingRowCount: reader.frame.height)
    case .lossyJPEG:
      source = .picture(try Self.picture(data, layout, decoder, &context), y: 0)
    }
    heldByteCount = context.budget.heldByteCount - held
  }

  private static func picture(
    _ data: Span<UInt8>, _ layout: SensorLayout, _ decoder: RawDecoder, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    try context.budget.descend()
    defer { context.budget.ascend() }
    var options = context.options
    options.orientation = .report
    options.targetSize = nil
    options.region = nil
    options.imageIndex = nil
    options.pixelFormat = layout.samplesPerPixel == 1 ? .gray8 : .rgb8
    var bitmap = Bitmap()
    let details = try decoder.jpegDecoder.decode(data, into: &bitmap, options: options, budget: &context.budget)
    if let damage = details.diagnostics.first(where: { $0.severity == .damage }) {
      context.note(.damage, damage.reason)
    }
    return bitmap
  }

  /// Reads the next row.
  ///
  /// - Parameter row: receives the samples of the whole width of the block.
  /// - Throws: `CodecError.Kind.truncated` or `CodecError.Kind.malformed`; the row is then partly unchanged.
  mutating func readRow(
    _ file: Span<UInt8>, into row: inout MutableSpan<UInt16>, budget: inout ResourceBudget
  ) throws(CodecError) {
    let data = file.extracting(range)
    let rowByteCount = (row.count * bits + 7) / 8
    try budget.chargeWork(row.count)
    switch source {
    case .stored(let position):
      let end = min(data.count, position + rowByteCount)
      unpackSamples(data.extracting(position..<end), bits: bits, isBigEndian: isBigEndian, into: &row)
      source = .stored(position: end)
      if end < position + rowByteCount { throw endsEarly }
    case .deflate(let stream, let position):
      try budget.chargeWork(count: rowByteCount, unitsEach: 6)
      var output = bytes.mutableSpan
      let progress = stream.inflate(data.extracting(position..<data.count), into: &output)
      source = .deflate(stream, position: position + progress.consumedCount)
      unpackSamples(
        bytes.span.extracting(0..<progress.producedCount), bits: bits, isBigEndian: isBigEndian, into: &row)
      if progress.producedCount < rowByteCount { throw endsEarly }
      if hasPredictor { accumulateSamples(&row, samplesPerPixel: samplesPerPixel, bits: bits) }
    case .lossless: try readLossless(data, into: &row, budget: &budget)
    case .picture(let bitmap, let y):
      guard y < bitmap.height else { throw endsEarly }
      let pixels = bitmap.row(y)
      for index in 0..<min(row.count, pixels.count) { row[index] = UInt16(pixels[index]) }
      source = .picture(bitmap, y: y + 1)
      if pixels.count < row.count { throw endsEarly }
    }
  }

  private mutating func readLossless(
    _ data: Span<UInt8>, into output: inout MutableSpan<UInt16>, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard case .lossless(let reader, var row, var position, var remaining) = source else { return }
    // So that the row is not shared while it changes.
    source = .stored(position: 0)
    defer { source = .lossless(reader, row: row, position: position, remainingRowCount: remaining) }
    if position == row.count, row.count == output.count {
      guard remaining > 0 else { throw endsEarly }
      remaining -= 1
      return try reader.readRow(data, into: &output, budget: &budget)
    }
    var filled = 0
    while filled < output.count {
      if position == row.count {
        guard remaining > 0 else { throw endsEarly }
        remaining -= 1
        var span = row.mutableSpan
        try reader.readRow(data, into: &span, budget: &budget)
        position = 0
      }
      let count = min(output.count - filled, row.count - position)
      for index in 0..<count { output[filled + index] = row[position + index] }
      filled += count
      position += count
    }
  }

  private var endsEarly: CodecError {
    CodecError(
      .truncated, "the data of a strip or tile end early", format: RawFormat.dng.type, byteOffset: range.upperBound)
  }
}
