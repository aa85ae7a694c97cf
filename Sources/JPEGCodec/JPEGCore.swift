// The stages of a JPEG: segments → headers and tables → scans → rows, or buffered coefficients → pixels.

internal import ImageCoding
internal import MetadataFormats

/// The decoder of one image.
struct JPEGCore: DecodingCore {
  var format: AssetType { JPEGDecoder.type }

  /// The part of the file that the decoder expects next.
  enum Stage {
    case startOfImage, segments, rows, storedScan, skippedScan, trailer, finished
  }

  /// The desired size of the upright image; `nil` selects the stored size.
  let targetSize: PixelSize?
  /// Whether coefficients not yet received are estimated.
  let smoothsIncompleteScans: Bool
  /// Whether progressive images at an eighth of their size are decoded from DC coefficients only.
  let approximatesEighths: Bool
  /// Whether only the headers are needed.
  let stopsAtFirstScan: Bool
  /// Whether all coefficients are buffered and no pixels are needed.
  let keepsCoefficients: Bool
  var stage = Stage.startOfImage
  /// The file offset of the next byte.
  var offset = 0

  var quantizationTables: [QuantizationTable?] = [nil, nil, nil, nil]
  var huffmanTables = HuffmanTable.Set()
  var arithmeticConditioning = ArithmeticConditioning()
  var restartInterval = 0
  var frame: FrameHeader?
  var collector = MetadataCollector()
  var metadata = ImageMetadata()
  /// The facts from the headers; set at the first scan.
  var info: ImageInfo?

  /// The scan with all components, if there is one.
  var rows: RowDecoding?
  /// The coefficients buffered between scans, otherwise.
  var buffered: BufferedDecoding?
  /// The search for the end of the image, while scans wait for it.
  var imageEnd: ImageEndSearch?
  /// Whether all buffered scans have become pixels already, chunk by chunk.
  var isRendered = false
  /// The ends of these scans, unless their effects on the state of the decoder are in place.
  var renderedScans: ArraySlice<RenderedScan> = []
  /// The offset at which the search for the end of a scan's data continues.
  var searchOffset = 0
  var scanCount = 0
  var completedScanCount = 0

  /// The work units for a byte of tables. The smallest Huffman table has 17 bytes.
  private static let workPerTableByte = 40

  init(
    _ goal: DecodingGoal, options: DecodingOptions, smoothsIncompleteScans: Bool = true,
    approximatesEighths: Bool = false
  ) {
    self.approximatesEighths = approximatesEighths && goal == .pixels
    stopsAtFirstScan = goal != .pixels && goal != .coefficients
    keepsCoefficients = goal == .coefficients
    targetSize = options.region == nil ? options.targetSize : nil
    self.smoothsIncompleteScans = smoothsIncompleteScans
  }

