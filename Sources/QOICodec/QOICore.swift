// The stages of a QOI file: header, pixels, end marker.

internal import ImageCore

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

  private var stage = Stage.header
  private var header: QOIHeader?
  private var rows: ConvertedRows?
  private var runs = PixelRuns()
  /// The current row in the natural format.
  private var row: [UInt8] = []
  private var x = 0
  private var y = 0
  private var position = 0
  private var isTruncated = false

  var info: ImageInfo? { header?.info }

  var progress: DecodingProgress {
    DecodingProgress(isHeaderComplete: header != nil, completedRowCount: y, isComplete: stage == .ended)
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
    if let defect = header.defect { try context.tolerate(error(.malformed, defect, at: 12), as: .warning) }
    try context.checkSize(width: header.width, height: header.height, format: .gray8, byteOffset: 4)
    context.budget.allowWork(forPixelCount: header.width * header.height)
    let rows = try ConvertedRows(natural: header.format, width: header.width, &context)
    try context.budget.allocate(count: header.width, bytesEach: header.format.bytesPerPixel)
    row = [UInt8](repeating: 0, count: header.width * header.format.bytesPerPixel)
    try context.prepareRows(
      of: &bitmap, width: header.width, height: header.height, format: rows.target, bandRowCount: 16,
      colorSpace: header.colorSpace)
    self.rows = rows
    self.header = header
    position = QOIHeader.byteCount
    stage = .pixels
  }

  private mutating func decodeRows(
    _ header: QOIHeader, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    while y < header.height {
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
      try writeRow(into: &bitmap, &context)
    }
    stage = .endMarker
  }

  private mutating func writeRow(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let pixels = row
    rows?.write(y, of: &bitmap) { copyBytes(pixels.span, into: &$0) }
    try context.deliver(&bitmap, fullWindowAt: y)
    x = 0
    y += 1
  }

  /// Handles the end of the input before the last pixel: the pixels that are missing are zero.
  private mutating func endEarly(
    _ header: QOIHeader, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let error = error(.truncated, "the file ends in row \(y) of \(header.height)", at: input.endOffset)
    guard x > 0 || y > 0 else { throw error }
    try context.tolerate(error, as: .damage)
    isTruncated = true
    if x > 0 {
      for index in x * header.format.bytesPerPixel..<row.count { row[index] = 0 }
      try writeRow(into: &bitmap, &context)
    }
    bitmap.zeroPixels(rows: y..<header.height)
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
    guard let header else { throw error(.truncated, "the file ends before its pixels", at: position) }
    bitmap.colorSpace = header.colorSpace.applying(from: header.format, to: bitmap.format)
    return DecodingDetails(info: header.info, isComplete: !isTruncated)
  }

  mutating func makePreview(
    of bitmap: Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard let header, y > 0 else { return nil }
    try context.budget.allocate(bitmap.byteCount)
    var preview = bitmap
    preview.colorSpace = header.colorSpace.applying(from: header.format, to: bitmap.format)
    return preview
  }

  private func error(_ kind: CodecError.Kind, _ reason: String, at byteOffset: Int) -> CodecError {
    CodecError(kind, reason, format: format, byteOffset: byteOffset)
  }
}
