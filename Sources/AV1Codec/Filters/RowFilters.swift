// The in-loop filters after deblocking, applied a few rows after the decoding of superblocks (section 7.4), so that the
// samples that they read are still in the processor's caches, and only few rows are buffered.

internal import ImageCore

/// Enhances and restores the rows of a frame from top to bottom.
struct RowFilters: Sendable {
  private let parameters: FrameParameters
  private var enhancement: DirectionalEnhancement
  private var restoration: LoopRestoration?
  /// Rows of the frame after each of both filters; empty if there is nothing to filter. Those that are enhanced form a
  /// window if restoration reads them.
  private var enhanced: SampleBuffer
  private var restored: SampleBuffer
  /// The number of rows of squares of 8 × 8 that are enhanced.
  private var enhancedCount = 0
  private var restoredStripeCount = 0

  /// Luma rows at the end of those decoded that deblocking may change.
  private static let deblockedLag = 8
  /// Luma rows at their end that enhancement does not filter yet.
  private static let enhancedLag = 16

  init(_ parameters: FrameParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    self.parameters = parameters
    enhancement = DirectionalEnhancement(parameters)
    restoration = parameters.restoration.isEnabled ? LoopRestoration(parameters) : nil
    let (isEnhanced, isRestored) = (parameters.cdef.isEnabled, parameters.restoration.isEnabled)
    enhanced =
      isEnhanced && isRestored
      ? try SampleBuffer(windowOf: parameters, &budget) : try Self.rows(parameters, isNeeded: isEnhanced, &budget)
    restored = try Self.rows(parameters, isNeeded: isRestored, &budget)
    if parameters.restoration.isEnabled { try budget.allocate(LoopRestoration.byteCount) }
  }

  /// A buffer of the luma rows that are filtered at once; empty unless it is needed.
  private static func rows(
    _ parameters: FrameParameters, isNeeded: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> SampleBuffer {
    let columns = isNeeded ? parameters.columns * 4 : 0
    return try SampleBuffer(columns: columns, rows: isNeeded ? filteredRowCount : 0, parameters, &budget)
  }

  /// Those of a superblock, and the lag of all filters.
  private static let filteredRowCount = 128 + 80

  /// Moves the window as that of the decoded samples.
  mutating func moveWindow(toRow top: Int, from previous: Int) {
    guard parameters.cdef.isEnabled, parameters.restoration.isEnabled else { return }
    enhanced.moveWindow(toRow: top, from: previous, parameters)
  }

  /// Filters all rows that are not changed by those to come.
  ///
  /// - Parameters:
  ///   - end: the number of luma rows that were decoded and, but for the last ones, deblocked.
  ///   - isLast: whether these are all rows of the frame.
  /// - Returns: the number of luma rows that are final.
  mutating func filter(
    to end: Int, isLast: Bool, _ picture: borrowing Picture, _ interruption: Interruption
  ) throws(CodecError) -> Int {
    let height = parameters.size.height
    if parameters.cdef.isEnabled {
      let count = parameters.rows / 2
      try enhance(to: isLast ? count : min(count, max(0, end - Self.enhancedLag) / 8), picture, interruption)
    }
    if parameters.restoration.isEnabled {
      try restore(to: isLast ? Int.max : end - Self.enhancedLag, picture, interruption)
      return min(LoopRestoration.end(ofStripes: restoredStripeCount), height)
    }
    if isLast { return height }
    return max(0, end - (parameters.cdef.isEnabled ? Self.enhancedLag : Self.deblockedLag))
  }

  /// Enhances squares of 8 × 8 before a row of them.
  private mutating func enhance(
    to end: Int, _ picture: borrowing Picture, _ interruption: Interruption
  ) throws(CodecError) {
    if !parameters.restoration.isEnabled { enhanced.start(atRow: enhancedCount * 8, parameters) }
    while enhancedCount < end {
      try interruption.check()
      // Those in one row of squares of 64 × 64.
      let rows = enhancedCount..<min(end, (enhancedCount / 8 + 1) * 8)
      for plane in 0..<parameters.planeCount {
        let shift = 3 - parameters.shifts(plane).y
        enhanced.copyRows(rows.lowerBound << shift..<rows.upperBound << shift, of: plane, from: picture.buffer)
      }
      enhancement.filterRows(rows, picture.map, picture.buffer, &enhanced)
      enhancedCount = rows.upperBound
    }
  }

  /// Restores stripes that end before a luma row.
  private mutating func restore(
    to end: Int, _ picture: borrowing Picture, _ interruption: Interruption
  ) throws(CodecError) {
    restored.start(atRow: LoopRestoration.end(ofStripes: restoredStripeCount), parameters)
    let count = LoopRestoration.stripeCount(parameters)
    while restoredStripeCount < count, LoopRestoration.end(ofStripes: restoredStripeCount + 1) <= end {
      try interruption.check()
      if parameters.cdef.isEnabled {
        restoration?.filterStripe(
          restoredStripeCount, picture.restoration, deblocked: picture.buffer, enhanced: enhanced, &restored)
      } else {
        restoration?.filterStripe(
          restoredStripeCount, picture.restoration, deblocked: picture.buffer, enhanced: picture.buffer, &restored)
      }
      restoredStripeCount += 1
    }
  }

  /// Reads the window of a plane's final samples.
  func withFinalSamples(
    _ plane: Int, _ picture: borrowing Picture, _ body: (borrowing SampleBuffer) -> Void
  ) {
    if parameters.restoration.types[plane] != .none {
      body(restored)
    } else if parameters.cdef.isEnabled {
      body(enhanced)
    } else {
      body(picture.buffer)
    }
  }
}
