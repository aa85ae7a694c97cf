// The lossless process (process 14, SOF3), as raw files use it: samples of up to 16 bits, row by row. ITU-T T.81,
// annex H.

public import ImageCoding

/// Decodes a stream of the lossless process.
struct LosslessDecoder {
  private let frame: LosslessFrameHeader
  private let scan: LosslessScanHeader
  private let lookup: DifferenceLookup
  /// The offset of the entropy-coded data.
  private let dataOffset: Int
  /// The number of rows of a restart interval; 0 if there are none.
  private let rowsPerInterval: Int

  /// The work units for decoding a sample, and for reading a segment.
  private static let workPerSample = 8
  private static let workPerSegment = 200
  private static let workPerTableByte = 40

  /// Reads the segments up to the scan, and builds its tables.
  ///
  /// - Throws: ``CodecError/Kind/unsupported`` for another process; ``CodecError/Kind/malformed``;
  ///   ``CodecError/Kind/truncated``.
  init(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    var headers = LosslessHeaders()
    guard let scan = try headers.read(bytes, untilScan: true, budget: &budget), let frame = headers.frame else {
      throw Self.error(.truncated, "the input ends before the scan", at: bytes.count)
    }
    try budget.allocate(DifferenceLookup.byteCount(componentCount: frame.identifiers.count))
    try budget.chargeWork(count: frame.identifiers.count * DifferenceLookup.wordCount, unitsEach: 2)
    lookup = try DifferenceLookup(scan.header, headers.tables.dc, byteOffset: scan.dataOffset)
    guard headers.restartInterval % frame.width == 0 else {
      throw Self.error(.malformed, "a restart interval does not consist of whole rows", at: scan.dataOffset)
    }
    rowsPerInterval = headers.restartInterval / frame.width
    self.frame = frame
    self.scan = scan.header
    dataOffset = scan.dataOffset
  }

  /// Decodes all rows.
  func decode(
    _ bytes: Span<UInt8>, budget: inout ResourceBudget,
    row deliver: (Span<UInt16>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    let count = frame.shape.rowSampleCount
    let isShifted = scan.pointTransform > 0
    try budget.allocate(count: count, bytesEach: isShifted ? 6 : 4)
    defer { budget.release(count * (isShifted ? 6 : 4)) }
    var row = [UInt16](repeating: 0, count: count)
    var above = [UInt16](repeating: 0, count: count)
    var shifted = [UInt16](repeating: 0, count: isShifted ? count : 0)
    let initial = UInt16(truncatingIfNeeded: 1 << (frame.precision - scan.pointTransform - 1))
    var reader = EntropyReader(position: dataOffset)
    var restarts = RestartSynchronizer(interval: rowsPerInterval)
    for y in 0..<frame.height {
      try budget.chargeWork(count: count, unitsEach: Self.workPerSample)
      var isFirst = y == 0
      if restarts.isDue {
        guard case .found = restarts.synchronize(&reader, bytes, isFinal: true) else {
          throw Self.error(.malformed, "a restart marker is missing before row \(y)", at: reader.position)
        }
        isFirst = true
      }
      restarts.remaining -= 1
      var samples = row.mutableSpan
      lookup.decodeRow(&reader, bytes, componentCount: frame.identifiers.count, into: &samples)
      if reader.overrun {
        throw Self.error(.truncated, "the data end in row \(y) of \(frame.height)", at: reader.position)
      }
      if reader.foundInvalidCode {
        throw Self.error(.malformed, "row \(y) contains an invalid code", at: reader.position)
      }
      predictRow(
        &samples, above: above.span, isFirst: isFirst, componentCount: frame.identifiers.count,
        predictor: scan.predictor, initial: initial)
      if isShifted {
        for index in 0..<count { shifted[index] = row[index] << UInt16(scan.pointTransform) }
        try deliver(shifted.span, &budget)
      } else {
        try deliver(row.span, &budget)
      }
      swap(&row, &above)
    }
  }

  static func error(_ kind: CodecError.Kind, _ reason: String, at byteOffset: Int) -> CodecError {
    CodecError(kind, reason, format: JPEGDecoder.type, byteOffset: byteOffset)
  }

  /// The segments before the scan.
  struct LosslessHeaders {
    var frame: LosslessFrameHeader?
    var tables = HuffmanTable.Set()
    var restartInterval = 0

    /// Reads segments up to the frame header, or up to the scan.
    ///
    /// - Returns: the header of the scan and the offset of its data.
    mutating func read(
      _ bytes: Span<UInt8>, untilScan: Bool, budget: inout ResourceBudget
    ) throws(CodecError) -> (header: LosslessScanHeader, dataOffset: Int)? {
      guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == Marker.startOfImage.rawValue else {
        throw LosslessDecoder.error(.malformed, "there is no SOI marker", at: 0)
      }
      var segments = SegmentReader(position: 2)
      while let (marker, content) = segments.nextSegment(bytes) {
        try budget.chargeWork(LosslessDecoder.workPerSegment)
        var reader = ByteReader(
          bytes.extracting(content), baseOffset: content.lowerBound, format: JPEGDecoder.type)
        switch marker {
        case .defineHuffmanTables:
          try budget.chargeWork(count: content.count, unitsEach: LosslessDecoder.workPerTableByte)
          try HuffmanTable.parseSegment(&reader, into: &tables)
        case .defineRestartInterval: restartInterval = Int(try reader.readUInt16BigEndian())
        case .startOfScan:
          guard let frame else { throw reader.error(.malformed, "the scan precedes the frame header") }
          return (try LosslessScanHeader(parsing: &reader, frame: frame), content.upperBound)
        case .endOfImage: throw reader.error(.malformed, "the image ends before its scan")
        default:
          guard marker.isStartOfFrame else { continue }
          guard marker.rawValue == 0xC3, frame == nil else {
            throw reader.error(.unsupported, "the process is not the lossless one with Huffman coding")
          }
          frame = try LosslessFrameHeader(parsing: &reader)
          if !untilScan { return nil }
        }
      }
      return nil
    }
  }
}

extension JPEGDecoder: SampleRowDecoder {
  /// Reads the frame header of a stream of the lossless process.
  ///
  /// - Throws: ``CodecError/Kind/unsupported`` for another process.
  public func sampleFrame(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> SampleFrame {
    var headers = LosslessDecoder.LosslessHeaders()
    _ = try headers.read(bytes, untilScan: false, budget: &budget)
    guard let frame = headers.frame else {
      throw LosslessDecoder.error(.truncated, "the input ends before the frame header", at: bytes.count)
    }
    return frame.shape
  }

  /// Decodes a stream of the lossless process: samples as stored, without conversion of colours.
  public func decodeSamples(
    _ bytes: Span<UInt8>, budget: inout ResourceBudget,
    row: (Span<UInt16>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    let decoder = try LosslessDecoder(bytes, budget: &budget)
    try decoder.decode(bytes, budget: &budget, row: row)
  }
}
