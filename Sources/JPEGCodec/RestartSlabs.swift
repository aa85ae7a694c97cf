// Restart intervals on several threads. Rows of MCUs that begin with an interval can be decoded without those before:
// each thread takes slabs of them, decodes them to pixels of its own and copies these into the picture. That is for sound
// files only; whatever is not as it must be sends the whole scan back to serial decoding, which knows what to make of it.
// ITU-T T.81, sections B.1.1.5 and E.1.4.

internal import Dispatch
internal import ImageCore
internal import Synchronization

/// The slabs of a scan, and where their bits begin.
struct RestartSlabs {
  /// Rows of MCUs from one row that begins with an interval to the next one.
  private let rowStep: Int
  /// Rows of MCUs in a slab: a multiple of the step.
  private let rowsPerSlab: Int
  private let rowCount: Int
  private let mcusPerRow: Int
  private let interval: Int
  /// The index of the first byte of every interval.
  private let starts: [Int]

  /// The row before a slab is decoded once more where filters reach into it; with longer steps that would cost too much.
  private static let maximumRowStep = 2
  private static let minimumRowsPerSlab = 8
  /// More slabs than threads, so that none waits long for the last one.
  private static let slabsPerThread = 4

  /// The slabs of the scan whose data begin at `position`; `nil` when it has too few of them, or when its markers are not
  /// those of a sound scan.
  init?(_ bytes: Span<UInt8>, from position: Int, interval: Int, frame: FrameHeader, threadCount: Int) {
    guard interval > 0 else { return nil }
    (rowCount, mcusPerRow, self.interval) = (frame.mcuRowCount, frame.mcusPerRow, interval)
    let mcusPerRow = mcusPerRow
    guard let step = (1...Self.maximumRowStep).first(where: { $0 * mcusPerRow % interval == 0 }) else { return nil }
    rowStep = step
    let wanted = max(Self.minimumRowsPerSlab, rowCount / (threadCount * Self.slabsPerThread))
    rowsPerSlab = (wanted + step - 1) / step * step
    guard rowsPerSlab < rowCount else { return nil }
    let count = (rowCount * mcusPerRow + interval - 1) / interval
    guard let starts = Self.intervalStarts(bytes, from: position, count: count) else { return nil }
    self.starts = starts
  }

  /// How many slabs there are.
  var count: Int { (rowCount + rowsPerSlab - 1) / rowsPerSlab }

  /// The rows of MCUs of a slab.
  func rows(ofSlab index: Int) -> Range<Int> {
    index * rowsPerSlab..<min((index + 1) * rowsPerSlab, rowCount)
  }

  /// The cursor at a slab's first row, or at the last row before it that begins with an interval.
  func cursor(beforeSlab index: Int, readsRowBefore: Bool) -> ScanCursor {
    let row = index * rowsPerSlab - (readsRowBefore && index > 0 ? rowStep : 0)
    let intervalIndex = row * mcusPerRow / interval
    var cursor = ScanCursor(position: starts[intervalIndex], restartInterval: interval)
    cursor.mcu = row * mcusPerRow
    cursor.restarts.expected = UInt8(intervalIndex & 7)
    return cursor
  }

  /// Where `count` intervals begin; `nil` unless markers RST0…RST7 in turn, and nothing else, stand between them.
  private static func intervalStarts(_ bytes: Span<UInt8>, from position: Int, count: Int) -> [Int]? {
    // The least that an interval takes is its marker.
    guard count <= bytes.count / 2 else { return nil }
    var starts = [position]
    var index = position
    while index + 1 < bytes.count {
      // Bytes none of which is 0xFF, eight at a time.
      while index + 8 <= bytes.count {
        let next = loadBigEndian64(bytes, at: index)
        if ((~next &- 0x0101_0101_0101_0101) & next & 0x8080_8080_8080_8080) != 0 { break }
        index += 8
      }
      while index + 1 < bytes.count, bytes[index] != 0xFF { index += 1 }
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

/// What the threads share.
private struct SlabState: Sendable {
  var nextSlab = 0
  /// The picture.
  var bitmap: Bitmap
  /// The decoding of the last slab, which is where the scan ends.
  var last: RowDecoding?
  /// Whether to stop: something was not sound, or the caller wants no picture any more.
  var isAbandoned = false

  /// The index of a slab that nobody has taken.
  mutating func takeSlab(of count: Int) -> Int? {
    guard !isAbandoned, nextSlab < count else { return nil }
    nextSlab += 1
    return nextSlab - 1
  }
}

extension RowDecoding {
  /// Decodes the whole scan by its restart intervals, on several threads.
  ///
  /// - Returns: `false` when that is not possible; then nothing is decoded, and pixels have arbitrary values.
  mutating func decodeIntervalsInParallel(
    _ bytes: Span<UInt8>, frame: FrameHeader, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> Bool {
    guard
      let slabs = RestartSlabs(
        bytes, from: cursor.reader.position, interval: cursor.restarts.interval, frame: frame,
        threadCount: options.parallelism)
    else { return false }
    let (width, format, start) = (bitmap.width, bitmap.format, self)
    let state = Mutex(SlabState(bitmap: bitmap))
    // A second owner would make the first write copy all pixels.
    bitmap = Bitmap()
    DispatchQueue.concurrentPerform(iterations: min(options.parallelism, slabs.count)) { _ in
      var pixels = Bitmap()
      while let index = state.withLock({ $0.takeSlab(of: slabs.count) }) {
        let rows = start.reconstruction.pictureRows(ofBands: slabs.rows(ofSlab: index))
        let hasPixels =
          (try? pixels.reset(width: width, height: rows.count, format: format, limits: .unlimited)) != nil
        var decoding = start
        let isSound =
          hasPixels && decoding.decodeSlab(index, of: slabs, bytes, rows: rows, into: &pixels, options: options)
        state.withLock { state in
          if !isSound { state.isAbandoned = true }
          if isSound { state.bitmap.copyRows(of: pixels, toRow: rows.lowerBound) }
          if isSound, index == slabs.count - 1 { state.last = decoding }
        }
      }
    }
    let end = state.withLock { state in
      swap(&state.bitmap, &bitmap)
      return state.isAbandoned ? nil : state.last
    }
    try options.checkCancellation(format: JPEGDecoder.type)
    guard let end else { return false }
    self = end
    return true
  }

  /// Decodes a slab, the row before and the row behind it as far as filters reach into them.
  ///
  /// - Parameter rows: the slab's rows of the picture.
  /// - Returns: whether all of it is sound.
  private mutating func decodeSlab(
    _ index: Int, of slabs: RestartSlabs, _ bytes: Span<UInt8>, rows: Range<Int>, into pixels: inout Bitmap,
    options: DecodingOptions
  ) -> Bool {
    let mcusPerRow = reconstruction.frame.mcusPerRow
    cursor = slabs.cursor(beforeSlab: index, readsRowBefore: reconstruction.blendsBands)
    reconstruction.restrict(to: rows, firstBand: cursor.mcu / mcusPerRow)
    while reconstruction.writtenRowCount < rows.upperBound {
      if options.shouldCancel?() == true { return false }
      guard case .completed = decodeBand(bytes, isFinal: true, mcusPerRow: mcusPerRow), lost.ranges.isEmpty else {
        return false
      }
      reconstruction.finishBand(into: &pixels)
    }
    // Between this slab and the next one there must be a marker and nothing else.
    if cursor.mcu < mcusPerRow * reconstruction.frame.mcuRowCount { _ = cursor.passBoundary(bytes, isFinal: true) }
    return !cursor.restarts.foundDamage && !cursor.reader.foundInvalidCode
  }
}
