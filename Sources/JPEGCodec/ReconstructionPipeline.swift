// Two threads for one image: the caller's reads bits, another one makes pixels of the coefficients. They exchange rows of
// coefficients as values through a queue; neither ever sees memory that the other writes.

internal import Dispatch
internal import ImageCore
internal import Synchronization

/// The queue between the two threads, and what the second one works on.
final class ReconstructionPipeline: Sendable {
  /// Rows on their way: enough to even out rows that are harder to decode than to transform.
  private static let rowCount = 6
  /// Below half a megapixel the second thread starts too late to help.
  private static let minimumPixelCount = 1 << 19

  /// Bitmap and samples, owned by whoever took them out of the state.
  struct Work: Sendable {
    var reconstruction: Reconstruction
    var bitmap: Bitmap

    /// Makes pixels of a row of coefficients.
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
  private let freeRows = DispatchSemaphore(value: 0)
  private let fullRows = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// Whether a second thread shortens the decode.
  static func isWorthwhile(for frame: FrameHeader, _ options: DecodingOptions) -> Bool {
    options.parallelism > 1 && frame.width * frame.height >= minimumPixelCount
  }

  init(_ work: consuming Work, blocksPerRow: Int) {
    let free = (0..<Self.rowCount).map { _ in CoefficientRow(blockCount: blocksPerRow) }
    state = Mutex(State(free: free, work: work))
    // Not by the initial value: a semaphore traps when it goes away with less than that.
    for _ in 0..<Self.rowCount { freeRows.signal() }
  }

  /// Starts the second thread.
  func start() {
    DispatchQueue.global(qos: .userInitiated).async { self.run() }
  }

  private func run() {
    // Optionals, so that values move between owners: a second owner would make the next write copy all pixels.
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

  /// Takes the work, if nobody has.
  private func takeWork() -> Work? {
    state.withLock { state in
      guard !state.isTaken else { return nil }
      state.isTaken = true
      defer { state.work = nil }
      return state.work
    }
  }

  /// A row to be filled; `nil` when all are full and the second thread has not even started, because the system has none
  /// to spare. ``takeBack()`` then gets the work back.
  func takeFreeRow() -> CoefficientRow? {
    if freeRows.wait(timeout: .now()) == .timedOut {
      if state.withLock({ !$0.isTaken }) { return nil }
      freeRows.wait()
    }
    return state.withLock { $0.free.popLast() }
  }

  /// Hands over a row.
  func submit(_ row: CoefficientRow) {
    state.withLock { $0.full.append(row) }
    fullRows.signal()
  }

  /// Ends the second thread's work and returns it, with all rows processed.
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
  /// Decodes all bands: restart intervals on several threads where the scan has them and they are sound, otherwise
  /// reading bits on this thread and making pixels on another.
  mutating func decodeInParallel(
    _ bytes: Span<UInt8>, frame: FrameHeader, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> RowOutcome {
    if try decodeIntervalsInParallel(bytes, frame: frame, into: &bitmap, options: options) { return .completed }
    let pipeline = ReconstructionPipeline(
      ReconstructionPipeline.Work(reconstruction: reconstruction, bitmap: bitmap),
      blocksPerRow: frame.mcusPerRow * tables.blocks.count)
    // What the pipeline owns now must have no second owner.
    bitmap = Bitmap()
    reconstruction.bands.samples = []
    pipeline.start()
    var outcome = RowOutcome.completed
    var isCancelled = false
    var decodedBandCount = 0
    while decodedBandCount < frame.mcuRowCount, case .completed = outcome {
      isCancelled = options.shouldCancel?() ?? false
      guard !isCancelled, var row = pipeline.takeFreeRow() else { break }
      outcome = decodeBand(bytes, into: &row, mcusPerRow: frame.mcusPerRow)
      if case .completed = outcome { decodedBandCount += 1 } else { row.isLast = true }
      pipeline.submit(row)
    }
    if let work = pipeline.takeBack() {
      reconstruction = work.reconstruction
      bitmap = work.bitmap
    }
    if isCancelled { try options.checkCancellation(format: JPEGDecoder.type) }
    guard case .completed = outcome else { return outcome }
    // Whatever the second thread never took.
    return try decodeSerially(bytes, isFinal: true, frame: frame, into: &bitmap, options: options)
  }
}
