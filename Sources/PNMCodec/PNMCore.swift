// The stages of a Netpbm file: the header, then rows of binary samples or of decimal numbers.

internal import ImageCore

/// Decodes a Netpbm file.
struct PNMCore: DecodingCore {
  var format: AssetType { PNMDecoder.type }

  /// The work units for a sample in binary, and for a byte of a plain file.
  private static let (workPerSample, workPerPlainByte) = (4, 6)

  private var header: PNMHeader?
  private var scaling: SampleScaling?
  private var rows: ConvertedRows?
  /// The length of a prefix that may contain the header.
  private var neededByteCount = 7
  private var position = 0
  private var y = 0
  private var isEnded = false
  private var isTruncated = false

  var info: ImageInfo? { header?.info }

  /// Whether rows are stored from bottom to top.
  private var isBottomUp: Bool {
    if case .floats = header?.coding { return true }
    return false
  }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: header != nil, completedRowCount: isEnded ? header?.height ?? 0 : isBottomUp ? 0 : y,
      isComplete: isEnded)
  }

  var retainedOffset: Int { isEnded ? .max : position }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if header == nil {
      guard input.isFinal || input.bytes.count >= neededByteCount else { return }
      try readHeader(input, into: &bitmap, &context)
    }
    guard !isEnded, let header, let scaling else { return }
    if header.coding == .plain {
      if input.isFinal { try decodePlain(header, scaling, input, into: &bitmap, &context) }
    } else {
      try decodeRows(header, scaling, input, into: &bitmap, &context)
    }
  }

  private mutating func readHeader(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let header: PNMHeader
    do throws(CodecError) {
      header = try PNMHeader(parsing: input.bytes)
    } catch {
      // The next attempt has half as many bytes again, so that long comments are not read again for each piece.
      neededByteCount = input.bytes.count + input.bytes.count / 2
      if error.kind == .truncated, !input.isFinal { return }
      throw error
    }
    try context.checkSize(width: header.width, height: header.height, format: .gray8, byteOffset: 2)
    guard header.coding == .plain || header.rowByteCount != nil else {
      throw error(.limitExceeded, "the rows are too long", at: 2)
    }
    context.budget.allowWork(forPixelCount: header.width * header.height)
    let rows = try ConvertedRows(natural: header.format, width: header.width, &context)
    if case .floats = header.coding {
      try bitmap.reset(width: header.width, height: header.height, format: rows.target, budget: &context.budget)
    } else {
      try context.prepareRows(
        of: &bitmap, width: header.width, height: header.height, format: rows.target, bandRowCount: 16,
        colorSpace: .unspecified)
    }
    self.rows = rows
    scaling = SampleScaling(header)
    position = header.pixelOffset
    self.header = header
  }

  // MARK: Binary samples

  private mutating func decodeRows(
    _ header: PNMHeader, _ scaling: SampleScaling, _ input: InputWindow, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    let byteCount = header.rowByteCount ?? 0
    let sampleCount = header.width * header.sampleCount
    while y < header.height {
      let start = position - input.baseOffset
      guard start <= input.bytes.count, byteCount <= input.bytes.count - start else {
        if input.isFinal { try endEarly(header, input, into: &bitmap, &context) }
        return
      }
      try context.budget.chargeWork(count: sampleCount, unitsEach: Self.workPerSample, byteOffset: position)
      let row = input.bytes.extracting(start..<start + byteCount)
      var isValid = true
      let target = isBottomUp ? header.height - 1 - y : y
      rows?.write(target, of: &bitmap) { output in
        switch header.coding {
        case .plain: break
        case .bits: scaling.expandBits(row, count: sampleCount, into: &output)
        case .integers: isValid = scaling.expand(row, count: sampleCount, into: &output)
        case .floats(let isLittleEndian):
          SampleScaling.expandFloats(row, count: sampleCount, isLittleEndian: isLittleEndian, into: &output)
        }
      }
      try endRow(isValid: isValid, into: &bitmap, &context)
      position += byteCount
    }
    isEnded = true
  }

  private mutating func endRow(
    isValid: Bool, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if !isValid {
      let error = error(.malformed, "a sample exceeds the maximum", at: position)
      if context.isStrict { throw error }
      context.noteOnce(.damage, error.reason, byteOffset: position)
    }
    if !isBottomUp { try context.deliver(&bitmap, fullWindowAt: y) }
    y += 1
  }

  /// Handles the end of the input before the last row: the rows that are missing are zero.
  private mutating func endEarly(
    _ header: PNMHeader, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let error = error(.truncated, "the file ends in row \(y) of \(header.height)", at: input.endOffset)
    guard y > 0 else { throw error }
    try context.tolerate(error, as: .damage)
    isTruncated = true
    bitmap.zeroPixels(rows: isBottomUp ? 0..<header.height - y : y..<header.height)
    isEnded = true
  }

  // MARK: Decimal numbers

  private mutating func decodePlain(
    _ header: PNMHeader, _ scaling: SampleScaling, _ input: InputWindow, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    var numbers = PlainNumbers(
      position: position - input.baseOffset, isSingleDigit: header.maximum == 1 && header.isInverted)
    let sampleCount = header.width * header.sampleCount
    while y < header.height {
      let start = numbers.position
      var (isValid, count) = (true, 0)
      rows?.write(y, of: &bitmap) { output in
        while count < sampleCount, let sample = numbers.next(input.bytes) {
          if !scaling.store(sample, into: &output, at: count) { isValid = false }
          count += 1
        }
      }
      position = input.baseOffset + numbers.position
      try context.budget.chargeWork(
        count: numbers.position - start, unitsEach: Self.workPerPlainByte, byteOffset: position)
      if numbers.isMalformed {
        try context.tolerate(error(.malformed, "a sample is not a number", at: position), as: .damage)
      }
      guard count == sampleCount else {
        return try endEarly(header, input, into: &bitmap, &context)
      }
      try endRow(isValid: isValid, into: &bitmap, &context)
    }
    isEnded = true
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let header, isEnded else { throw error(.truncated, "the file ends before its pixels", at: position) }
    if bitmap.format.sampleType == .uint16 { bitmap.significantBits = header.significantBits }
    return DecodingDetails(info: header.info, isComplete: !isTruncated)
  }

  mutating func makePreview(
    of bitmap: Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard header != nil, y > 0 else { return nil }
    try context.budget.allocate(bitmap.byteCount)
    return bitmap
  }

  private func error(_ kind: CodecError.Kind, _ reason: String, at byteOffset: Int) -> CodecError {
    CodecError(kind, reason, format: format, byteOffset: byteOffset)
  }
}

/// Reads decimal numbers separated by white space and comments; in plain bitmaps each digit is a number.
private struct PlainNumbers {
  /// The index of the next byte.
  private(set) var position: Int
  private let isSingleDigit: Bool
  /// Whether a character was found that is neither a digit nor white space.
  private(set) var isMalformed = false

  init(position: Int, isSingleDigit: Bool) {
    self.position = position
    self.isSingleDigit = isSingleDigit
  }

  /// Returns the next number, at most 65,536; `nil` at the end or at any other character.
  mutating func next(_ bytes: Span<UInt8>) -> UInt32? {
    while position < bytes.count, !isMalformed {
      let byte = bytes[position]
      if byte >= 0x30, byte <= 0x39 { return number(bytes) }
      if byte == UInt8(ascii: "#") {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
      } else if byte.isSpace {
        position += 1
      } else {
        isMalformed = true
      }
    }
    return nil
  }

  private mutating func number(_ bytes: Span<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    while position < bytes.count {
      let byte = bytes[position]
      guard byte >= 0x30, byte <= 0x39 else { break }
      value = min(value &* 10 &+ UInt32(byte &- 0x30), 65536)
      position += 1
      if isSingleDigit { break }
    }
    return value
  }
}
