// The two passes on floating-point samples, row by row: formats with more than eight bits, and linear light.

internal import ImageCore

/// Resamples rows in single precision. Nothing is rounded between the passes.
struct FloatResampler {
  private let staging: SampleStaging
  private let sourceWidth: Int
  private let targetWidth: Int
  private let targetHeight: Int
  /// The weights of an axis; `nil` if its size does not change.
  private let horizontal: FloatWeights?
  private let vertical: FloatWeights?

  private var staged: [Float]
  /// Horizontally filtered rows; row `y` is at the index `y % ringHeight`.
  private var ring: [Float]
  private let ringStride: Int
  private let ringHeight: Int
  private var sums: [Float]
  private var output: [UInt8]

  private var receivedRowCount = 0
  private var emittedRowCount = 0

  init(
    from source: StreamedImage, part: SourcePart? = nil, to target: PixelSize, filter: ResamplingFilter,
    light: ResamplingLight, budget: inout ResourceBudget
  ) throws(CodecError) {
    staging = SampleStaging(source.format, light: light)
    sourceWidth = source.width
    targetWidth = target.width
    targetHeight = target.height
    let columnAxis = AxisFilter(filter, from: source.width, part: part?.columns, to: target.width)
    let rowAxis = AxisFilter(filter, from: source.height, part: part?.rows, to: target.height)
    horizontal = columnAxis.isIdentity ? nil : try FloatWeights(columnAxis, budget: &budget)
    vertical = rowAxis.isIdentity ? nil : try FloatWeights(rowAxis, budget: &budget)
    ringStride = target.width * staging.lanes
    ringHeight = vertical?.maximumTapCount ?? 1
    try budget.allocate(count: source.width * staging.lanes, bytesEach: 4)
    try budget.allocate(count: ringStride, bytesEach: 4 * (ringHeight + 1))
    try budget.allocate(count: target.width, bytesEach: source.format.bytesPerPixel)
    staged = budget.bufferPool.buffer(source.width * staging.lanes)
    ring = budget.bufferPool.buffer(ringStride * ringHeight)
    sums = budget.bufferPool.buffer(ringStride)
    output = budget.bufferPool.buffer(target.width * source.format.bytesPerPixel)
  }

  /// Returns the buffers to a pool.
  mutating func recycleBuffers(_ pool: BufferPool?) {
    pool.recycle(&staged)
    pool.recycle(&ring)
    pool.recycle(&sums)
    pool.recycle(&output)
  }

  /// Receives the next source row, and passes on the target rows that are complete.
  mutating func append(
    _ row: Span<UInt8>, budget: inout ResourceBudget,
    emit: (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    try budget.chargeWork(count: sourceWidth, unitsEach: staging.workPerPixel)
    if let horizontal { try budget.chargeWork(count: horizontal.weights.count, unitsEach: staging.lanes / 4) }
    let start = receivedRowCount % ringHeight * ringStride
    Self.filter(row, staging, by: horizontal, through: &staged, into: &ring, start..<start + ringStride)
    receivedRowCount += 1
    while emittedRowCount < targetHeight {
      let end = vertical?.taps[emittedRowCount].end ?? emittedRowCount + 1
      guard end <= receivedRowCount else { return }
      let count = vertical?.taps[emittedRowCount].count ?? 1
      try budget.chargeWork(count: count, unitsEach: ringStride / 4)
      try budget.chargeWork(count: targetWidth, unitsEach: staging.workPerPixel)
      sumRows(emittedRowCount)
      Self.store(&sums, by: staging, into: &output)
      try emit(output.span, &budget)
      emittedRowCount += 1
    }
  }

  private static func filter(
    _ row: Span<UInt8>, _ staging: SampleStaging, by horizontal: FloatWeights?, through staged: inout [Float],
    into ring: inout [Float], _ place: Range<Int>
  ) {
    var samples = staged.mutableSpan
    staging.load(row, into: &samples)
    var rows = ring.mutableSpan
    var target = rows._mutatingExtracting(place)
    if let horizontal {
      filterHorizontally(
        samples.span, lanes: staging.lanes, taps: horizontal.taps.span, weights: horizontal.weights.span,
        into: &target)
    } else {
      for index in samples.indices { target[index] = samples[index] }
    }
  }

  private mutating func sumRows(_ y: Int) {
    guard let vertical else {
      Self.set(&sums, to: ring, from: 0, times: 1)
      return
    }
    let taps = vertical.taps[y]
    for tap in 0..<taps.count {
      let start = (taps.start + tap) % ringHeight * ringStride
      let weight = vertical.weights[taps.offset + tap]
      if tap == 0 {
        Self.set(&sums, to: ring, from: start, times: weight)
      } else {
        Self.add(ring, from: start, times: weight, to: &sums)
      }
    }
  }

  private static func set(_ sums: inout [Float], to ring: [Float], from start: Int, times weight: Float) {
    let row = ring.span.extracting(start..<start + sums.count)
    var sums = sums.mutableSpan
    for index in row.indices { sums[index] = row[index] * weight }
  }

  private static func add(_ ring: [Float], from start: Int, times weight: Float, to sums: inout [Float]) {
    let row = ring.span.extracting(start..<start + sums.count)
    var sums = sums.mutableSpan
    for index in row.indices { sums[index] += row[index] * weight }
  }

  private static func store(_ sums: inout [Float], by staging: SampleStaging, into output: inout [UInt8]) {
    var samples = sums.mutableSpan
    var bytes = output.mutableSpan
    staging.store(&samples, into: &bytes)
  }
}
