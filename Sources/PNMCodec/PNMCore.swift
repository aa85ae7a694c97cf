// The stages of a Netpbm file: the header, then rows of binary samples or of decimal numbers.

internal import ImageCoding

/// Decodes a Netpbm file.
struct PNMCore: DecodingCore {
  var format: AssetType { PNMDecoder.type }

  /// The work units for a sample in binary, and for a byte of a plain file.
  private static let (workPerSample, workPerPlainByte) = (4, 6)

  private let goal: DecodingGoal
  private var header: PNMHeader?
  private var scaling: SampleScaling?
  private var output: RowOutput?
  /// The length of a prefix that may contain the header.
  private var neededByteCount = 7
  private var position = 0
  private var isEnded = false

  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  var info: ImageInfo? { header?.info }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: header != nil,
      completedRowCount: isEnded ? header?.height ?? 0 : output?.completedRowCount ?? 0, isComplete: isEnded)
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
    guard goal == .pixels else { return (self.header, isEnded) = (header, true) }
    let isBottomUp = if case .floats = header.coding { true } else { false }
    guard header.coding == .plain || header.rowByteCount != nil else {
      throw error(.limitExceeded, "the rows are too long", at: 2)
    }
    output = try RowOutput(
      header.format, size: PixelSize(width: header.width, height: header.height),
      order: isBottomUp ? .bottomUp : .topDown, byteOffset: 2, into: &bitmap, &context)
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
    while output?.isComplete == false {
      let start = position - input.baseOffset
      guard start <= input.bytes.count, byteCount <= input.bytes.count - start else {
        if input.isFinal { try endEarly(input, into: &bitmap, &context) }
        return
      }
      try context.budget.chargeWork(count: sampleCount, unitsEach: Self.workPerSample, byteOffset: position)
      let row = input.bytes.extracting(start..<start + byteCount)
      var isValid = true
      try output?.write(into: &bitmap, &context) { output in
        switch header.coding {
        case .plain: break
        case .bits: scaling.expandBits(row, count: sampleCount, into: &output)
        case .integers: isValid = scaling.expand(row, count: sampleCount, into: &output)
        case .floats(let isLittleEndian):
          SampleScaling.expandFloats(row, count: sampleCount, isLittleEndian: isLittleEndian, into: &output)
        }
      }
      try checkRow(isValid: isValid, &context)
      position += byteCount
    }
    isEnded = true
  }

  private func checkRow(isValid: Bool, _ context: inout DecodingContext) throws(CodecError) {
    guard !isValid else { return }
    try context.tolerateOnce(error(.malformed, "a sample exceeds the maximum", at: position), as: .damage)
  }

  /// Handles the end of the input before the last row.
  private mutating func endEarly(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    try output?.endEarly(&bitmap, at: input.endOffset, &context)
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
    var row = [UInt8](
      repeating: 0, count: try context.budget.allocate(count: header.width, bytesEach: header.format.bytesPerPixel))
    while output?.isComplete == false {
      let start = numbers.position
      var (isValid, count) = (true, 0)
      var samples = row.mutableSpan
      while count < sampleCount, let sample = numbers.next(input.bytes) {
        if !scaling.store(sample, into: &samples, at: count) { isValid = false }
        count += 1
      }
      position = input.baseOffset + numbers.position
      try context.budget.chargeWork(
        count: numbers.position - start, unitsEach: Self.workPerPlainByte, byteOffset: position)
      if numbers.isMalformed {
        try context.tolerate(error(.malformed, "a sample is not a number", at: position), as: .damage)
      }
      guard count == sampleCount else {
        return try endEarly(input, into: &bitmap, &context)
      }
      try output?.write(into: &bitmap, &context) { copyBytes(row.span, into: &$0) }
      try checkRow(isValid: isValid, &context)
    }
    isEnded = true
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let header, let output, isEnded else {
      throw error(.truncated, "the file ends before its pixels", at: position)
    }
    if bitmap.format.sampleType == .uint16 { bitmap.significantBits = header.significantBits }
    return DecodingDetails(info: header.info, isComplete: !output.isTruncated)
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    try output?.preview(of: bitmap, &context)
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
