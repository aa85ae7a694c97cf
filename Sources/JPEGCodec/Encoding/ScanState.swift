// The order of the blocks in a scan from buffered coefficients, and its restart intervals. ITU-T T.81, section A.2.

/// Passes the blocks of one scan to a sink.
struct ScanState {
  private let scan: ScanDescription
  private let frame: EncodingFrame
  private let interval: Int
  private let isProgressive: Bool
  private var progressive: ProgressiveScanWriter
  private var predictions: InlineArray<4, Int32> = InlineArray(repeating: 0)
  private var mcu = 0

  init(scan: ScanDescription, frame: EncodingFrame, interval: Int, isProgressive: Bool) {
    (self.scan, self.frame) = (scan, frame)
    (self.interval, self.isProgressive) = (interval, isProgressive)
    progressive = ProgressiveScanWriter(scan: scan)
  }

  /// The component of a non-interleaved scan.
  private var lone: Int? { scan.components.count == 1 ? scan.components[0] : nil }

  /// The number of MCU rows.
  var rowCount: Int { lone.map { frame.components[$0].blockRowCount } ?? frame.mcuRowCount }

  /// The number of blocks in a row of MCUs.
  var blocksPerRow: Int {
    lone.map { frame.components[$0].blocksPerRow } ?? frame.mcusPerRow * frame.blocksPerMCU
  }

  private var tableStart: Int { HuffmanCodes.acStart(frame.components[scan.components[0]].table) }

  /// Passes a row of MCUs.
  mutating func putRow<Sink: EntropySink>(_ row: Int, of store: borrowing CoefficientStore, to sink: inout Sink) {
    if let lone {
      let table = frame.components[lone].table
      for column in 0..<frame.components[lone].blocksPerRow {
        passBoundary(&sink)
        putBlock(store, component: lone, row: row, column: column, table: table, to: &sink)
        mcu &+= 1
      }
      return
    }
    for column in 0..<frame.mcusPerRow {
      passBoundary(&sink)
      for index in scan.components {
        let component = frame.components[index]
        for blockRow in 0..<component.verticalFactor {
          for blockColumn in 0..<component.horizontalFactor {
            putBlock(
              store, component: index, row: row &* component.verticalFactor &+ blockRow,
              column: column &* component.horizontalFactor &+ blockColumn, table: component.table, to: &sink)
          }
        }
      }
      mcu &+= 1
    }
  }

  /// Passes everything deferred, at the end of the scan.
  mutating func finish<Sink: EntropySink>(_ sink: inout Sink) {
    progressive.finishInterval(&sink, tableStart: tableStart)
  }

  @inline(__always)
  private mutating func passBoundary<Sink: EntropySink>(_ sink: inout Sink) {
    guard interval > 0, mcu > 0, mcu % interval == 0 else { return }
    progressive.finishInterval(&sink, tableStart: tableStart)
    predictions = InlineArray(repeating: 0)
    sink.putRestart(mcu / interval - 1)
  }

  @inline(__always)
  private mutating func putBlock<Sink: EntropySink>(
    _ store: borrowing CoefficientStore, component: Int, row: Int, column: Int, table: Int, to sink: inout Sink
  ) {
    let index = store.index(component: component, row: row, column: column)
    let block = store.coefficients.span.extracting(index &* 64..<index &* 64 &+ 64)
    let mask = store.masks[index]
    if !isProgressive {
      let dc = Int32(block[0])
      sink.putBlock(difference: dc &- predictions[component], mask: mask, block, table: table)
      predictions[component] = dc
    } else if scan.start == 0 {
      progressive.putDC(block[0], slot: component, table: table, to: &sink)
    } else if scan.high == 0 {
      progressive.putFirstAC(block, mask: mask, tableStart: HuffmanCodes.acStart(table), to: &sink)
    } else {
      progressive.putRefinedAC(block, mask: mask, tableStart: HuffmanCodes.acStart(table), to: &sink)
    }
  }
}
