// The baseline path: decodes the MCU rows of a scan with all components directly to samples, without storing
// coefficients. ITU-T T.81, sections A.2.3 and F.2.2.

internal import ImageCoding

/// The position of decoding within a scan. A copy can be used to resume there.
struct ScanCursor {
  var reader: EntropyReader
  var restarts: RestartSynchronizer
  /// The last DC coefficient of each component of the scan.
  var predictions: InlineArray<4, Int32> = InlineArray(repeating: 0)
  /// The number of following blocks without coefficients (EOBRUN).
  var endOfBandRun = 0
  /// The index of the next MCU, in scan order.
  var mcu = 0
  /// Whether the MCUs up to the next restart marker are lost.
  var isLost = false
  /// Whether no more MCUs can be decoded.
  var hasEnded = false
  /// Whether the bits of a restart interval ended before its last MCU.
  private(set) var foundShortInterval = false

  /// Whether there is damage to report so far.
  var foundDamage: Bool { hasEnded || foundShortInterval || restarts.foundDamage || reader.foundInvalidCode }

  init(position: Int, restartInterval: Int) {
    reader = EntropyReader(position: position)
    restarts = RestartSynchronizer(interval: restartInterval)
  }

  /// Gives up the MCUs up to the next restart marker, or all others if there are none, because the bits have ended.
  mutating func loseInterval() {
    isLost = true
    if restarts.interval == 0 { hasEnded = true } else { foundShortInterval = true }
  }

  /// The state at the start of an MCU.
  enum Boundary {
    case decode, lost, needsInput
  }

  /// Reads the restart marker before the next MCU, if one is due.
  @inline(__always)
  mutating func passBoundary(_ bytes: Span<UInt8>, isFinal: Bool) -> Boundary {
    if restarts.isDue { return passRestart(bytes, isFinal: isFinal) }
    return isLost ? .lost : .decode
  }

  @inline(never)
  private mutating func passRestart(_ bytes: Span<UInt8>, isFinal: Bool) -> Boundary {
    switch restarts.synchronize(&reader, bytes, isFinal: isFinal) {
    case .needsInput:
      return .needsInput
    case .found:
      isLost = false
    case .missing:
      isLost = true
      // At the end of the input or of the scan, no later interval can be found either.
      let next = reader.position + 1
      if next >= bytes.count || !Marker(rawValue: bytes[next]).isRestart { hasEnded = true }
    }
    predictions = InlineArray(repeating: 0)
    endOfBandRun = 0
    return isLost ? .lost : .decode
  }

  /// Whether the bits ended at a marker or, with `isFinal`, at the end of the file, rather than merely at the end of
  /// the input received so far.
  func isAtEndOfSegment(_ bytes: Span<UInt8>, isFinal: Bool) -> Bool {
    if isFinal { return true }
    var index = reader.position
    let end = reader.position + 1 + EntropyReader.maximumFillByteCount
    while index < min(bytes.count, end), bytes[index] == 0xFF { index += 1 }
    if index == end { return true }
    return index < bytes.count && index > reader.position && bytes[index] != 0
  }

  /// The number of MCUs before the next restart marker; the maximum if there is none.
  @inline(__always)
  var mcusBeforeRestart: Int { restarts.interval > 0 ? restarts.remaining : .max }

  /// Counts MCUs as decoded.
  @inline(__always)
  mutating func advance(by count: Int = 1) {
    mcu &+= count
    if restarts.interval > 0 { restarts.remaining &-= count }
  }
}

/// The outcome of decoding a row of MCUs.
enum RowOutcome {
  /// All MCUs of the row are decoded or known to be lost.
  case completed
  /// More input is needed.
  case suspended
  /// The data ends in this row; nothing follows.
  case ended
}

/// The handling of the coefficients of a row. Each kind is a type, so that decoding is specialised for it.
protocol RowOutput {
  /// Whether blocks are transformed to samples. Otherwise their coefficients are listed.
  static var isSamples: Bool { get }
}

/// The coefficients are transformed to samples.
enum TransformedRow: RowOutput {
  static var isSamples: Bool { true }
}

/// The coefficients are listed.
enum ListedRow: RowOutput {
  static var isSamples: Bool { false }
}

