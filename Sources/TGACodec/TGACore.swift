// The stages of a TGA: header, identifier and colour map, pixels. The footer and the areas of version 2 are not needed.

internal import ImageCoding

/// Decodes a TGA.
struct TGACore: DecodingCore {
  var format: AssetType { TGADecoder.type }

  /// A packet of run-length coding that is being expanded.
  private struct Packet {
    /// The number of pixels that remain.
    var count = 0
    /// Whether one stored pixel is repeated.
    var isRun = false
    /// The stored pixel to repeat, of at most four bytes.
    var pixel: InlineArray<4, UInt8> = [0, 0, 0, 0]
  }

  /// The work units for a pixel.
  private static let workPerPixel = 8

  private let goal: DecodingGoal
  private var header: TGAHeader?
  private var expansion: PixelExpansion?
  private var output: RowOutput?
  /// The current row in the natural format.
  private var row: [UInt8] = []
  private var packet = Packet()
  private var x = 0
  private var position = 0
  private var isEnded = false
  private var hasUnknownIndex = false

  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  var info: ImageInfo? { header?.info }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: header != nil,
      completedRowCount: isEnded ? header?.height ?? 0 : output?.completedRowCount ?? 0, isComplete: isEnded,
      neededByteCount: header == nil ? TGAHeader.byteCount : nil)
  }

  var retainedOffset: Int { isEnded ? .max : position }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if header == nil {
      guard try readHeader(input, into: &bitmap, &context) else { return }
    }
    if let header, let expansion, !isEnded {
      try decodeRows(header, expansion, input, into: &bitmap, &context)
    }
  }

  /// Reads the header and the colour map if they are complete.
  private mutating func readHeader(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    guard input.isFinal || input.endOffset >= TGAHeader.byteCount else { return false }
    var reader = ByteReader(input.bytes, format: format)
    let header = try TGAHeader(parsing: &reader)
    guard goal == .pixels else {
      (self.header, isEnded) = (header, true)
      return false
    }
    guard input.isFinal || input.endOffset >= header.pixelOffset else { return false }
    try reader.skip(header.identifierByteCount)
    let mapByteCount = header.pixelOffset - reader.position
    let map = try reader.read(mapByteCount)
    if header.interleaving != 0 {
      try context.tolerate(error(.malformed, "the rows are interleaved", at: 17), as: .damage)
    }
    output = try RowOutput(
      header.format, size: PixelSize(width: header.width, height: header.height),
      order: header.isTopDown ? .topDown : .bottomUp, byteOffset: 12, into: &bitmap, &context)
    try context.budget.allocate(mapByteCount)
    expansion = PixelExpansion(header, map: map)
    try context.budget.allocate(count: header.width, bytesEach: header.format.bytesPerPixel)
    row = [UInt8](repeating: 0, count: header.width * header.format.bytesPerPixel)
    self.header = header
    position = header.pixelOffset
    return true
  }

  private mutating func decodeRows(
    _ header: TGAHeader, _ expansion: PixelExpansion, _ input: InputWindow, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    while output?.isComplete == false {
      let start = x
      decodePixels(header, expansion, input)
      try context.budget.chargeWork((x - start) * Self.workPerPixel, byteOffset: position)
      if hasUnknownIndex {
        try context.tolerateOnce(
          error(.malformed, "a pixel's index has no colour in the map", at: header.pixelOffset), as: .damage)
      }
      guard x == header.width else {
        if input.isFinal { try endEarly(header, input, into: &bitmap, &context) }
        return
      }
      let pixels = row
      try output?.write(into: &bitmap, &context) { copyBytes(pixels.span, into: &$0) }
      x = 0
    }
    isEnded = true
  }

  /// Decodes pixels up to the end of the row or of the input.
  private mutating func decodePixels(_ header: TGAHeader, _ expansion: PixelExpansion, _ input: InputWindow) {
    // Moved out of the property while in use, so that nothing is copied.
    var row = row
    self.row = []
    var packet = packet
    var pixels = row.mutableSpan
    let step = header.pixelByteCount
    var index = position - input.baseOffset
    while x < header.width {
      if header.isRunLengthCoded, packet.count == 0 {
        guard index < input.bytes.count else { break }
        let code = input.bytes[index]
        let isRun = code & 0x80 != 0
        guard !isRun || step < input.bytes.count - index else { break }
        packet.count = Int(code & 0x7F) + 1
        packet.isRun = isRun
        if isRun {
          for byte in 0..<step { packet.pixel[byte] = input.bytes[index + 1 + byte] }
        }
        index += isRun ? 1 + step : 1
      }
      let column = header.isRightToLeft ? header.width - 1 - x : x
      let isKnown: Bool
      if !packet.isRun {
        guard index <= input.bytes.count, step <= input.bytes.count - index else { break }
        isKnown = expansion.expand(input.bytes, index, into: &pixels, x: column)
        index += step
      } else {
        isKnown = expansion.expand(packet.pixel.span, 0, into: &pixels, x: column)
      }
      if !isKnown { hasUnknownIndex = true }
      x += 1
      if packet.count > 0 {
        packet.count -= 1
        if packet.count == 0 { packet.isRun = false }
      }
    }
    position = input.baseOffset + index
    self.row = row
    self.packet = packet
  }

  /// Handles the end of the input before the last pixel: the pixels that are missing are zero.
  private mutating func endEarly(
    _ header: TGAHeader, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let step = header.format.bytesPerPixel
    let missing = header.isRightToLeft ? 0..<(header.width - x) * step : x * step..<row.count
    for index in missing { row[index] = 0 }
    let pixels = row
    try output?.endEarly(
      &bitmap, at: input.endOffset, &context, partialRow: x > 0 ? { copyBytes(pixels.span, into: &$0) } : nil)
    isEnded = true
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let header, let output, isEnded else {
      throw error(.truncated, "the file ends before its pixels", at: position)
    }
    return DecodingDetails(info: header.info, isComplete: !output.isTruncated)
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    try output?.preview(of: bitmap, &context)
  }
}
