// Finds the bytes of entropy-coded segments that their MCUs use. Bytes between the last MCU of a restart interval or a
// scan and the next marker are no part of the picture.

internal import ImageCoding

/// Follows the headers and tables of a file, and decodes its scans to find where their data ends.
struct ScanContentReader {
  private(set) var frame: FrameHeader?
  private var huffmanTables = HuffmanTable.Set()
  private var restartInterval = 0
  /// The coefficients of progressive scans, whose refinements depend on earlier scans.
  private var planes: CoefficientPlanes?
  /// Whether the file is coded in a way that is decoded.
  private var isReadable = true

  /// The work units for visiting a block; a refinement of AC coefficients visits each coefficient.
  private static let workPerBlock = 10
  private static let workPerRefinedBlock = 40
  /// The work units for decoding a byte of entropy-coded data.
  private static let workPerByte = 20
  /// The work units for finding a restart marker.
  private static let workPerRestart = 100

  /// Reads a segment of tables or the frame header.
  mutating func read(_ marker: Marker, _ content: Span<UInt8>, budget: inout ResourceBudget) {
    guard isReadable else { return }
    var reader = ByteReader(content, format: JPEGDecoder.type)
    do throws(CodecError) {
      switch marker {
      case .defineHuffmanTables: try HuffmanTable.parseSegment(&reader, into: &huffmanTables)
      case .defineRestartInterval: restartInterval = Int(try reader.readUInt16BigEndian())
      case _ where marker.isStartOfFrame:
        guard frame == nil else { break }
        let header = try FrameHeader(parsing: &reader, marker: marker)
        isReadable = header.precision == 8 && !header.isArithmetic
        budget.allowWork(forDataOf: PixelSize(width: header.width, height: header.height))
        frame = header
      default: break
      }
    } catch {
      isReadable = false
    }
  }

  /// Whether the frame header leaves the number of lines to a DNL segment.
  private(set) var isHeightOpen = false

  /// Reads the number of lines from the DNL segment after the first scan, if the frame header left it open.
  ///
  /// - Parameter scanEnd: the position of the marker after the scan.
  /// - Throws: `CodecError.Kind.malformed` if that segment is too short.
  mutating func findHeight(_ bytes: Span<UInt8>, scanEnd: Int) throws(CodecError) {
    guard frame?.height == 0 else { return }
    isHeightOpen = true
    guard scanEnd + 6 <= bytes.count, bytes[scanEnd + 1] == Marker.defineNumberOfLines.rawValue else { return }
    guard Int(bytes[scanEnd + 2]) << 8 | Int(bytes[scanEnd + 3]) >= 4 else {
      throw CodecError(
        .malformed, "a DNL segment specifies no lines", format: JPEGDecoder.type, byteOffset: scanEnd)
    }
    let rows = Int(bytes[scanEnd + 4]) << 8 | Int(bytes[scanEnd + 5])
    if rows > 0 { frame?.setHeight(rows) }
  }

  /// Whether a scan contains all of a sequential image, after which decoders ignore everything but EOI.
  func isWholeImage(_ header: Span<UInt8>) -> Bool {
    guard let frame, frame.process == .sequential, !frame.isArithmetic else { return false }
    var reader = ByteReader(header, format: JPEGDecoder.type)
    guard let scan = try? ScanHeader(parsing: &reader, frame: frame) else { return false }
    return scan.components.count == frame.components.count
  }

