// From samples of bands to rows of pixels: which rows can be written when, and what becomes of the last ones of damaged
// data.

internal import ImageCore

/// The samples of the band that is being decoded and of the one before, and the rows written so far.
struct Reconstruction {
  let frame: FrameHeader
  var bands: SampleBands
  private var writer: RowWriter
  /// The band that is being decoded.
  private var band = 0
  /// Rows of the picture that were written.
  private(set) var writtenRowCount = 0
  /// Where the rows end that are to be written.
  private var endRow: Int
  /// Where the blocks of an MCU go, in even and odd bands.
  private let evenTargets: [SampleTarget]
  private let oddTargets: [SampleTarget]

  init(frame: FrameHeader, tables: borrowing ScanTables, writer: RowWriter) {
    self.frame = frame
    self.writer = writer
    endRow = frame.height
    bands = SampleBands(frame: frame)
    evenTargets = bands.targets(of: tables, band: 0)
    oddTargets = bands.targets(of: tables, band: 1)
  }

  /// Whether rows at the edge of a band need samples of the next one.
  var blendsBands: Bool { writer.delayedRowCount > 0 }

  /// The rows of the picture that some bands cover.
  func pictureRows(ofBands bands: Range<Int>) -> Range<Int> {
    min(bands.lowerBound * frame.mcuHeight, frame.height)..<min(bands.upperBound * frame.mcuHeight, frame.height)
  }

  /// Sets out to write some rows only, to a bitmap that begins with them.
  mutating func restrict(to rows: Range<Int>, firstBand: Int) {
    band = firstBand
    writtenRowCount = rows.lowerBound
    endRow = rows.upperBound
    writer.firstRow = rows.lowerBound
  }

  /// Where the blocks of an MCU of the current band go.
  var targets: [SampleTarget] { band & 1 == 0 ? evenTargets : oddTargets }
  /// Whether all bands are done.
  var isComplete: Bool { band == frame.mcuRowCount }

  /// The current band has its samples: writes the rows that need nothing of the next one.
  mutating func finishBand(into bitmap: inout Bitmap) {
    band += 1
    write(upTo: isComplete ? frame.height : band * frame.mcuHeight - writer.delayedRowCount, into: &bitmap)
  }

  /// No more samples come: writes what is there.
  ///
  /// - Parameter isPartial: whether some MCUs of the current band are decoded.
  mutating func endEarly(isPartial: Bool, into bitmap: inout Bitmap) {
    if isPartial {
      band += 1
      bands.fillBand(band)
    }
    write(upTo: min(band * frame.mcuHeight, frame.height), into: &bitmap)
  }

  private mutating func write(upTo limit: Int, into bitmap: inout Bitmap) {
    let end = min(limit, endRow)
    guard writtenRowCount < end else { return }
    writer.write(rows: writtenRowCount..<end, from: &bands, to: &bitmap)
    writtenRowCount = end
  }

  /// Transforms a band of coefficients to samples.
  mutating func transform(_ row: CoefficientRow) {
    let targets = targets
    let coefficients = row.coefficients.span
    let lastIndices = row.lastIndices.span
    let mcusPerRow = frame.mcusPerRow
    var samples = bands.samples.mutableSpan
    for column in 0..<mcusPerRow {
      for index in targets.indices {
        let block = column &* targets.count &+ index
        targets[index].transform(
          coefficients.extracting(block &* 64..<block &* 64 &+ 64), lastIndex: Int(lastIndices[block]),
          column: column, into: &samples)
      }
    }
  }
}

/// The coefficients of a row of MCUs, dequantised and in paired order.
struct CoefficientRow {
  /// 64 for each block.
  var coefficients: [Int16]
  /// The zigzag index of the last coefficient of each block that is not zero.
  var lastIndices: [UInt8]
  /// Whether the data end in this row.
  var isLast = false

  init(blockCount: Int) {
    coefficients = [Int16](repeating: 0, count: blockCount * 64)
    lastIndices = [UInt8](repeating: 0, count: blockCount)
  }
}
