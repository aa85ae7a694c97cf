// Decodes one image on two threads: the caller's thread reads bits, and another converts the coefficients to pixels.
// They exchange rows of coefficients as values through a queue, and never share mutable memory.

internal import ImageCore
internal import PixelPlanes
internal import Threading

/// The queue between the two threads, and the state of the second one.
final class ReconstructionPipeline: Sendable {
  /// The number of rows in the queue: enough to absorb differences in the cost of rows.
  static let rowCount = 6
  /// Below half a megapixel the second thread starts too late to help.
  private static let minimumPixelCount = 1 << 19

  /// The bitmap and samples, owned by whichever thread took them out of the state.
  struct Work: Sendable {
    var reconstruction: Reconstruction
    var bitmap: Bitmap

    /// Converts a row of coefficients to pixels.
    mutating func process(_ row: CoefficientRow) {
      reconstruction.transform(row)
      if !row.isLast { reconstruction.finishBand(into: &bitmap) }
    }
  }

  private struct State: Sendable {
    var free: [CoefficientRow] = []
    var full: [CoefficientRow] = []
    var work: Work?
    var isTaken = false

    mutating func recycle(_ row: inout CoefficientRow?) {
      if let row = row.take() { free.append(row) }
    }
  }

  private let state: Mutex<State>
  private let freeRows = CountingSemaphore(count: rowCount)
  private let fullRows = CountingSemaphore()
  private let done = CountingSemaphore()

  /// Whether a second thread speeds up the decode.
  static func isWorthwhile(for frame: FrameHeader, _ parallelism: Int) -> Bool {
    ParallelRows.threadCount(parallelism) > 1 && frame.width * frame.height >= minimumPixelCount
  }

  init(_ work: consuming Work, blocksPerRow: Int) {
    let free = (0..<Self.rowCount).map { _ in CoefficientRow(blockCount: blocksPerRow) }
    state = Mutex(State(free: free, work: work))
  }

  /// Starts the second thread.
  func start() {
    BackgroundWork.start { self.run() }
  }

  private func run() {
    // Optionals, so that values are moved between owners. With a second owner, the next write would copy all pixels.
    var work = takeWork()
    if work == nil { return }
    while true {
      fullRows.wait()
      // A signal without a row ends the work.
      var row = state.withLock { $0.full.isEmpty ? nil : $0.full.removeFirst() }
      guard let coefficients = row else { break }
      work?.process(coefficients)
      state.withLock { $0.recycle(&row) }
      freeRows.signal()
    }
    state.withLock { swap(&$0.work, &work) }
    done.signal()
  }

  /// Takes the work, unless it has been taken.
  private func takeWork() -> Work? {
    state.withLock { state in
      guard !state.isTaken else { return nil }
      state.isTaken = true
      defer { state.work = nil }
      return state.work
    }
  }

  /// Returns a row to fill; `nil` if all are full and the second thread has not started because the system has none to
  /// spare. In that case ``takeBack()`` returns the work.
  func takeFreeRow() -> CoefficientRow? {
    if !freeRows.waitIfReady() {
      if state.withLock({ !$0.isTaken }) { return nil }
      freeRows.wait()
    }
    return state.withLock { $0.free.popLast() }
  }

  /// Enqueues a row.
  func submit(_ row: CoefficientRow) {
    state.withLock { $0.full.append(row) }
    fullRows.signal()
  }

  /// Ends the second thread and returns its work, with all rows processed.
  func takeBack() -> Work? {
    if var work = takeWork() {
      for row in state.withLock({ $0.full }) { work.process(row) }
      return work
    }
    fullRows.signal()
    done.wait()
    return state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
  }
}

extension RowDecoding {
  /// Decodes all bands. If the scan has valid restart intervals, they are decoded on several threads; otherwise this
  /// thread reads bits while another produces pixels. The work of all bands is already charged.
  mutating func decodeInParallel(
    _ bytes: Span<UInt8>, frame: FrameHeader, into bitmap: inout Bitmap, parallelism: Int,
    _ context: inout DecodingContext
  ) throws(CodecError) -> RowOutcome {
    if try decodeIntervalsInParallel(
      bytes, frame: frame, into: &bitmap, parallelism: parallelism, budget: &context.budget)
    {
      return .completed
    }
    try context.budget.allocate(
      count: ReconstructionPipeline.rowCount * frame.mcusPerRow * tables.blocks.count,
      bytesEach: CoefficientRow.bytesPerBlock)
    let pipeline = ReconstructionPipeline(
      ReconstructionPipeline.Work(reconstruction: reconstruction, bitmap: bitmap),
      blocksPerRow: frame.mcusPerRow * tables.blocks.count)
    // The pipeline must be the only owner.
    bitmap = Bitmap()
    reconstruction.bands.samples = []
    pipeline.start()
    var outcome = RowOutcome.completed
    var isCancelled = false
    var decodedBandCount = 0
    while decodedBandCount < frame.mcuRowCount, case .completed = outcome {
      isCancelled = (try? context.budget.checkpoint()) == nil
      guard !isCancelled, var row = pipeline.takeFreeRow() else { break }
      outcome = decodeBand(bytes, into: &row, mcusPerRow: frame.mcusPerRow)
      if case .completed = outcome { decodedBandCount += 1 } else { row.isLast = true }
      pipeline.submit(row)
    }
    if let work = pipeline.takeBack() {
      reconstruction = work.reconstruction
      bitmap = work.bitmap
    }
    if isCancelled { try context.budget.checkpoint() }
    guard case .completed = outcome else { return outcome }
    // Process what the second thread never took.
    return try decodeSerially(bytes, isFinal: true, frame: frame, into: &bitmap, &context)
  }
}
