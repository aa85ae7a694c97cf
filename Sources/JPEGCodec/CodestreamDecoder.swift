// The sequence of stages: segments → headers and tables → scans → rows or stored coefficients → pixels. Takes as much
// of the file as is there and goes on from there with the next call; one-shot decoding is one call with everything.

internal import ImageCore
internal import MetadataFormats

/// Decodes one image.
struct CodestreamDecoder {
  /// What comes next.
  enum Stage {
    case startOfImage, segments, rows, storedScan, trailer, finished
  }

  let options: DecodingOptions
  /// Whether coefficients that no scan has given yet are estimated.
  let smoothsIncompleteScans: Bool
  /// Whether only the headers are wanted.
  var stopsAtFirstScan = false
  var stage = Stage.startOfImage
  /// The offset of the next byte in the file.
  var offset = 0
  var diagnostics: [ImageDiagnostic] = []

  var quantizationTables: [QuantizationTable?] = [nil, nil, nil, nil]
  var huffmanTables = HuffmanTable.Set()
  var arithmeticConditioning = ArithmeticConditioning()
  var restartInterval = 0
  var frame: FrameHeader?
  var collector: MetadataCollector
  var metadata = ImageMetadata()
  /// The facts of the headers, from the first scan on.
  var info: ImageInfo?

  /// The scan that holds everything, where there is one.
  var rows: RowDecoding?
  /// Coefficients between scans, otherwise.
  var stored: StoredDecoding?
  /// Where the search for the end of a scan's data goes on.
  var searchOffset = 0
  var scanCount = 0
  var completedScanCount = 0

  init(options: DecodingOptions, smoothsIncompleteScans: Bool = true) {
    self.options = options
    self.smoothsIncompleteScans = smoothsIncompleteScans
    collector = MetadataCollector(limits: options.limits)
  }

  /// Goes on as far as the bytes allow.
  ///
  /// - Parameters:
  ///   - bytes: the file from `baseOffset` on, as far as it is there; `baseOffset` is at most ``offset``.
  ///   - isFinal: whether nothing comes behind `bytes`.
  ///   - bitmap: takes rows as they are decoded; the same one in every call.
  mutating func advance(
    _ bytes: Span<UInt8>, baseOffset: Int, isFinal: Bool, into bitmap: inout Bitmap
  ) throws(DecodeError) {
    do {
      while stage != .finished {
        guard try step(bytes, baseOffset, isFinal, &bitmap) else { break }
      }
      if isFinal, stage != .finished { try endInput() }
    } catch {
      // What was decoded before the damage is worth showing.
      let hasPixels = rows != nil || completedScanCount > 0
      guard hasPixels, options.tolerance == .lenient, error.kind != .cancelled, error.kind != .limitExceeded else {
        throw error
      }
      diagnostics.append(ImageDiagnostic(.damage, error.reason, byteOffset: error.byteOffset))
      stage = .finished
    }
  }

  /// Does the next thing; `false` when it needs more input.
  private mutating func step(
    _ bytes: Span<UInt8>, _ baseOffset: Int, _ isFinal: Bool, _ bitmap: inout Bitmap
  ) throws(DecodeError) -> Bool {
    switch stage {
    case .startOfImage: return try readStartOfImage(bytes)
    case .segments, .trailer: return try readSegment(bytes, baseOffset, isFinal, &bitmap)
    case .rows: return try decodeRows(bytes, baseOffset, isFinal, &bitmap)
    case .storedScan: return try decodeStoredScan(bytes, baseOffset, isFinal)
    case .finished: return false
    }
  }

  private mutating func readStartOfImage(_ bytes: Span<UInt8>) throws(DecodeError) -> Bool {
    guard bytes.count >= 2 else { return false }
    guard bytes[0] == 0xFF, bytes[1] == Marker.startOfImage.rawValue else {
      throw DecodeError(.unrecognizedFormat, "no SOI marker at the start", format: JPEGDecoder.type, byteOffset: 0)
    }
    offset = 2
    stage = .segments
    return true
  }

  private mutating func readSegment(
    _ bytes: Span<UInt8>, _ baseOffset: Int, _ isFinal: Bool, _ bitmap: inout Bitmap
  ) throws(DecodeError) -> Bool {
    var segments = SegmentReader(position: offset - baseOffset)
    let item = segments.next(bytes)
    if let start = segments.garbageStart {
      offset = baseOffset + start
      try report(.warning, "bytes between segments that belong to none")
    }
    switch item {
    case .incomplete:
      offset = baseOffset + segments.position
      return false
    case .badLength(let marker):
      offset = baseOffset + segments.position
      let reason = "a segment's length is less than 2"
      // Comments and application data may be anything, as in libjpeg.
      guard marker == .comment || marker.rawValue & 0xF0 == 0xE0 else { throw failure(.malformed, reason) }
      try report(.warning, reason)
      return true
    case .segment(let marker, let content):
      let reader = ByteReader(
        bytes.extracting(content), baseOffset: baseOffset + content.lowerBound, format: JPEGDecoder.type)
      if stage == .trailer {
        offset = baseOffset + segments.position
        readTrailer(marker)
        return true
      }
      if marker == .startOfScan, frame?.height == 0 {
        guard try findNumberOfLines(bytes, baseOffset, from: content.upperBound, isFinal) else { return false }
      }
      offset = baseOffset + segments.position
      try interpret(marker, reader, &bitmap)
      return true
    }
  }

