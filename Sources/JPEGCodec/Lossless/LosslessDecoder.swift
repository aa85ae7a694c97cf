// The lossless process (process 14, SOF3), as raw files use it: samples of up to 16 bits, row by row. ITU-T T.81,
// annex H.

public import ImageCoding

/// Decodes a stream of the lossless process.
final class LosslessDecoder: SampleRowReader {
  let frame: SampleFrame
  let heldByteCount: Int
  private let scan: LosslessScanHeader
  private let lookup: DifferenceLookup
  private var reader: EntropyReader
  /// Counts rows, of which intervals consist.
  private var restarts: RestartSynchronizer
  /// The samples of the previous row, before the point transform.
  private var above: [UInt16]
  /// The next row.
  private var y = 0

  /// The work units for decoding a sample.
  private static let workPerSample = 8
  private static let workPerTableByte = 40

  /// Reads the segments up to the scan, and builds its tables.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for another process; `CodecError.Kind.malformed`;
  ///   `CodecError.Kind.truncated`.
  init(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    var headers = LosslessHeaders()
    guard let scan = try headers.read(bytes, budget: &budget), let frame = headers.frame else {
      throw Self.error(.truncated, "the input ends before the scan", at: bytes.count)
    }
    let shape = frame.shape
    heldByteCount = DifferenceLookup.byteCount(componentCount: shape.componentCount) + shape.rowSampleCount * 2
    try budget.allocate(heldByteCount)
    try budget.chargeWork(count: frame.identifiers.count * DifferenceLookup.wordCount, unitsEach: 4)
    lookup = try DifferenceLookup(scan.header, headers.tables.dc, byteOffset: scan.dataOffset)
    guard headers.restartInterval % frame.width == 0 else {
      throw Self.error(.malformed, "a restart interval does not consist of whole rows", at: scan.dataOffset)
    }
    restarts = RestartSynchronizer(interval: headers.restartInterval / frame.width)
    reader = EntropyReader(position: scan.dataOffset)
    above = [UInt16](repeating: 0, count: shape.rowSampleCount)
    self.frame = shape
    self.scan = scan.header
  }

  /// Decodes the next row.
  func readRow(
    _ bytes: Span<UInt8>, into output: inout MutableSpan<UInt16>, budget: inout ResourceBudget
  ) throws(CodecError) {
    let count = frame.rowSampleCount
    guard y < frame.height, output.count == count else {
      throw CodecError(
        .invalidArgument, "the stream has no more rows, or rows of another length", format: JPEGDecoder.type)
    }
    try budget.chargeWork(count: count, unitsEach: Self.workPerSample)
    var isFirst = y == 0
    if restarts.isDue {
      guard case .found = restarts.synchronize(&reader, bytes, isFinal: true) else {
        throw Self.error(.malformed, "a restart marker is missing before row \(y)", at: reader.position)
      }
      isFirst = true
    }
    restarts.remaining -= 1
    lookup.decodeRow(&reader, bytes, componentCount: frame.componentCount, into: &output)
    if reader.overrun {
      throw Self.error(.truncated, "the data end in row \(y) of \(frame.height)", at: reader.position)
    }
    if reader.foundInvalidCode {
      throw Self.error(.malformed, "row \(y) contains an invalid code", at: reader.position)
    }
    predictRow(
      &output, above: above.span, isFirst: isFirst, componentCount: frame.componentCount, predictor: scan.predictor,
      initial: UInt16(truncatingIfNeeded: 1 << (frame.precision - scan.pointTransform - 1)))
    for index in 0..<count { above[index] = output[index] }
    if scan.pointTransform > 0 {
      for index in 0..<count { output[index] <<= UInt16(scan.pointTransform) }
    }
    y += 1
  }

  static func error(_ kind: CodecError.Kind, _ reason: String, at byteOffset: Int) -> CodecError {
    CodecError(kind, reason, format: JPEGDecoder.type, byteOffset: byteOffset)
  }

  /// The segments before the scan.
  struct LosslessHeaders {
    var frame: LosslessFrameHeader?
    var tables = HuffmanTable.Set()
    var restartInterval = 0

    /// Reads segments up to the scan.
    ///
    /// - Returns: the header of the scan and the offset of its data.
    mutating func read(
      _ bytes: Span<UInt8>, budget: inout ResourceBudget
    ) throws(CodecError) -> (header: LosslessScanHeader, dataOffset: Int)? {
      guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == Marker.startOfImage.rawValue else {
        throw LosslessDecoder.error(.malformed, "there is no SOI marker", at: 0)
      }
      var segments = SegmentReader(position: 2)
      while let (marker, content) = segments.nextSegment(bytes) {
        try budget.chargeWork(SegmentReader.workPerSegment)
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
        }
      }
      return nil
    }
  }
}

extension JPEGDecoder: SampleRowDecoder {
  /// Reads the headers of a stream of the lossless process. Its samples are those stored, without conversion of colours.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for another process.
  public func makeRowReader(
    _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> any SampleRowReader {
    try LosslessDecoder(bytes, budget: &budget)
  }
}
