// Decodes restart intervals on several threads. A row of MCUs that begins with an interval does not depend on earlier
// rows. Each thread decodes slabs of such rows to bands of the picture. This applies to valid files only:
// on any irregularity the whole scan is decoded serially instead, which handles damage. ITU-T T.81, sections B.1.1.5 and
// E.1.4.

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// The slabs of a scan, and the locations of their data.
struct RestartSlabs {
  /// The number of MCU rows from one row that begins with an interval to the next such row.
  private let rowStep: Int
  /// The number of MCU rows in a slab: a multiple of the step.
  private let rowsPerSlab: Int
  private let rowCount: Int
  private let mcusPerRow: Int
  private let interval: Int
  /// The index of the first byte of every interval.
  private let starts: [Int]

  /// If filters need the row before a slab, that row is decoded again; with longer steps this would cost too much.
  private static let maximumRowStep = 2
  private static let minimumRowsPerSlab = 8
  /// More slabs than threads, so that no thread waits long for the last one.
  private static let slabsPerThread = 4

  /// Finds the slabs of the scan whose data begins at `position`; `nil` if there are too few or the restart markers are
  /// not valid.
  init?(_ bytes: Span<UInt8>, from position: Int, interval: Int, frame: FrameHeader, threadCount: Int) {
    guard interval > 0 else { return nil }
    (rowCount, mcusPerRow, self.interval) = (frame.mcuRowCount, frame.mcusPerRow, interval)
    let mcusPerRow = mcusPerRow
    guard let step = (1...Self.maximumRowStep).first(where: { $0 * mcusPerRow % interval == 0 }) else { return nil }
    rowStep = step
    let wanted = max(Self.minimumRowsPerSlab, rowCount / Self.slabsPerThread / max(1, threadCount))
    rowsPerSlab = (wanted + step - 1) / step * step
    guard rowsPerSlab < rowCount else { return nil }
    let count = (rowCount * mcusPerRow + interval - 1) / interval
    guard let starts = Self.intervalStarts(bytes, from: position, count: count) else { return nil }
    self.starts = starts
  }

  /// The number of slabs.
  var count: Int { (rowCount + rowsPerSlab - 1) / rowsPerSlab }

  /// The MCU rows of a slab.
  func rows(ofSlab index: Int) -> Range<Int> {
    index * rowsPerSlab..<min((index + 1) * rowsPerSlab, rowCount)
  }

  /// Returns the cursor at a slab's first row, or at the last row before it that begins with an interval.
  func cursor(beforeSlab index: Int, readsRowBefore: Bool) -> ScanCursor {
    let row = index * rowsPerSlab - (readsRowBefore && index > 0 ? rowStep : 0)
    let intervalIndex = row * mcusPerRow / interval
    var cursor = ScanCursor(position: starts[intervalIndex], restartInterval: interval)
    cursor.mcu = row * mcusPerRow
    cursor.restarts.expected = UInt8(intervalIndex & 7)
    return cursor
  }

  /// Returns the offsets of `count` intervals; `nil` unless they are separated by the markers RST0…RST7 in cyclic order
  /// and nothing else.
  private static func intervalStarts(_ bytes: Span<UInt8>, from position: Int, count: Int) -> [Int]? {
    // An interval takes at least as many bytes as its marker.
    guard count <= bytes.count / 2 else { return nil }
    var starts = [position]
    var index = position
    while index + 1 < bytes.count {
      index = SegmentReader.firstMarkerByte(bytes, from: index)
      guard index + 1 < bytes.count else { break }
      let marker = Marker(rawValue: bytes[index + 1])
      index += 2
      if marker.rawValue == 0 { continue }
      guard marker.isRestart else { break }
      guard marker.rawValue & 7 == UInt8((starts.count - 1) & 7), starts.count < count else { return nil }
      starts.append(index)
    }
    return starts.count == count ? starts : nil
  }
}

extension RowDecoding {
  /// Decodes the whole scan by its restart intervals, on several threads.
  ///
  /// - Returns: `false` if that is not possible. In that case nothing has been decoded, and pixels have arbitrary
  ///   values.
  mutating func decodeIntervalsInParallel(
    _ bytes: Span<UInt8>, frame: FrameHeader, into bitmap: inout Bitmap, parallelism: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    guard
      let slabs = RestartSlabs(
        bytes, from: cursor.reader.position, interval: cursor.restarts.interval, frame: frame,
        threadCount: ParallelRows.threadCount(parallelism))
    else { return false }
    let (start, interruption) = (self, budget.interruption)
    let bands = (0..<slabs.count).map { reconstruction.pictureRows(ofBands: slabs.rows(ofSlab: $0)) }
    // The decoding state of the last slab, where the scan ends.
    let last = Mutex<RowDecoding?>(nil)
    let isDecoded: Void? = try? bitmap.writeBands(bands, parallelism: parallelism, makeState: {}) {
      (_, index, pixels) throws(CodecError) in
      var decoding = start
      try decoding.decodeSlab(index, of: slabs, bytes, into: &pixels, interruption)
      if index == slabs.count - 1 { last.withLock { $0 = decoding } }
    }
    let end = isDecoded == nil ? nil : last.withLock { $0 }
    try budget.checkpoint()
    guard let end else { return false }
    self = end
    return true
  }

  /// Decodes a slab, and the rows before and after it as far as filters need them.
  ///
  /// - Throws: any error, unless all of it is valid.
  private mutating func decodeSlab(
    _ index: Int, of slabs: RestartSlabs, _ bytes: Span<UInt8>, into pixels: inout BitmapBand,
    _ interruption: Interruption
  ) throws(CodecError) {
    let rows = pixels.rows
    let irregularity = CodecError(.malformed, "a restart interval is not valid")
    let mcusPerRow = reconstruction.frame.mcusPerRow
    cursor = slabs.cursor(beforeSlab: index, readsRowBefore: reconstruction.blendsBands)
    reconstruction.restrict(to: rows, firstBand: cursor.mcu / mcusPerRow)
    while reconstruction.writtenRowCount < rows.upperBound {
      try interruption.check()
      guard case .completed = decodeBand(bytes, isFinal: true, mcusPerRow: mcusPerRow), lost.ranges.isEmpty else {
        throw irregularity
      }
      reconstruction.finishBand(into: &pixels)
    }
    // Between this slab and the next there must be a marker and nothing else.
    if cursor.mcu < mcusPerRow * reconstruction.frame.mcuRowCount { _ = cursor.passBoundary(bytes, isFinal: true) }
    if cursor.foundDamage { throw irregularity }
  }
}