  /// Everything is decoded; only the end of the image is still to come.
  private mutating func readTrailer(_ marker: Marker) {
    if marker == .endOfImage {
      stage = .finished
    } else if marker == .startOfScan || marker == .startOfImage {
      diagnostics.append(ImageDiagnostic(.warning, "another scan follows a complete image", byteOffset: offset))
      stage = .finished
    }
  }

  private mutating func interpret(
    _ marker: Marker, _ segment: consuming ByteReader, _ bitmap: inout Bitmap
  ) throws(DecodeError) {
    switch marker {
    case .defineQuantizationTables: try QuantizationTable.parseSegment(&segment, into: &quantizationTables)
    case .defineHuffmanTables: try HuffmanTable.parseSegment(&segment, into: &huffmanTables)
    case .defineArithmeticConditioning: try arithmeticConditioning.parseSegment(&segment)
    case .defineRestartInterval: restartInterval = Int(try segment.readUInt16BigEndian())
    case .startOfScan: try startScan(&segment, &bitmap)
    case .endOfImage:
      guard completedScanCount > 0 else { throw failure(.malformed, "the image ends before its first scan") }
      stage = .finished
    case .startOfImage:
      throw failure(.malformed, "a second SOI marker")
    default:
      if marker.isStartOfFrame {
        try readFrame(&segment, marker)
      } else if info == nil {
        collector.take(segment.bytes, of: marker)
      }
    }
  }

  private mutating func readFrame(_ segment: inout ByteReader, _ marker: Marker) throws(DecodeError) {
    guard frame == nil else { throw failure(.malformed, "a second SOF marker") }
    let header = try FrameHeader(parsing: &segment, marker: marker)
    // Before anything is allocated for it; a height that DNL gives is checked again.
    _ = try options.limits.checkedByteCount(
      width: header.width, height: header.height, bytesPerPixel: 1, format: JPEGDecoder.type, byteOffset: offset)
    frame = header
  }

  /// Looks behind the first scan for the height that the frame header left open. ITU-T T.81, section B.2.5.
  ///
  /// - Returns: `false` when it is not there yet.
  private mutating func findNumberOfLines(
    _ bytes: Span<UInt8>, _ baseOffset: Int, from start: Int, _ isFinal: Bool
  ) throws(DecodeError) -> Bool {
    let (index, isFound) = SegmentReader.endOfEntropyCodedData(bytes, from: max(start, searchOffset - baseOffset))
    searchOffset = baseOffset + index
    if isFound, index + 6 <= bytes.count || bytes[index + 1] != Marker.defineNumberOfLines.rawValue {
      guard bytes[index + 1] == Marker.defineNumberOfLines.rawValue else {
        throw failure(.malformed, "the frame has no lines, and no DNL segment gives their number")
      }
      let rows = Int(bytes[index + 4]) << 8 | Int(bytes[index + 5])
      guard rows > 0, let width = frame?.width else { throw failure(.malformed, "a DNL segment of no lines") }
      _ = try options.limits.checkedByteCount(
        width: width, height: rows, bytesPerPixel: 1, format: JPEGDecoder.type, byteOffset: searchOffset)
      frame?.setHeight(rows)
      return true
    }
    if isFinal { throw failure(.truncated, "the input ends before the DNL segment that gives the height") }
    return false
  }

  /// The input is over before the image is.
  private mutating func endInput() throws(DecodeError) {
    switch stage {
    case .trailer:
      try report(.warning, "the EOI marker is missing", kind: .truncated)
    case .segments where completedScanCount > 0:
      // Whether more scans were to come, nobody knows.
      try report(.warning, "the EOI marker is missing", kind: .truncated)
    default:
      throw failure(.truncated, "the input ends before the first scan")
    }
    stage = .finished
  }

  /// An error at the current byte.
  func failure(_ kind: DecodeError.Kind, _ reason: String) -> DecodeError {
    DecodeError(kind, reason, format: JPEGDecoder.type, byteOffset: offset)
  }

  /// Notes something wrong, or throws it when the caller is strict. The same thing is noted once.
  mutating func report(
    _ severity: ImageDiagnostic.Severity, _ reason: String, kind: DecodeError.Kind = .malformed
  ) throws(DecodeError) {
    if options.tolerance == .strict { throw failure(kind, reason) }
    if !diagnostics.contains(where: { $0.reason == reason }) {
      diagnostics.append(ImageDiagnostic(severity, reason, byteOffset: offset))
    }
  }
}
