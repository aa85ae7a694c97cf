// The stages of a QOI file: header, pixels, end marker.

internal import ImageCoding

/// Decodes a QOI file.
struct QOICore: DecodingCore {
  var format: AssetType { QOIDecoder.type }

  private enum Stage {
    case header
    case pixels
    case endMarker
    case ended
  }

  /// The work units for a pixel.
  private static let workPerPixel = 6
  private static let endMarker: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  private let goal: DecodingGoal
  private var stage = Stage.header
  private var header: QOIHeader?
  private var output: RowOutput?
  private var runs = PixelRuns()
  /// The current row in the natural format.
  private var row: [UInt8] = []
  private var x = 0
  private var position = 0

  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  var info: ImageInfo? { header?.info }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: header != nil, completedRowCount: output?.rowCount ?? 0, isComplete: stage == .ended,
      neededByteCount: header == nil ? QOIHeader.byteCount : nil)
  }

  var retainedOffset: Int { stage == .ended ? .max : position }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if stage == .header {
      guard input.isFinal || input.endOffset >= QOIHeader.byteCount else { return }
      try readHeader(input, into: &bitmap, &context)
    }
    if stage == .pixels, let header {
      try decodeRows(header, input, into: &bitmap, &context)
    }
    if stage == .endMarker {
      guard input.isFinal || input.endOffset - position >= Self.endMarker.count else { return }
      try checkEndMarker(input, &context)
    }
  }

  private mutating func readHeader(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    var reader = ByteReader(input.bytes, format: format)
    let header = try QOIHeader(parsing: &reader)
    self.header = header
    position = QOIHeader.byteCount
    guard goal == .pixels else { return stage = .ended }
    if let defect = header.defect { try context.tolerate(error(.malformed, defect, at: 12), as: .warning) }
    output = try RowOutput(
      header.format, size: PixelSize(width: header.width, height: header.height), colorSpace: header.colorSpace,
      byteOffset: 4, into: &bitmap, &context)
    try context.budget.allocate(count: header.width, bytesEach: header.format.bytesPerPixel)
    row = [UInt8](repeating: 0, count: header.width * header.format.bytesPerPixel)
    stage = .pixels
  }

  private mutating func decodeRows(
    _ header: QOIHeader, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    while output?.isComplete == false {
      let start = x
      var index = position - input.baseOffset
      // Moved out of the property while in use, so that nothing is copied.
      var pixels = row
      row = []
      var span = pixels.mutableSpan
      runs.decode(
        input.bytes, position: &index, into: &span, x: &x, width: header.width, hasAlpha: header.format.hasAlpha)
      row = pixels
      position = input.baseOffset + index
      try context.budget.chargeWork((x - start) * Self.workPerPixel, byteOffset: position)
      guard x == header.width else {
        if input.isFinal { try endEarly(header, input, into: &bitmap, &context) }
        return
      }
      try output?.write(into: &bitmap, &context) { copyBytes(pixels.span, into: &$0) }
      x = 0
    }
    stage = .endMarker
  }

  /// Handles the end of the input before the last pixel: the pixels that are missing are zero.
  private mutating func endEarly(
    _ header: QOIHeader, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    for index in x * header.format.bytesPerPixel..<row.count { row[index] = 0 }
    let pixels = row
    try output?.endEarly(
      &bitmap, at: input.endOffset, &context, partialRow: x > 0 ? { copyBytes(pixels.span, into: &$0) } : nil)
    stage = .ended
  }

  private mutating func checkEndMarker(_ input: InputWindow, _ context: inout DecodingContext) throws(CodecError) {
    let start = position - input.baseOffset
    stage = .ended
    let isPresent = Self.endMarker.indices.allSatisfy { index in
      start + index < input.bytes.count && input.bytes[start + index] == Self.endMarker[index]
    }
    guard !isPresent else { return }
    try context.tolerate(error(.malformed, "the end marker is missing", at: position), as: .warning)
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let header, let output else { throw error(.truncated, "the file ends before its pixels", at: position) }
    return DecodingDetails(info: header.info, isComplete: !output.isTruncated)
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    try output?.preview(of: bitmap, &context)
  }
}
