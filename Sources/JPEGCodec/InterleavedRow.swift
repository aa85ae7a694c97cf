// The baseline path: the MCU rows of a scan that holds all components, from bits to samples without storing
// coefficients. ITU-T T.81, sections A.2.3 and F.2.2.

internal import ImageCore

/// Where decoding stands in a scan; a copy of it is a place to come back to.
struct ScanCursor {
  var reader: EntropyReader
  var restarts: RestartSynchronizer
  /// The last DC coefficient of each component of the scan.
  var predictions: InlineArray<4, Int32> = InlineArray(repeating: 0)
  /// Blocks that follow without coefficients (EOBRUN).
  var endOfBandRun = 0
  /// The next MCU, counted in the order of the scan.
  var mcu = 0
  /// Whether the MCUs up to the next restart marker are lost.
  var isLost = false
  /// Whether no more MCUs can be decoded.
  var hasEnded = false

  init(position: Int, restartInterval: Int) {
    reader = EntropyReader(position: position)
    restarts = RestartSynchronizer(interval: restartInterval)
  }

  /// What stands at the start of an MCU.
  enum Boundary {
    case decode, lost, needsInput
  }

  /// Reads the restart marker that is due before the next MCU, if one is.
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
      // The end of the input or of the scan: no later interval can be found either.
      let next = reader.position + 1
      if next >= bytes.count || !Marker(rawValue: bytes[next]).isRestart { hasEnded = true }
    }
    predictions = InlineArray(repeating: 0)
    endOfBandRun = 0
    return isLost ? .lost : .decode
  }

  /// Whether the bits ended at a marker or, with `isFinal`, at the end, and not just at the end of what is there.
  func isAtEndOfSegment(_ bytes: Span<UInt8>, isFinal: Bool) -> Bool {
    if isFinal { return true }
    var index = reader.position
    let end = reader.position + 1 + EntropyReader.maximumFillByteCount
    while index < min(bytes.count, end), bytes[index] == 0xFF { index += 1 }
    if index == end { return true }
    return index < bytes.count && index > reader.position && bytes[index] != 0
  }

  /// Counts an MCU as done.
  @inline(__always)
  mutating func advance() {
    mcu &+= 1
    if restarts.interval > 0 { restarts.remaining &-= 1 }
  }
}

/// What became of a row of MCUs.
enum RowOutcome {
  /// All its MCUs are decoded or known to be lost.
  case completed
  /// More input is needed to go on.
  case suspended
  /// The data end in this row; there is nothing behind.
  case ended
}

/// Decodes the MCUs of a row, from wherever the cursor stands in it, to samples.
///
/// - Parameters:
///   - mcusPerRow: MCUs of a row; the cursor's place in the row follows from it.
///   - blocksPerMCU: 0 makes samples of each block, whose coefficients lie in the place of those before. Otherwise
///     coefficients are kept, so many blocks an MCU, and no samples are made.
///   - coefficients: takes 64 dequantised coefficients for each block, in paired order.
///   - lastIndices: takes the zigzag index of the last one of each block that is not zero.
///   - targets: where in `samples` the blocks of an MCU lie, and how far apart those of the next MCU.
///   - lost: MCUs that could not be decoded are added. Their samples are those of blocks without coefficients.
func decodeInterleavedRow(
  _ cursor: inout ScanCursor, _ bytes: Span<UInt8>, isFinal: Bool, tables: borrowing ScanTables, mcusPerRow: Int,
  blocksPerMCU: Int, coefficients: inout MutableSpan<Int16>, lastIndices: inout MutableSpan<UInt8>,
  targets: Span<SampleTarget>, into samples: inout MutableSpan<UInt8>, lost: inout LostUnits
) -> RowOutcome {
  let huffman = tables.huffman.span
  let places = tables.places.span
  let blocks = tables.blocks.span
  let makesSamples = blocksPerMCU == 0
  // An MCU has at most ten blocks, each of at most 64 · 32 bits, every byte of which may be stuffed.
  let safeByteCount = blocks.count * 64 * 4 * 2 + 8
  var column = cursor.mcu % mcusPerRow
  var local = cursor
  while column < mcusPerRow {
    let mayRunOut = !isFinal && local.reader.position &+ safeByteCount > bytes.count
    if mayRunOut { cursor = local }
    let firstBlock = column &* blocksPerMCU
    var isDecoded = false
    switch local.passBoundary(bytes, isFinal: isFinal) {
    case .needsInput:
      cursor = local
      return .suspended
    case .lost: break
    case .decode:
      // A copy that nothing points to stays in registers.
      var reader = local.reader
      for index in blocks.indices {
        let block = blocks[index]
        let start = makesSamples ? 0 : (firstBlock &+ index) &* 64
        var target = coefficients._mutatingExtracting(start..<start &+ 64)
        for place in 0..<64 { target[place] = 0 }
        let prediction =
          local.predictions[block.slot] &+ reader.readDifference(bytes, huffman, table: block.dcTable)
        local.predictions[block.slot] = prediction
        target[0] = Int16(
          truncatingIfNeeded: prediction &* Int32(truncatingIfNeeded: places[block.places] &>> 8))
        let last = reader.readACCoefficients(
          bytes, huffman, table: block.acTable, places, placesStart: block.places, into: &target)
        if makesSamples {
          let target = targets[index]
          target.transform(coefficients.span.extracting(0..<64), lastIndex: last, column: column, into: &samples)
        } else {
          lastIndices[firstBlock &+ index] = UInt8(truncatingIfNeeded: last)
        }
      }
      local.reader = reader
      isDecoded = !local.reader.overrun
      if !isDecoded {
        guard local.isAtEndOfSegment(bytes, isFinal: isFinal) else {
          cursor.reader.discardPadding()
          return .suspended
        }
        local.isLost = true
        local.hasEnded = local.restarts.interval == 0
      }
    }
    if !isDecoded {
      let lostColumns = column..<(local.hasEnded ? mcusPerRow : column + 1)
      if makesSamples {
        fillBlocks(targets, columns: lostColumns, into: &samples)
      } else {
        clearBlocks(firstBlock..<firstBlock + lostColumns.count * blocks.count, &coefficients, &lastIndices)
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

/// Sets the blocks of some MCUs to the level of a block without coefficients.
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

private func clearBlocks(
  _ blocks: Range<Int>, _ coefficients: inout MutableSpan<Int16>, _ lastIndices: inout MutableSpan<UInt8>
) {
  for index in blocks {
    for place in index * 64..<index * 64 + 64 { coefficients[place] = 0 }
    lastIndices[index] = 0
  }
}

/// Where the samples of a block of an MCU go.
struct SampleTarget {
  /// The index of the first sample in the first MCU of a row.
  var start: Int
  /// The distance of the same block in the next MCU.
  var step: Int
  /// The distance of two rows of samples.
  var stride: Int
  /// Samples across and down of a block.
  var blockSize: Int

  /// Transforms a block of dequantised coefficients in paired order.
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

/// Units of a scan (MCUs or blocks) that could not be decoded, as ranges in ascending order.
struct LostUnits {
  private(set) var ranges: [Range<Int>] = []

  /// Adds a unit behind all others.
  mutating func append(_ unit: Int) {
    append(unit..<unit + 1)
  }

  /// Adds units behind all others.
  mutating func append(_ units: Range<Int>) {
    if units.isEmpty { return }
    if let last = ranges.last, last.upperBound == units.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<units.upperBound
    } else {
      ranges.append(units)
    }
  }
}
