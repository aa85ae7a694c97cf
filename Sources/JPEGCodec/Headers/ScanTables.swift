// The tables used to decode a scan: Huffman tables, coefficient positions and steps, and the blocks of an MCU. All are
// flat arrays that are borrowed once per row.

internal import ImageCoding

/// The look-up tables and the MCU layout of one scan.
struct ScanTables {
  /// A block of an MCU.
  struct Block {
    /// The index of the component in the scan, which is also the index of its DC prediction.
    var slot: Int
    /// The offset of the component's DC table in ``huffman``.
    var dcTable: Int
    /// The offset of the component's AC table in ``huffman``.
    var acTable: Int
    /// The offset of the component's positions and steps in ``places``.
    var places: Int
    /// The index of the component in the frame.
    var component: Int
    /// The block's column in the MCU.
    var column: Int
    /// The block's row in the MCU.
    var row: Int
    /// The number of the component's blocks across an MCU.
    var columnCount: Int
    /// The number of the component's blocks down an MCU.
    var rowCount: Int
  }

  /// The tables in use, concatenated; see ``HuffmanLookup``.
  private(set) var huffman: [Int32] = []
  /// For each component of the scan and zigzag index, followed by 16 entries for runs past the end of the block: the
  /// position in paired order in the low 8 bits, and the quantisation step above them. With coefficient buffering, the
  /// position is the zigzag index and the step is 1.
  private(set) var places: [UInt32] = []
  /// The blocks of an MCU, in order.
  private(set) var blocks: [Block] = []

  /// The memory of the tables.
  var byteCount: Int { (huffman.count + places.count) * 4 + blocks.count * MemoryLayout<Block>.stride }

  /// The number of entries of ``places`` per component.
  static let placesPerComponent = 80

  /// Builds the tables of a scan.
  ///
  /// - Parameter quantization: the table of each component of the scan; `nil` to leave coefficients quantised.
  /// - Throws: `CodecError.Kind.malformed` if a table needed by the scan is not defined.
  init(
    scan: ScanHeader, frame: FrameHeader, huffman tables: HuffmanTable.Set, quantization: [QuantizationTable]?,
    byteOffset: Int
  ) throws(CodecError) {
    var starts: [Int: Int] = [:]
    for (slot, component) in scan.components.enumerated() {
      var dcStart = 0
      var acStart = 0
      // DC refinements are plain bits, and AC scans of progressive files need no DC table.
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
  ) throws(CodecError) -> Int {
    let key = isDC ? selector : 16 + selector
    if let start = starts[key] { return start }
    guard selector < tables.count, let table = tables[selector], !isDC || table.isValidForDC else {
      throw CodecError(
        .malformed, "the scan uses a Huffman table that is not defined", format: JPEGDecoder.type,
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
