// The decoding of components of a tile that are reconstructed together: code-blocks, wavelets, component transform.

internal import ImageCoding
internal import Threading

/// Components of a tile with the same area and the same wavelet: three that the component transform applies to, or one.
///
/// The highest resolution, which has three quarters of the coefficients, is decoded in batches of rows, so that only the
/// coefficients of a batch are in memory. All steps consist of parts whose results do not depend on one another; threads
/// take one part after the other.
struct ComponentGroup<Kind: Wavelet> {
  private var components: [ComponentBands<Kind>]
  private let pieces: [SegmentPiece]

  /// A strip of a band.
  private struct Strip: Sendable {
    let component: Int
    let resolution: Int
    let band: Int
    let index: Int
  }

  /// Some rows of a component.
  private struct Part: Sendable {
    let component: Int
    let rows: Range<Int64>
  }

  /// The number of samples of all components in a batch.
  private static var batchSampleCount: Int { 6 << 20 }
  /// The number of rows to which the sizes of batches are rounded: those of two code-blocks of 64 rows.
  private static var batchRowUnit: Int { 128 }
  /// The least number of samples that are worth a second thread.
  private static var minimumSampleCount: Int { 1 << 15 }

  init(_ components: [ComponentBands<Kind>], _ pieces: [SegmentPiece]) {
    (self.components, self.pieces) = (components, pieces)
  }

  /// Decodes the components.
  ///
  /// - Parameters:
  ///   - worker: the memory that this thread uses for code-blocks, kept from one tile to the next.
  ///   - store: receives the samples of each component for rows of the window, in order.
  mutating func decode(
    _ data: Span<UInt8>, _ worker: inout BlockWorker?, _ context: inout DecodingContext,
    store: (
      _ component: Int, _ area: GridArea, _ samples: [UInt16], _ budget: inout ResourceBudget
    ) throws(CodecError) -> Void
  ) throws(CodecError) {
    var strips: [Strip] = []
    for (index, component) in components.enumerated() {
      for resolution in 0..<component.top {
        for (band, blocks) in component.blocks[resolution].enumerated() {
          for strip in 0..<blocks.grid.count {
            strips.append(Strip(component: index, resolution: resolution, band: band, index: strip))
          }
        }
      }
    }
    try decode(strips, data, &worker, &context)
    let top = components.reduce(0) { max($0, $1.top) }
    for resolution in 0..<top where resolution > 0 {
      try reconstruct(resolution, parallelism: context.options.parallelism, &context.budget)
    }
    try decodeTop(data, &worker, &context, store: store)
  }

  /// Decodes the code-blocks of strips.
  private mutating func decode(
    _ strips: [Strip], _ data: Span<UInt8>, _ worker: inout BlockWorker?, _ context: inout DecodingContext
  ) throws(CodecError) {
    let sampleCount = strips.reduce(0) { count, strip in
      count + components[strip.component].blocks[strip.resolution][strip.band].grid.byteCount(ofStrip: strip.index) / 4
    }
    let threadCount = Self.threadCount(context.options.parallelism, sampleCount)
    guard threadCount > 1 else {
      try context.budget.allocate(CodeBlockDecoder.byteCount)
      defer { context.budget.release(CodeBlockDecoder.byteCount) }
      for strip in strips {
        let result = try components[strip.component].blocks[strip.resolution][strip.band].decode(
          strip: strip.index, &worker, pieces, data, as: Kind.self, &context.budget)
        try store(result, strip, &context)
      }
      return
    }
    for (strip, result) in zip(strips, try decodeInParallel(strips, threadCount, data, &context)) {
      try store(result, strip, &context)
    }
  }

  private mutating func store(
    _ result: DecodedStrip<Kind.Sample>, _ strip: Strip, _ context: inout DecodingContext
  ) throws(CodecError) {
    if let damage = result.damage { try context.tolerateOnce(damage, as: .damage) }
    components[strip.component].set(
      result.samples, resolution: strip.resolution, band: strip.band, strip: strip.index)
  }

