// The scans of a picture whose coefficients are buffered, found before they are decoded, so that all of them can be decoded
// for some rows at a time. A plan exists only if all segments are valid; otherwise decoding scan by scan reports what is not.

internal import ImageCoding

/// All scans of a file.
struct ScanPlan {
  /// A scan and its data.
  struct Entry {
    let scan: BufferedScan
    let restartInterval: Int
    /// The entropy-coded data, up to the marker that ends it.
    let data: Range<Int>

    /// Whether the scan ends at a position without damage, and nothing but fill bytes is left.
    func isEnd(_ cursor: ScanCursor?, _ bytes: Span<UInt8>) -> Bool {
      guard let cursor, !cursor.reader.foundInvalidCode, !cursor.restarts.foundDamage else { return false }
      let position = cursor.reader.unreadPosition(bytes)
      return position <= data.upperBound && (position..<data.upperBound).allSatisfy { bytes[$0] == 0xFF }
    }
  }

  private(set) var entries: [Entry] = []
  /// The memory of the scans' tables, which is charged and stays so.
  private(set) var tableByteCount = 0
  /// The state of the decoder after the last scan. It has no coefficients.
  private(set) var end: JPEGCore

  /// The work charged for a byte until the plan is complete: no more than this, with the segments that it may be part of.
  private static let mostWorkPerByte: Int64 = 100

  /// Reads all headers from the first scan to the end of the image.
  ///
  /// - Parameters:
  ///   - core: the decoder at the data of the first scan.
  ///   - options: those of the decode.
  init?(_ core: JPEGCore, _ input: InputWindow, _ options: DecodingOptions, _ budget: inout ResourceBudget) {
    guard Int64(input.bytes.count) <= budget.availableWork / 4 / Self.mostWorkPerByte else { return nil }
    end = core
    var options = options
    // Whatever decoding scan by scan would report is an error.
    options.tolerance = .strict
    let isComplete = try? DecodingContext.spending(&budget, options, format: core.format) {
      (context) throws(CodecError) in
      var noPixels = Bitmap()
      while end.stage != .finished {
        if end.stage == .storedScan {
          guard addScan(input), let entry = entries.last else { return false }
          try context.budget.chargeWork(entry.data.count)
          try context.budget.allocate(entry.scan.tables.byteCount)
          tableByteCount += entry.scan.tables.byteCount
        } else if try !end.readSegment(input, &noPixels, &context) {
          return false
        }
      }
      return true
    }
    guard isComplete == true else { return nil }
  }

  /// Adds the current scan and moves to the marker after it. Returns `false` if there is none.
  private mutating func addScan(_ input: InputWindow) -> Bool {
    let start = end.offset - input.baseOffset
    let (index, isFound) = SegmentReader.endOfEntropyCodedData(input.bytes, from: start)
    guard isFound, let scan = end.buffered?.scan else { return false }
    entries.append(Entry(scan: scan, restartInterval: end.restartInterval, data: start..<index))
    end.buffered?.precision.note(scan.header)
    end.buffered?.scan = nil
    end.offset = input.baseOffset + index
    end.completedScanCount += 1
    end.stage = .segments
    return true
  }

  /// The memory of what is passed from chunk to chunk.
  func slotByteCount(chunkCount: Int) -> Int {
    ChunkSlots<[UInt8]>.byteCount(chunkCount: chunkCount)
      + entries.count * ChunkSlots<ScanCursor>.byteCount(chunkCount: chunkCount)
  }

  /// No less than the work of decoding all scans of a frame and converting them to pixels.
  func work(_ frame: FrameHeader) -> Int64 {
    let blockCount = Int64(frame.mcuRowCount) * Int64(frame.mcusPerRow) * Int64(frame.blocksPerMCU)
    return entries.reduce(blockCount * Int64(BufferedDecoding.workPerRenderedBlock)) { sum, entry in
      sum + Int64(entry.scan.mcuRowCount) * Int64(entry.scan.workPerRow)
        + Int64(entry.data.count) * Int64(BufferedDecoding.workPerByte + 1)
    }
  }
}
