// The scans of a picture whose coefficients are buffered, found before they are decoded, so that all of them can be decoded
// for some rows at a time. A plan exists only if all segments are valid; otherwise decoding scan by scan reports what is not.
//
// The entropy-coded data may be damaged. Decoding scan by scan finds the same scans as a plan nevertheless: it reads on
// at the first byte that a scan has left over, from which it skips stray bytes, restart markers and the marker TEM, one by
// one, to the marker that ends the data. Only a marker with a segment would make it miss that one, so that a plan has no
// scan that contains such a marker.

internal import ImageCoding

/// All scans of a file.
struct ScanPlan {
  /// A scan and its data.
  struct Entry {
    let scan: BufferedScan
    let restartInterval: Int
    /// The entropy-coded data, up to the marker that ends it.
    let data: Range<Int>
  }

  private(set) var entries: [Entry] = []
  /// The memory of the scans' tables, which is charged and stays so.
  private(set) var tableByteCount = 0
  /// The state of the decoder after the last scan, if the data of all scans is valid. It has no coefficients.
  private(set) var end: JPEGCore
  /// The index of the scan whose lost units are those of the picture, if there is one.
  var locatingScan: Int? { entries.firstIndex { $0.scan.header.locatesLostUnits } }

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

  /// Adds the current scan and moves to the marker after it. Returns `false` if there is none, or it might be missed.
  private mutating func addScan(_ input: InputWindow) -> Bool {
    let start = end.offset - input.baseOffset
    let dataEnd = SegmentReader.endOfEntropyCodedData(input.bytes, from: start)
    guard dataEnd.isFound, !dataEnd.hasReservedMarkers, let scan = end.buffered?.scan else { return false }
    entries.append(Entry(scan: scan, restartInterval: end.restartInterval, data: start..<dataEnd.index))
    end.buffered?.precision.note(scan.header)
    end.buffered?.scan = nil
    end.offset = input.baseOffset + dataEnd.index
    end.completedScanCount += 1
    end.stage = .segments
    return true
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