  private func decodeInParallel(
    _ strips: [Strip], _ threadCount: Int, _ data: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> [DecodedStrip<Kind.Sample>] {
    let (components, pieces, isStrict) = (components, pieces, context.isStrict)
    let workers = Mutex([BlockWorker]())
    return try parallelResults(count: strips.count, parallelism: threadCount, &context.budget) {
      (index, budget) throws(CodecError) -> DecodedStrip<Kind.Sample> in
      try budget.allocate(CodeBlockDecoder.byteCount)
      defer { budget.release(CodeBlockDecoder.byteCount) }
      // An optional, so that the worker is moved between its owners.
      var worker = workers.withLock { $0.popLast() }
      defer { workers.withLock { if let worker = worker.take() { $0.append(worker) } } }
      let strip = strips[index]
      let result = try components[strip.component].blocks[strip.resolution][strip.band].decode(
        strip: strip.index, &worker, pieces, data, as: Kind.self, &budget)
      // Thrown here, so that the first error is the same as on one thread.
      if isStrict, let damage = result.damage { throw damage }
      return result
    }
  }

  /// Returns the results of parts. On one thread, nothing is set up for others.
  @inline(__always)
  private static func results<Value: Sendable>(
    count: Int, threadCount: Int, _ budget: inout ResourceBudget,
    _ body: @Sendable (_ index: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Value
  ) throws(CodecError) -> [Value] {
    guard threadCount > 1 else {
      var values: [Value] = []
      for index in 0..<count { values.append(try body(index, &budget)) }
      return values
    }
    return try parallelResults(count: count, parallelism: threadCount, &budget, body)
  }

  private static func threadCount(_ parallelism: Int, _ sampleCount: Int) -> Int {
    sampleCount < minimumSampleCount ? 1 : ParallelRows.threadCount(parallelism)
  }

  /// Divides rows into parts for threads.
  private static func parts(_ rows: Range<Int64>, _ threadCount: Int) -> [Range<Int64>] {
    // One part for one thread, so that no row is transformed twice.
    let count = threadCount > 1 ? 2 * threadCount : 1
    let height = max(16, (rows.count - 1) / count + 1)
    return stride(from: rows.lowerBound, to: rows.upperBound, by: height).map {
      $0..<min(rows.upperBound, $0 + Int64(height))
    }
  }

  // MARK: Resolutions

  /// Reconstructs a resolution below the highest one.
  private mutating func reconstruct(
    _ number: Int, parallelism: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var parts: [Part] = []
    var results: [Int: SampleStrips<Kind.Sample>] = [:]
    var sampleCount = 0
    for (index, component) in components.enumerated() where number < component.top {
      let window = component.windows[number].samples
      guard !window.isEmpty else { continue }
      sampleCount += Int(clamping: window.width * window.height)
      let rows = Self.parts(
        window.y0..<window.y1, Self.threadCount(parallelism, Int(clamping: window.width * window.height)))
      results[index] = SampleStrips(StripGrid(window, height: Int64(rows[0].count)))
      parts += rows.map { Part(component: index, rows: $0) }
    }
    let (tasks, levels) = (parts, components.map { number < $0.top ? $0.level(number) : nil })
    let samples = try Self.results(
      count: tasks.count, threadCount: Self.threadCount(parallelism, sampleCount), &budget
    ) { (index, budget) throws(CodecError) -> [Kind.Sample] in
      let part = tasks[index]
      guard let level = levels[part.component] else { return [] }
      return try Self.reconstruct(level, part.rows, &budget)
    }
    for (part, samples) in zip(parts, samples) {
      let strip = results[part.component]?.grid.index(ofRow: part.rows.lowerBound) ?? 0
      results[part.component]?.set(samples, strip: strip)
    }
    for index in components.indices {
      if let result = results[index] { budget.release(components[index].set(result, resolution: number)) }
    }
  }

  private static func reconstruct(
    _ level: ResolutionBands<Kind.Sample>, _ rows: Range<Int64>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Kind.Sample] {
    let width = Int(clamping: level.window.samples.width)
    try budget.allocatePixels(width: width, height: rows.count, bytesPerPixel: 4)
    let byteCount = LevelRows<Kind>.byteCount(level.window)
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    var source = LevelRows<Kind>(level, rows: rows)
    var result = [Kind.Sample](repeating: Kind.zero, count: width * rows.count)
    for row in 0..<rows.count {
      try source.advance(&budget)
      let samples = source.row
      var target = result.mutableSpan._consumingExtracting(row * width..<(row + 1) * width)
      for index in target.indices { target[index] = samples[index] }
    }
    return result
  }
}

// MARK: The highest resolution

extension ComponentGroup {
  /// Decodes the highest resolution in batches of rows.
  private mutating func decodeTop(
    _ data: Span<UInt8>, _ worker: inout BlockWorker?, _ context: inout DecodingContext,
    store: (
      _ component: Int, _ area: GridArea, _ samples: [UInt16], _ budget: inout ResourceBudget
    ) throws(CodecError) -> Void
  ) throws(CodecError) {
    let window = components[0].windows[components[0].top].samples
    guard !window.isEmpty else { return }
    let parallelism = context.options.parallelism
    let (rowSampleCount, overflow) = Int(clamping: window.width).multipliedReportingOverflow(by: components.count)
    let height = Self.batchHeight(overflow ? .max : rowSampleCount)
    // The number of strips of each band that have been decoded.
    var stripCounts = components.map { [Int](repeating: 0, count: $0.blocks[$0.top].count) }
    var y = window.y0
    while y < window.y1 {
      let rows = y..<min(window.y1, y + Int64(height))
      var strips: [Strip] = []
      for (index, component) in components.enumerated() {
        for band in stripCounts[index].indices {
          let needed = component.neededStrips(rows, band: band)
          for strip in stripCounts[index][band]..<max(stripCounts[index][band], needed.upperBound) {
            strips.append(Strip(component: index, resolution: component.top, band: band, index: strip))
          }
          stripCounts[index][band] = max(stripCounts[index][band], needed.upperBound)
        }
      }
      try decode(strips, data, &worker, &context)
      try render(rows, window, parallelism: parallelism, &context.budget, store: store)
      for index in components.indices {
        context.budget.release(components[index].removeCoefficients(above: rows.upperBound))
      }
      y = rows.upperBound
    }
  }

  /// Returns the number of rows of a batch.
  private static func batchHeight(_ rowSampleCount: Int) -> Int {
    let height = batchSampleCount / rowSampleCount
    return height < batchRowUnit ? max(16, height) : height / batchRowUnit * batchRowUnit
  }

  /// Reconstructs rows of the highest resolution and converts them to samples.
  private func render(
    _ rows: Range<Int64>, _ window: GridArea, parallelism: Int, _ budget: inout ResourceBudget,
    store: (
      _ component: Int, _ area: GridArea, _ samples: [UInt16], _ budget: inout ResourceBudget
    ) throws(CodecError) -> Void
  ) throws(CodecError) {
    let sampleCount = Int(clamping: window.width) * rows.count
    let parts = Self.parts(rows, Self.threadCount(parallelism, sampleCount))
    let levels = components.map { $0.level($0.top) }
    let ranges = components.map { $0.range }
    let results = try Self.results(
      count: parts.count, threadCount: Self.threadCount(parallelism, sampleCount), &budget
    ) { (index, budget) throws(CodecError) -> [[UInt16]] in
      try Self.render(levels, ranges, parts[index], &budget)
    }
    for (part, samples) in zip(parts, results) {
      let area = GridArea(x0: window.x0, y0: part.lowerBound, x1: window.x1, y1: part.upperBound)
      for (index, samples) in samples.enumerated() {
        try store(index, area, samples, &budget)
        budget.release(samples.count * 2)
      }
    }
  }

  private static func render(
    _ levels: [ResolutionBands<Kind.Sample>], _ ranges: [SampleRange], _ rows: Range<Int64>,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> [[UInt16]] {
    let width = Int(clamping: levels[0].window.samples.width)
    try budget.allocatePixels(width: width, height: rows.count, bytesPerPixel: 2 * levels.count)
    let byteCount = levels.reduce(0) { $0 + LevelRows<Kind>.byteCount($1.window) }
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    var first = [UInt16](repeating: 0, count: width * rows.count)
    var a = LevelRows<Kind>(levels[0], rows: rows)
    guard levels.count == 3 else {
      for row in 0..<rows.count {
        try a.advance(&budget)
        var target = first.mutableSpan._consumingExtracting(row * width..<(row + 1) * width)
        Kind.round(a.row, ranges[0], into: &target)
      }
      return [first]
    }
    var (b, c) = (LevelRows<Kind>(levels[1], rows: rows), LevelRows<Kind>(levels[2], rows: rows))
    var second = [UInt16](repeating: 0, count: width * rows.count)
    var third = [UInt16](repeating: 0, count: width * rows.count)
    for row in 0..<rows.count {
      try a.advance(&budget)
      try b.advance(&budget)
      try c.advance(&budget)
      let range = row * width..<(row + 1) * width
      var red = first.mutableSpan._consumingExtracting(range)
      var green = second.mutableSpan._consumingExtracting(range)
      var blue = third.mutableSpan._consumingExtracting(range)
      Kind.roundTransformed((a.row, b.row, c.row), (ranges[0], ranges[1], ranges[2]), &red, &green, &blue)
    }
    return [first, second, third]
  }
}
