// The two passes on 8-bit samples: strips of sixteen rows are filtered horizontally into a ring of rows, from which
// target rows are filtered vertically as soon as their rows are present.

internal import ImageCore

/// Resamples 8-bit rows in fixed point.
struct ByteResampler {
  private let channels: Int
  private let dividesByAlpha: Bool
  private let sourceHeight: Int
  private let targetHeight: Int
  private let sourceRowLength: Int
  private let targetRowLength: Int
  /// The weights of an axis; `nil` if its size does not change.
  private let horizontal: FixedPointWeights?
  private let vertical: FixedPointWeights?

  /// The rows of the strip that is being received, premultiplied.
  private var strip: [UInt8]
  private let stripStride: Int
  /// The strip with rows and columns exchanged.
  private var columns: [UInt8] = []
  private var pairs: [Int16] = []
  private let pairCount: Int
  /// The filtered strip with rows and columns exchanged.
  private var filteredColumns: [UInt8] = []

  /// Horizontally filtered rows; row `y` is at the index `y % ringHeight`.
  private var ring: [UInt8]
  private let ringStride: Int
  private let ringHeight: Int
  /// The positions in the ring of the rows of a target row.
  private var offsets: [Int]
  private var output: [UInt8]

  private var receivedRowCount = 0
  private var emittedRowCount = 0

  init(
    from source: StreamedImage, part: SourcePart? = nil, to target: PixelSize, filter: ResamplingFilter,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    channels = source.format.samplesPerPixel
    dividesByAlpha = source.format.alpha == .straight
    sourceHeight = source.height
    targetHeight = target.height
    sourceRowLength = source.width * channels
    targetRowLength = target.width * channels
    pairCount = (source.width + 1) / 2
    stripStride = Self.roundedUp(sourceRowLength)
    ringStride = Self.roundedUp(targetRowLength)

    let columnAxis = AxisFilter(filter, from: source.width, part: part?.columns, to: target.width)
    let rowAxis = AxisFilter(filter, from: source.height, part: part?.rows, to: target.height)
    horizontal = columnAxis.isIdentity ? nil : try FixedPointWeights(columnAxis, budget: &budget)
    vertical = rowAxis.isIdentity ? nil : try FixedPointWeights(rowAxis, budget: &budget)

    // Rows that a later target row needs are older than a strip by less than a row's taps. The height is a multiple of
    // that of a strip, so that no strip is divided.
    let pairsPerRow = vertical?.maximumPairCount ?? 0
    ringHeight = Self.roundedUp(pairsPerRow * 2 + stripHeight)
    try budget.allocate(count: ringStride, bytesEach: ringHeight + 1)
    try budget.allocate(count: stripStride, bytesEach: stripHeight)
    if horizontal != nil {
      let columnBytes = max(stripStride * stripHeight, pairCount * channels * 2 * stripHeight)
      try budget.allocate(count: columnBytes, bytesEach: 3)
      try budget.allocate(count: ringStride, bytesEach: stripHeight)
      columns = budget.bufferPool.buffer(columnBytes)
      pairs = budget.bufferPool.buffer(columnBytes)
      filteredColumns = budget.bufferPool.buffer(ringStride * stripHeight)
    }
    strip = budget.bufferPool.buffer(stripStride * stripHeight)
    ring = budget.bufferPool.buffer(ringStride * ringHeight)
    output = budget.bufferPool.buffer(ringStride)
    offsets = [Int](repeating: 0, count: pairsPerRow * 2)
  }

  /// Returns the buffers to a pool.
  mutating func recycleBuffers(_ pool: BufferPool?) {
    pool.recycle(&columns)
    pool.recycle(&pairs)
    pool.recycle(&filteredColumns)
    pool.recycle(&strip)
    pool.recycle(&ring)
    pool.recycle(&output)
  }

  private static func roundedUp(_ count: Int) -> Int { (count + 15) & ~15 }