/// Decodes the remaining MCUs of a row, starting at the cursor, to samples.
///
/// - Parameters:
///   - mcusPerRow: the number of MCUs in a row, from which the cursor's position in the row follows.
///   - coefficients: storage for a block that is transformed.
///   - list: receives the coefficients of the blocks, as in ``CoefficientList``.
///   - listCount: the number of words in the list.
///   - targets: the locations in `samples` of an MCU's blocks, and their distances from one MCU to the next.
///   - lost: collects the MCUs that could not be decoded. Their samples are those of blocks without coefficients.
func decodeInterleavedRow<Output: RowOutput>(
  _ output: Output.Type, _ cursor: inout ScanCursor, _ bytes: Span<UInt8>, isFinal: Bool, tables: borrowing ScanTables,
  mcusPerRow: Int, coefficients: inout MutableSpan<Int16>, list: inout MutableSpan<UInt32>, listCount: inout Int,
  targets: Span<SampleTarget>, into samples: inout MutableSpan<UInt8>, lost: inout LostUnits
) -> RowOutcome {
  let huffman = tables.huffman.span
  let places = tables.places.span
  let blocks = tables.blocks.span
  // An MCU has at most ten blocks of at most 64 · 32 bits each, and every byte may be stuffed.
  let safeByteCount = blocks.count * 64 * 4 * 2 + 8
  var column = cursor.mcu % mcusPerRow
  var local = cursor
  // Not in memory that another pointer may refer to.
  var wordCount = listCount
  defer { listCount = wordCount }
  while column < mcusPerRow {
    let mayRunOut = !isFinal && local.reader.position &+ safeByteCount > bytes.count
    if mayRunOut { cursor = local }
    let firstWord = wordCount
    var isDecoded = false
    switch local.passBoundary(bytes, isFinal: isFinal) {
    case .needsInput:
      cursor = local
      return .suspended
    case .lost: break
    case .decode:
      // A copy that no pointer refers to stays in registers.
      var reader = local.reader
      for index in blocks.indices {
        let block = blocks[index]
        let prediction =
          local.predictions[block.slot] &+ reader.readDifference(bytes, huffman, table: block.dcTable)
        local.predictions[block.slot] = prediction
        let dc = Int16(truncatingIfNeeded: prediction &* Int32(truncatingIfNeeded: places[block.places] &>> 8))
        if output.isSamples {
          var target = coefficients._mutatingExtracting(0..<64)
          for place in 0..<64 { target[place] = 0 }
          target[0] = dc
          let last = reader.readACCoefficients(
            bytes, huffman, table: block.acTable, places, placesStart: block.places, into: &target)
          targets[index].transform(
            coefficients.span.extracting(0..<64), lastIndex: last, column: column, into: &samples)
        } else {
          var listed = list._mutatingExtracting(wordCount..<wordCount &+ CoefficientList.mostWordsPerBlock)
          let (last, count) = reader.readACCoefficients(
            ListedCoefficients.self, bytes, huffman, table: block.acTable, places, placesStart: block.places,
            into: &listed)
          listed[0] = CoefficientList.head(dc: dc, last: last, count: count)
          wordCount &+= count &+ 1
        }
      }
      local.reader = reader
      isDecoded = !local.reader.overrun
      if !isDecoded {
        guard local.isAtEndOfSegment(bytes, isFinal: isFinal) else {
          cursor.reader.discardPadding()
          return .suspended
        }
        local.loseInterval()
      }
    }
    if !isDecoded {
      let lostColumns = column..<(local.hasEnded ? mcusPerRow : column + 1)
      if output.isSamples {
        fillBlocks(targets, columns: lostColumns, into: &samples)
      } else {
        wordCount = firstWord
        for _ in 0..<lostColumns.count * blocks.count {
          list[wordCount] = CoefficientList.head(dc: 0, last: 0, count: 0)
          wordCount += 1
        }
      }
      if local.hasEnded {
        cursor = local
        return .ended
      }
      lost.append(local.mcu)
    }
    local.advance()
    column &+= 1
  }
  cursor = local
  return .completed
}

/// Fills the blocks of some MCUs with the level of a block without coefficients.
private func fillBlocks(
  _ targets: Span<SampleTarget>, columns: Range<Int>, into samples: inout MutableSpan<UInt8>
) {
  for index in targets.indices {
    let target = targets[index]
    for column in columns {
      for row in 0..<target.blockSize {
        let start = target.start + column * target.step + row * target.stride
        for sample in start..<start + target.blockSize { samples[sample] = 128 }
      }
    }
  }
}

/// The location of a block's samples in an MCU.
struct SampleTarget {
  /// The index of the first sample, for the first MCU of a row.
  var start: Int
  /// The distance to the same block of the next MCU.
  var step: Int
  /// The distance between two rows of samples.
  var stride: Int
  /// The width and height of a block in samples.
  var blockSize: Int

  /// Transforms a block of dequantised coefficients, given in paired order.
  @inline(__always)
  func transform(
    _ coefficients: Span<Int16>, lastIndex: Int, column: Int, into samples: inout MutableSpan<UInt8>
  ) {
    let place = start &+ column &* step
    if blockSize == 8 {
      inverseDCT(coefficients, BlockSparsity(lastIndex: lastIndex), into: &samples, at: place, stride: stride)
    } else {
      reducedInverseDCT(
        coefficients, lastIndex: lastIndex, size: blockSize, into: &samples, at: place, stride: stride)
    }
  }
}

/// The units of a scan (MCUs or blocks) that could not be decoded, as ascending ranges.
struct LostUnits {
  private(set) var ranges: [Range<Int>] = []

  /// Appends a unit after all others.
  mutating func append(_ unit: Int) {
    append(unit..<unit + 1)
  }

  /// Appends units after all others.
  mutating func append(_ others: LostUnits) {
    for units in others.ranges { append(units) }
  }

  /// Appends units after all others.
  mutating func append(_ units: Range<Int>) {
    if units.isEmpty { return }
    if let last = ranges.last, last.upperBound == units.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<units.upperBound
    } else {
      ranges.append(units)
    }
  }
}