  /// Performs step after step.
  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    do {
      while stage != .finished {
        guard try step(input, &bitmap, &context) else { break }
      }
      if input.isFinal, stage != .finished { try endInput(&context) }
    } catch {
      if stopsAtFirstScan { return try endHeaders(error) }
      // Pixels decoded before the damage are worth returning.
      let hasPixels = rows != nil || completedScanCount > 0
      guard hasPixels, !context.isStrict, !error.isInterruption, error.kind != .limitExceeded else { throw error }
      context.note(.damage, error.reason, byteOffset: error.byteOffset)
      stage = .finished
    }
  }

  /// Performs one step. Returns `false` if more input is needed.
  private mutating func step(
    _ input: InputWindow, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    switch stage {
    case .startOfImage: return try readStartOfImage(input.bytes)
    case .segments, .trailer: return try readSegment(input, &bitmap, &context)
    case .rows: return try decodeRows(input, &bitmap, &context)
    case .storedScan: return try decodeStoredScan(input, &bitmap, &context)
    case .skippedScan: return try skipScan(input, &context)
    case .finished: return false
    }
  }

  var retainedOffset: Int { stage == .finished ? .max : offset }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: info != nil, completedRowCount: completedRowCount, completedScanCount: completedScanCount,
      isComplete: stage == .finished)
  }

  private mutating func readStartOfImage(_ bytes: Span<UInt8>) throws(CodecError) -> Bool {
    guard bytes.count >= 2 else { return false }
    guard bytes[0] == 0xFF, bytes[1] == Marker.startOfImage.rawValue else {
      throw error(.unrecognizedFormat, "there is no SOI marker", at: 0)
    }
    offset = 2
    stage = .segments
    return true
  }

  /// Reads a segment, or as much of a marker as there is. Returns `false` if more input is needed.
  mutating func readSegment(
    _ input: InputWindow, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let (bytes, baseOffset) = (input.bytes, input.baseOffset)
    try context.budget.chargeWork(SegmentReader.workPerSegment)
    var segments = SegmentReader(position: offset - baseOffset)
    let item = segments.next(bytes)
    if let start = segments.garbageStart {
      offset = baseOffset + start
      try context.tolerateOnce(error(.malformed, "there are stray bytes between segments"), as: .warning)
    }
    switch item {
    case .incomplete:
      offset = baseOffset + segments.position
      return false
    case .badLength(let marker):
      offset = baseOffset + segments.position
      let reason = "the length of a segment is less than 2"
      // Comments and application data can be malformed without consequence, as in libjpeg.
      guard marker == .comment || marker.rawValue & 0xF0 == 0xE0 else { throw error(.malformed, reason) }
      try context.tolerateOnce(error(.malformed, reason), as: .warning)
      return true
    case .segment(let marker, let content):
      let reader = ByteReader(
        bytes.extracting(content), baseOffset: baseOffset + content.lowerBound, format: JPEGDecoder.type)
      if stage == .trailer {
        offset = baseOffset + segments.position
        readTrailer(marker, &context)
        return true
      }
      if marker == .startOfScan, frame?.height == 0 {
        guard try findNumberOfLines(input, from: content.upperBound, &context) else { return false }
      }
      offset = baseOffset + segments.position
      try interpret(marker, reader, &bitmap, &context)
      return true
    }
  }

  /// Handles markers after all pixels are decoded, when only the end of the image is expected.
  private mutating func readTrailer(_ marker: Marker, _ context: inout DecodingContext) {
    if marker == .endOfImage {
      stage = .finished
    } else if marker == .startOfScan || marker == .startOfImage {
      context.note(.warning, "another scan follows a complete image", byteOffset: offset)
      stage = .finished
    }
  }

  private mutating func interpret(
    _ marker: Marker, _ segment: consuming ByteReader, _ bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if marker.definesTables {
      try context.budget.chargeWork(count: segment.remaining, unitsEach: Self.workPerTableByte)
    }
    switch marker {
    case .defineQuantizationTables: try QuantizationTable.parseSegment(&segment, into: &quantizationTables)
    case .defineHuffmanTables: try HuffmanTable.parseSegment(&segment, into: &huffmanTables)
    case .defineArithmeticConditioning: try arithmeticConditioning.parseSegment(&segment)
    case .defineRestartInterval: restartInterval = Int(try segment.readUInt16BigEndian())
    case .startOfScan: try startScan(&segment, &bitmap, &context)
    case .endOfImage:
      guard completedScanCount > 0 else { throw error(.malformed, "the image ends before its first scan") }
      stage = .finished
    case .startOfImage:
      throw error(.malformed, "a second SOI marker")
    default:
      if marker.isStartOfFrame {
        try readFrame(&segment, marker, &context)
      } else if info == nil {
        collector.take(segment.bytes, of: marker, budget: &context.budget)
      }
    }
  }

  private mutating func readFrame(
    _ segment: inout ByteReader, _ marker: Marker, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard frame == nil else { throw error(.malformed, "a second SOF marker") }
    let header = try FrameHeader(parsing: &segment, marker: marker)
    // Checked before anything is allocated. A height from a DNL segment is checked again.
    try admitSize(width: header.width, height: header.height, byteOffset: offset, &context)
    frame = header
  }

  /// Checks the size stored in the file, and allows the work that its pixels take. The size in memory, which may be a
  /// fraction of it, is checked at allocation. Headers are read of pictures of any size.
  private func admitSize(
    width: Int, height: Int, byteOffset: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    if stopsAtFirstScan { return }
    var limits = context.limits
    if targetSize != nil || context.isStreaming {
      limits.maximumPixelCount = max(limits.maximumPixelCount, limits.maximumSourcePixelCount)
    }
    limits.maximumByteCount = .max
    _ = try limits.checkedByteCount(
      width: width, height: height, bytesPerPixel: 1, format: JPEGDecoder.type, byteOffset: byteOffset)
    context.budget.allowWork(forPixelCount: width * height)
  }

  /// Searches after the first scan for the height that the frame header left open. ITU-T T.81, section B.2.5.
  ///
  /// - Returns: `false` if it has not arrived yet.
  private mutating func findNumberOfLines(
    _ input: InputWindow, from start: Int, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let (bytes, baseOffset) = (input.bytes, input.baseOffset)
    let end = SegmentReader.endOfEntropyCodedData(bytes, from: max(start, searchOffset - baseOffset))
    let index = end.index
    searchOffset = baseOffset + index
    if end.isFound, index + 6 <= bytes.count || bytes[index + 1] != Marker.defineNumberOfLines.rawValue {
      guard bytes[index + 1] == Marker.defineNumberOfLines.rawValue else {
        throw error(.malformed, "the frame has no lines, and no DNL segment specifies their number")
      }
      let rows = Int(bytes[index + 4]) << 8 | Int(bytes[index + 5])
      guard rows > 0, let width = frame?.width else { throw error(.malformed, "a DNL segment specifies zero lines") }
      try admitSize(width: width, height: rows, byteOffset: searchOffset, &context)
      frame?.setHeight(rows)
      return true
    }
    if input.isFinal { throw error(.truncated, "the input ends before the DNL segment that specifies the height") }
    return false
  }

  /// Handles the end of the input before the end of the image.
  private mutating func endInput(_ context: inout DecodingContext) throws(CodecError) {
    switch stage {
    case .trailer:
      try context.tolerateOnce(error(.truncated, "the EOI marker is missing"), as: .warning)
    case .segments where completedScanCount > 0:
      // More scans may be missing too; the file does not declare their number.
      try context.tolerateOnce(error(.truncated, "the EOI marker is missing"), as: .warning)
    default:
      throw error(.truncated, "the input ends before the first scan")
    }
    stage = .finished
  }
}