  /// Receives the next source row, and passes on the target rows that are complete.
  mutating func append(
    _ row: Span<UInt8>, budget: inout ResourceBudget,
    emit: (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    let index = receivedRowCount % stripHeight
    try budget.chargeWork(sourceRowLength / (dividesByAlpha ? 4 : 8))
    stage(row, at: index)
    receivedRowCount += 1
    guard index == stripHeight - 1 || receivedRowCount == sourceHeight else { return }
    try filterStrip(&budget)
    try emitCompleteRows(&budget, emit)
  }

  private mutating func stage(_ row: Span<UInt8>, at index: Int) {
    let (stripStride, channels, dividesByAlpha) = (stripStride, channels, dividesByAlpha)
    var strip = strip.mutableSpan
    var target = strip._mutatingExtracting(index * stripStride..<(index + 1) * stripStride)
    if dividesByAlpha {
      premultiplyRow(row, channels: channels, into: &target)
    } else {
      copyBytes(row, into: &target)
    }
  }

  /// Moves the strip to the ring. Of an incomplete strip, the last one, the missing rows are arbitrary and unused.
  private mutating func filterStrip(_ budget: inout ResourceBudget) throws(CodecError) {
    let firstRow = (receivedRowCount - 1) / stripHeight * stripHeight
    let ringStart = firstRow % ringHeight * ringStride
    let places = ringStart..<ringStart + ringStride * stripHeight
    if let horizontal {
      // About 16 products per nanosecond, and the transposition.
      try budget.chargeWork(count: horizontal.pairCount * channels, unitsEach: 2)
      try budget.chargeWork(stripStride * 2)
      Self.filter(
        strip, stride: stripStride, channels: channels, pairCount: pairCount, by: horizontal,
        through: &columns, &pairs, &filteredColumns, into: &ring, places, stride: ringStride)
    } else {
      // Both strides are equal, because the widths are.
      Self.copy(strip, into: &ring, places)
    }
  }

  private static func filter(
    _ strip: [UInt8], stride: Int, channels: Int, pairCount: Int, by weights: FixedPointWeights,
    through columns: inout [UInt8], _ pairs: inout [Int16], _ filteredColumns: inout [UInt8],
    into ring: inout [UInt8], _ places: Range<Int>, stride ringStride: Int
  ) {
    var columns = columns.mutableSpan
    transposeBlocks(
      strip.span, stride: stride, into: &columns, stride: stripHeight, blockCount: stride / 16, sourceIsStrip: true)
    var pairs = pairs.mutableSpan
    pairColumns(columns.span, channels: channels, pairCount: pairCount, into: &pairs)
    var filtered = filteredColumns.mutableSpan
    filterHorizontally(
      pairs.span, channels: channels, taps: weights.taps.span, low: weights.low.span, high: weights.high.span,
      into: &filtered)
    var rows = ring.mutableSpan
    var target = rows._mutatingExtracting(places)
    transposeBlocks(
      filtered.span, stride: stripHeight, into: &target, stride: ringStride, blockCount: ringStride / 16,
      sourceIsStrip: false)
  }

  private static func copy(_ strip: [UInt8], into ring: inout [UInt8], _ places: Range<Int>) {
    let strip = strip.span
    var rows = ring.mutableSpan
    var target = rows._mutatingExtracting(places)
    copyBytes(strip, into: &target)
  }

  private mutating func emitCompleteRows(
    _ budget: inout ResourceBudget, _ emit: (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    while emittedRowCount < targetHeight {
      if let vertical {
        let taps = vertical.taps[emittedRowCount]
        guard taps.end <= receivedRowCount else { return }
        try budget.chargeWork(count: taps.count, unitsEach: targetRowLength / 6 + 1)
        for index in 0..<taps.count * 2 {
          offsets[index] = (taps.firstPair * 2 + index) % ringHeight * ringStride
        }
        Self.filter(ring, stride: ringStride, offsets, by: vertical, taps, into: &output)
      } else {
        guard emittedRowCount < receivedRowCount else { return }
        try budget.chargeWork(targetRowLength / 8)
        Self.copyRow(ring, from: emittedRowCount % ringHeight * ringStride, into: &output)
      }
      if dividesByAlpha {
        try budget.chargeWork(targetRowLength)
        let (channels, length) = (channels, targetRowLength)
        var row = output.mutableSpan
        unpremultiplyRow(&row, channels: channels, byteCount: length)
      }
      try emit(output.span.extracting(0..<targetRowLength), &budget)
      emittedRowCount += 1
    }
  }

  /// A row next to the filter, of weight 0, may be another one.
  private static func filter(
    _ ring: [UInt8], stride: Int, _ offsets: [Int], by vertical: FixedPointWeights, _ taps: FixedPointWeights.Taps,
    into output: inout [UInt8]
  ) {
    let weights = taps.offset..<taps.offset + taps.count
    var row = output.mutableSpan
    filterVertically(
      ring.span, stride: stride, offsets: offsets.span.extracting(0..<taps.count * 2),
      low: vertical.low.span.extracting(weights), high: vertical.high.span.extracting(weights), into: &row)
  }

  private static func copyRow(_ ring: [UInt8], from start: Int, into output: inout [UInt8]) {
    let source = ring.span.extracting(start..<start + output.count)
    var row = output.mutableSpan
    copyBytes(source, into: &row)
  }
}
