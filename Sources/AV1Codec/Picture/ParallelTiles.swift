// Decoding of tiles on several threads. A tile is decoded in parts, which share no memory; each row of superblocks is
// copied to the frame and finished once all of its parts are decoded, by any of the threads. Thus a frame of one tile
// is filtered on another thread than it is decoded on.

internal import ImageCoding
internal import Threading

/// The memory of a part, allocated when a thread first uses it.
private final class PartMemory: Sendable {
  /// Locked only so that threads may take turns.
  let picture = Mutex<Picture?>(nil)
}

/// The tiles of a batch in decoding on several threads.
final class ParallelTiles: Sendable {
  private let parameters: FrameParameters
  private let batch: TileBatch
  private let plan: Plan
  private let interruption: Interruption
  private let parts: [PartMemory]
  private let frame: Mutex<FrameRows?>
  private let state: Mutex<State>
  private let jobs = CountingSemaphore()

  /// The number of threads, and the memory that they need.
  struct Plan: Sendable {
    let threadCount: Int
    let partCount: Int
    /// Rows of tiles of which tiles are in decoding at a time.
    let openRowCount: Int
  }

  private struct State: Sendable {
    var schedule: TileSchedule
    /// The tiles that are in decoding.
    var tiles: [DecodingTile?]
    var outcomes: [TileOutcome]
    /// The work of each tile, and of each row that is finished.
    var work: [Int]
    let finishingWork: Int
    /// The work that may still be done.
    var availableWork: Int64
    /// The number of threads that wait for jobs.
    var idleCount = 0
    var error: CodecError?

    /// Whether nothing is left to do, or nothing may be done.
    var isEnded: Bool { schedule.isDone || error != nil || availableWork < 0 }
  }

  private init(
    _ batch: TileBatch, _ plan: Plan, _ frame: consuming FrameRows, _ budget: borrowing ResourceBudget
  ) {
    parameters = frame.parameters
    (self.batch, self.plan) = (batch, plan)
    interruption = budget.interruption
    parts = (0..<plan.partCount).map { _ in PartMemory() }
    let units = parameters.superblockUnits
    let schedule = TileSchedule(
      tileRows: batch.rows,
      rowCounts: batch.rows.map { (batch.tiles[$0.lowerBound].rows.count + units - 1) / units },
      partCount: plan.partCount, openRowCount: plan.openRowCount)
    state = Mutex(
      State(
        schedule: schedule, tiles: [DecodingTile?](repeating: nil, count: batch.tiles.count),
        outcomes: [TileOutcome](repeating: TileOutcome(), count: batch.tiles.count),
        work: [Int](repeating: 0, count: batch.tiles.count),
        finishingWork: parameters.columns * 4 * frame.finishingWork, availableWork: budget.availableWork))
    self.frame = Mutex(frame)
  }
}

