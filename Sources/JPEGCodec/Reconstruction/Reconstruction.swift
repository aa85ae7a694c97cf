// Converts the samples of bands to rows of pixels: which rows can be written when, and how the last rows of damaged
// data are completed.

internal import ImageCoding

/// The samples of the current and the previous band, and the rows written so far.
struct Reconstruction {
  let frame: FrameHeader
  var bands: SampleBands
  var writer: RowWriter
  /// The band being decoded.
  private(set) var band = 0
  /// The number of rows of the picture written so far.
  private(set) var writtenRowCount = 0
  /// The end of the range of rows to write.
  private var endRow: Int
  /// The locations of an MCU's blocks, in even and odd bands.
  private let evenTargets: [SampleTarget]
  private let oddTargets: [SampleTarget]

  init(frame: FrameHeader, tables: borrowing ScanTables, writer: RowWriter, pool: BufferPool?) {
    self.frame = frame
    self.writer = writer
    endRow = frame.height
    bands = SampleBands(frame: frame, pool: pool)
    evenTargets = bands.targets(of: tables, band: 0)
    oddTargets = bands.targets(of: tables, band: 1)
  }

  /// Whether rows at the edge of a band need samples of the next band.
  var blendsBands: Bool { writer.delayedRowCount > 0 }

  /// The rows of the picture covered by a range of bands.
  func pictureRows(ofBands bands: Range<Int>) -> Range<Int> {
    min(bands.lowerBound * frame.mcuHeight, frame.height)..<min(bands.upperBound * frame.mcuHeight, frame.height)
  }

  /// Restricts output to some rows.
  mutating func restrict(to rows: Range<Int>, firstBand: Int) {
    band = firstBand
    writtenRowCount = rows.lowerBound
    endRow = rows.upperBound
  }

  /// The locations of an MCU's blocks in the current band.
  var targets: [SampleTarget] { targets(ofBand: band) }
  /// The locations of an MCU's blocks in a band.
  func targets(ofBand band: Int) -> [SampleTarget] { band & 1 == 0 ? evenTargets : oddTargets }
  /// Whether all bands are complete.
  var isComplete: Bool { band == frame.mcuRowCount }

  /// Called when the current band has its samples: writes the rows that do not depend on the next band.
  mutating func finishBand(into output: inout some WritableRows & ~Copyable) {
    band += 1
    write(upTo: writer.rowCount(ofBands: band), into: &output)
  }

  /// Continues at a band before which everything has been written.
  ///
  /// - Parameter samples: bands of samples that contain the previous one; may be empty if no rows of it are needed.
  mutating func resume(atBand index: Int, after samples: [UInt8]) {
    band = index
    if !samples.isEmpty { bands.copyBand(index - 1, from: samples) }
    writtenRowCount = writer.rowCount(ofBands: index)
  }

  /// Called when no more samples will arrive: writes the remaining rows from what is available.
  ///
  /// - Parameter isPartial: whether some MCUs of the current band are decoded.
  mutating func endEarly(isPartial: Bool, into bitmap: inout Bitmap) {
    if isPartial {
      band += 1
      bands.fillBand(band)
    }
    write(upTo: min(band * frame.mcuHeight, frame.height), into: &bitmap)
  }

  private mutating func write(upTo limit: Int, into output: inout some WritableRows & ~Copyable) {
    let end = min(limit, endRow)
    guard writtenRowCount < end else { return }
    writer.write(rows: writtenRowCount..<end, from: &bands, to: &output)
    writtenRowCount = end
  }
}
