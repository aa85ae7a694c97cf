// What the decoding of a scan looks up: Huffman tables, coefficient places and steps, and the blocks of an MCU, all of
// it in flat arrays that are borrowed once a row.

internal import ImageCore

/// The look-up tables and the MCU layout of one scan.
struct ScanTables {
  /// A block of an MCU.
  struct Block {
    /// The component's index in the scan, which is the index of its DC prediction.
    var slot: Int
    /// Where the component's DC table starts in ``huffman``.
    var dcTable: Int
    /// Where the component's AC table starts in ``huffman``.
    var acTable: Int
    /// Where the component's places and steps start in ``places``.
    var places: Int
    /// The component's index in the frame.
    var component: Int
    /// The block's column in the MCU.
    var column: Int
    /// The block's row in the MCU.
    var row: Int
    /// Blocks of the component in an MCU, across.
    var columnCount: Int
    /// Blocks of the component in an MCU, down.
    var rowCount: Int
  }

  /// The tables in use, one after the other; see ``HuffmanLookup``.
  private(set) var huffman: [Int32] = []
  /// For each component of the scan and zigzag index, with 16 more entries for runs that lead out of the block: the
  /// place in paired order, and above 8 bits of it the quantisation step. Where coefficients are stored, the place is
  /// the zigzag index and the step 1.
  private(set) var places: [UInt32] = []
  /// The blocks of an MCU in their order.
  private(set) var blocks: [Block] = []

  /// Entries of ``places`` for a component.
  static let placesPerComponent = 80

  /// Builds the tables of a scan.
  ///
  /// - Parameter quantization: the table of each component of the scan; `nil` to leave coefficients as they are.
  /// - Throws: ``DecodeError/Kind/malformed`` when a table that the scan needs is not defined.
  init(
    scan: ScanHeader, frame: FrameHeader, huffman tables: HuffmanTable.Set, quantization: [QuantizationTable]?,
    byteOffset: Int
  ) throws(DecodeError) {
    var starts: [Int: Int] = [:]
    for (slot, component) in scan.components.enumerated() {
      var dcStart = 0
      var acStart = 0
      // Refinements of DC are plain bits, AC scans of progressive files need no DC table.
      if scan.codesDC, !scan.isRefinement, !frame.isArithmetic {
        dcStart = try append(tables.dc, component.dcTable, isDC: true, &starts, byteOffset)
      }
      if scan.spectralSelectionEnd > 0, !frame.isArithmetic {
        acStart = try append(tables.ac, component.acTable, isDC: false, &starts, byteOffset)
      }
      let isInterleaved = scan.components.count > 1
      let columns = isInterleaved ? frame.components[component.index].horizontalFactor : 1
      let rows = isInterleaved ? frame.components[component.index].verticalFactor : 1
      for row in 0..<rows {
        for column in 0..<columns {
          blocks.append(
            Block(
              slot: slot, dcTable: dcStart, acTable: acStart, places: slot * Self.placesPerComponent,
              component: component.index, column: column, row: row, columnCount: columns, rowCount: rows))
        }
      }
      for index in 0..<Self.placesPerComponent {
        if let quantization {
          let step = index < 64 ? UInt32(quantization[slot].steps[index]) : 0
          places.append(UInt32(CoefficientOrder.paired[index]) | step << 8)
        } else {
          places.append(UInt32(min(index, 63)) | 1 << 8)
        }
      }
    }
  }

  private mutating func append(
    _ tables: [HuffmanTable?], _ selector: Int, isDC: Bool, _ starts: inout [Int: Int], _ byteOffset: Int
  ) throws(DecodeError) -> Int {
    let key = isDC ? selector : 16 + selector
    if let start = starts[key] { return start }
    guard selector < tables.count, let table = tables[selector], !isDC || table.isValidForDC else {
      throw DecodeError(
        .malformed, "a scan uses a Huffman table that is not defined", format: JPEGDecoder.type,
        byteOffset: byteOffset)
    }
    let start = huffman.count
    huffman.append(contentsOf: repeatElement(0, count: HuffmanLookup.wordCount))
    var words = huffman.mutableSpan._consumingExtracting(start..<start + HuffmanLookup.wordCount)
    HuffmanLookup.build(table, isDC: isDC, into: &words)
    starts[key] = start
    return start
  }
}