extension ParallelTiles {
  /// Decodes tiles. The result and the work that is charged do not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - frame: `nil` after an error.
  ///   - stopsAtDamage: whether rows of tiles after one with damage do not count.
  /// - Returns: `nil` if there is no memory for several threads; nothing is changed then.
  static func decode(
    _ batch: TileBatch, _ frame: inout FrameRows?, _ bytes: Span<UInt8>, threadCount: Int, stopsAtDamage: Bool,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> TileOutcome? {
    guard let parameters = frame?.parameters else { return nil }
    let heldByteCount = budget.heldByteCount
    guard let plan = Plan(batch, parameters, threadCount: threadCount, &budget), let rows = frame.take() else {
      return nil
    }
    let tiles = ParallelTiles(batch, plan, rows, budget)
    ParallelRows.perform(count: plan.threadCount, parallelism: plan.threadCount) { _ in
      while let job = tiles.takeJob() { tiles.perform(job, bytes) }
    }
    budget.settle(heldByteCount: heldByteCount)
    let outcome = try tiles.charge(stopsAtDamage: stopsAtDamage, &budget)
    frame = tiles.frame.withLock { $0.take() }
    return outcome
  }

  /// Waits for a job.
  ///
  /// - Returns: `nil` if there are no more jobs.
  private func takeJob() -> TileSchedule.Job? {
    while true {
      var wakes = false
      let (job, isEnded) = state.withLock { state -> (TileSchedule.Job?, Bool) in
        guard !state.isEnded else { return (nil, true) }
        guard let job = state.schedule.next(hasIdleThreads: state.idleCount > 0) else {
          state.idleCount += 1
          return (nil, false)
        }
        state.schedule.start(job)
        if state.idleCount > 0, state.schedule.next(hasIdleThreads: false) != nil {
          state.idleCount -= 1
          wakes = true
        }
        return (job, false)
      }
      if wakes { jobs.signal() }
      if let job { return job }
      if isEnded { return nil }
      // Another thread has a job, whose end makes others possible or ends all.
      jobs.wait()
    }
  }

  private func perform(_ job: TileSchedule.Job, _ bytes: Span<UInt8>) {
    let error: CodecError?
    switch job {
    case .decode(let tile, let row, let part): error = decode(tile, row, part, bytes)
    case .finish(let row, let firstTile, let parts): error = finish(row, firstTile: firstTile, parts)
    }
    let idleCount = state.withLock { state in
      state.schedule.end(job)
      state.error = state.error ?? error
      if case .finish = job { state.availableWork -= Int64(state.finishingWork) }
      guard state.isEnded else { return 0 }
      defer { state.idleCount = 0 }
      return state.idleCount
    }
    for _ in 0..<idleCount { jobs.signal() }
  }

  /// The first unit of a row of superblocks, and its end in the frame.
  private func units(ofRow row: Int, _ tile: Int) -> Range<Int> {
    let first = batch.tiles[0].rows.lowerBound + row * parameters.superblockUnits
    return first..<min(first + parameters.superblockUnits, batch.tiles[tile].rows.upperBound)
  }

  private func decode(_ index: Int, _ row: Int, _ part: Int, _ bytes: Span<UInt8>) -> CodecError? {
    do throws(CodecError) {
      try interruption.check()
    } catch {
      return error
    }
    let place = batch.tiles[index]
    let edgeCount = SampleLayout(columns: batch.largestColumnCount * 4, rows: 0, parameters).edgeCount
    let tile =
      state.withLock { $0.tiles[index] } ?? DecodingTile(place, parameters, bytes, edgeCount: edgeCount)
    var work = tile.nextWork
    parts[part].picture.withLock { memory in
      var picture = memory.take() ?? Picture(partOf: parameters, columnCount: batch.largestColumnCount)
      work += tile.decodePart(units(ofRow: row, index), &picture, bytes)
      memory = consume picture
    }
    let isLast = units(ofRow: row, index).upperBound == place.rows.upperBound
    let outcome = isLast ? tile.outcome : TileOutcome()
    state.withLock {
      $0.tiles[index] = isLast ? nil : tile
      $0.outcomes[index] = outcome
      $0.work[index] += work
      $0.availableWork -= Int64(work)
    }
    return nil
  }

  /// Copies a row of superblocks to the frame, and finishes it.
  private func finish(_ row: Int, firstTile: Int, _ parts: [Int]) -> CodecError? {
    let units = units(ofRow: row, firstTile)
    return frame.withLock { frame -> CodecError? in
      frame?.moveWindow(toRow: units.lowerBound)
      for (offset, part) in parts.enumerated() {
        self.parts[part].picture.withLock {
          guard let picture = $0.take() else { return }
          frame?.picture.copy(picture, columns: batch.tiles[firstTile + offset].columns, rows: units, parameters)
          $0 = consume picture
        }
      }
      frame?.picture.blacken(
        columns: batch.missing(inRow: firstTile..<firstTile + parts.count), rows: units, parameters)
      do throws(CodecError) {
        try frame?.finishRow(units.lowerBound, interruption)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Charges the work of all threads, who checked for interruptions.
  ///
  /// - Returns: the outcome.
  private func charge(
    stopsAtDamage: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> TileOutcome {
    let state = state.withLock { $0 }
    if let error = state.error { throw error }
    var outcome = TileOutcome()
    for row in batch.rows {
      for tile in row {
        try budget.chargeWorkInParts(count: state.work[tile], unitsEach: 1)
        outcome.append(state.outcomes[tile])
      }
      let rowCount = batch.tiles[row.lowerBound].rows.count
      let count = (rowCount + parameters.superblockUnits - 1) / parameters.superblockUnits
      try budget.chargeWorkInParts(count: count, unitsEach: state.finishingWork)
      if stopsAtDamage, outcome.damage != nil { break }
    }
    return outcome
  }
}

extension ParallelTiles.Plan {
  /// The least number of luma samples for which several threads save time.
  private static let leastSampleCount = 1 << 15

  /// Plans decoding on several threads, and charges its memory.
  ///
  /// - Returns: `nil` if several threads save no time, or if there is no memory for them.
  init?(
    _ batch: TileBatch, _ parameters: FrameParameters, threadCount: Int, _ budget: inout ResourceBudget
  ) {
    let hasFilters = FrameWork.filters(parameters) > FrameWork.copying
    guard threadCount > 1, batch.tiles.count > 1 || hasFilters, !parameters.allowsIntraBlockCopy,
      parameters.size.width >= Self.leastSampleCount / max(parameters.size.height, 1)
    else { return nil }
    let columnCount = min(batch.columnCount, batch.tiles.count)
    // One thread for each tile, and one that finishes rows.
    let threads = min(threadCount, batch.tiles.count + 1)
    // Rows of tiles that are decoded in parallel if a row has fewer tiles than there are threads.
    let parallelRowCount = min((threads + columnCount - 1) / columnCount, batch.rows.count)
    let units = parameters.superblockUnits
    let rowCount = batch.tiles.reduce(0) { max($0, ($1.rows.count + units - 1) / units) }
    let fewest = 2 * (columnCount + threads)
    for waitingCount in [(parallelRowCount - 1) * columnCount * rowCount, 0] {
      let plan = Self(
        threadCount: threads, partCount: min(fewest + waitingCount, batch.tiles.count * rowCount),
        openRowCount: min(parallelRowCount + 1, batch.rows.count))
      if (try? budget.allocate(plan.byteCount(batch, columnCount: columnCount, parameters))) != nil {
        self = plan
        return
      }
    }
    return nil
  }

  private func byteCount(_ batch: TileBatch, columnCount: Int, _ parameters: FrameParameters) -> Int {
    let units = batch.largestColumnCount
    let edgeCount = SampleLayout(columns: units * 4, rows: 0, parameters).edgeCount
    let partByteCount = Picture.byteCount(partOf: parameters, columnCount: units)
    let tileByteCount =
      TileDecoder.byteCount(parameters, columnCount: units) + edgeCount * MemoryLayout<UInt16>.size
    let (parts, overflow) = partCount.multipliedReportingOverflow(by: partByteCount)
    let (sum, sumOverflow) = parts.addingReportingOverflow(openRowCount * columnCount * tileByteCount)
    return overflow || sumOverflow ? .max : sum
  }
}