  /// Returns the ranges of a scan's data that its MCUs and restart markers use, in order.
  ///
  /// - Parameters:
  ///   - header: the content of the SOS segment.
  ///   - range: the bytes up to the marker that ends the scan.
  /// - Returns: `nil` if the data is damaged, so that decoders disagree about its content, or if it is coded by a
  ///   process that is not decoded.
  /// - Throws: `CodecError.Kind.limitExceeded` and other errors of `budget`.
  mutating func content(
    of range: Range<Int>, _ header: Span<UInt8>, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> [Range<Int>]? {
    guard isReadable, let frame, frame.height > 0 else { return nil }
    var reader = ByteReader(header, format: JPEGDecoder.type)
    var tables = huffmanTables
    tables.fillMissingWithStandardTables()
    guard let scan = try? ScanHeader(parsing: &reader, frame: frame),
      let scanTables = try? ScanTables(
        scan: scan, frame: frame, huffman: tables, quantization: nil, byteOffset: range.lowerBound)
    else {
      isReadable = false
      return nil
    }
    let walk = ScanWalk(
      scan: BufferedScan(header: scan, frame: frame, tables: scanTables), restartInterval: restartInterval, range: range
    )
    // Never past the end of the scan.
    let data = bytes.extracting(0..<min(bytes.count, range.upperBound + 2))
    var noPlanes: CoefficientPlanes?
    if frame.process == .sequential { return try walk.pieces(SequentialBlock.self, data, &noPlanes, &budget) }
    if planes == nil {
      planes = CoefficientPlanes(frame: frame)
      try planes?.charge(&budget, byteOffset: range.lowerBound)
      planes?.allocate(budget.bufferPool)
    }
    let pieces: [Range<Int>]?
    switch (scan.codesDC, scan.isRefinement) {
    case (true, false): pieces = try walk.pieces(FirstDC.self, data, &planes, &budget)
    case (true, true): pieces = try walk.pieces(RefinedDC.self, data, &planes, &budget)
    case (false, false): pieces = try walk.pieces(FirstAC.self, data, &planes, &budget)
    case (false, true): pieces = try walk.pieces(RefinedAC.self, data, &planes, &budget)
    }
    // Refinements after a damaged scan cannot be followed.
    if pieces == nil { isReadable = false }
    return pieces
  }

  /// Decodes one scan.
  private struct ScanWalk {
    let scan: BufferedScan
    let restartInterval: Int
    let range: Range<Int>

    /// - Parameter planes: the coefficients; `nil` if they are not needed.
    @inline(__always)
    func pieces<Procedure: BlockProcedure>(
      _ procedure: Procedure.Type, _ bytes: Span<UInt8>, _ planes: inout CoefficientPlanes?,
      _ budget: inout ResourceBudget
    ) throws(CodecError) -> [Range<Int>]? {
      let layout = planes?.planes
      // Moved out of the property, so that it is mutated in place; a single block if coefficients are not needed.
      var storage = planes?.coefficients ?? [Int16](repeating: 0, count: 64)
      planes?.coefficients = []
      defer { planes?.coefficients = storage }
      var coefficients = storage.mutableSpan
      let (mcusPerRow, blocks) = (scan.mcusPerRow, scan.tables.blocks.span)
      let (huffman, places) = (scan.tables.huffman.span, scan.tables.places.span)
      var cursor = ScanCursor(position: range.lowerBound, restartInterval: restartInterval)
      var state = BlockState(cursor)
      var pieces = Pieces(start: range.lowerBound)
      for row in 0..<scan.mcuRowCount {
        let start = state.reader.position
        let isRefined = scan.header.isRefinement && !scan.header.codesDC
        try budget.chargeWork(
          count: mcusPerRow * blocks.count,
          unitsEach: isRefined ? ScanContentReader.workPerRefinedBlock : ScanContentReader.workPerBlock,
          byteOffset: range.lowerBound)
        var column = 0
        while column < mcusPerRow {
          if cursor.restarts.isDue {
            try budget.chargeWork(ScanContentReader.workPerRestart)
            state.store(in: &cursor)
            pieces.end(at: cursor.reader.unreadPosition(bytes))
            guard case .decode = cursor.passBoundary(bytes, isFinal: true) else { return nil }
            pieces.start = cursor.reader.position - 2
            if pieces.isSplit { try budget.allocate(MemoryLayout<Range<Int>>.stride) }
            state = BlockState(cursor)
          }
          let unchanged = min(procedure.unchangedBlockCount(state), mcusPerRow &- column, cursor.mcusBeforeRestart)
          if unchanged > 0 {
            state.endOfBandRun &-= unchanged
            cursor.advance(by: unchanged)
            column &+= unchanged
            continue
          }
          for index in blocks.indices {
            let block = blocks[index]
            let first =
              layout?[block.component].block(
                row: row &* block.rowCount &+ block.row, column: column &* block.columnCount &+ block.column) ?? 0
            var target = coefficients._mutatingExtracting(first..<first &+ 64)
            procedure.decode(&state, bytes, huffman, places, scan.header, block, &target)
          }
          guard !state.reader.overrun else { return nil }
          cursor.advance()
          column &+= 1
        }
        try budget.chargeWork(
          count: max(0, state.reader.position - start), unitsEach: ScanContentReader.workPerByte, byteOffset: start)
      }
      guard !state.reader.foundInvalidCode else { return nil }
      pieces.end(at: state.reader.unreadPosition(bytes))
      return pieces.ranges
    }
  }

  /// Disjoint ranges in ascending order.
  private struct Pieces {
    private(set) var ranges: [Range<Int>] = []
    var start: Int

    init(start: Int) {
      self.start = start
    }

    /// Whether the next range does not continue the last one.
    var isSplit: Bool { ranges.last?.upperBound != start }

    mutating func end(at end: Int) {
      let range = start..<max(start, end)
      if let last = ranges.last, last.upperBound == start {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
  }
}
