// The chunks of one complete picture, in a frame of an animation or in a still file.

internal import ImageCoding

/// The location of a picture's data in the file.
struct FrameChunks {
  /// The range of the ALPH chunk's payload.
  private(set) var alpha: Range<Int>?
  /// The range of the payload of the VP8 or VP8L chunk.
  private(set) var pixels: Range<Int>?
  private(set) var isLossless = false
  /// Whether there is an alpha plane, or the lossless header announces alpha.
  private(set) var hasAlpha = false

  /// - Parameter payload: the payload of the frame's chunk.
  init(_ bytes: Span<UInt8>, inFrame payload: Range<Int>) {
    self.init(bytes, in: payload.lowerBound + AnimationFrameHeader.byteCount..<payload.upperBound)
  }

  /// - Parameter payload: the range of the chunks.
  init(_ bytes: Span<UInt8>, in payload: Range<Int>) {
    var chunks = ChunkReader(bytes, in: payload)
    while pixels == nil, let chunk = (try? chunks.next()) ?? nil {
      let data = chunk.payload.lowerBound..<min(chunk.payload.upperBound, payload.upperBound, bytes.count)
      switch chunk.type {
      case "ALPH": if alpha == nil, !data.isEmpty { alpha = data }
      case "VP8 ":
        pixels = data
        hasAlpha = alpha != nil
      case "VP8L":
        pixels = data
        isLossless = true
        hasAlpha = data.count >= 5 && bytes[data.lowerBound + 4] & 0x10 != 0
      default: break
      }
    }
  }

  /// Decodes the frame.
  ///
  /// - Returns: the damage in the data; the rows before it are decoded.
  func decode(
    with frame: inout FrameDecoder, _ bytes: [UInt8], into bitmap: inout Bitmap, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodecError? {
    do throws(CodecError) {
      guard let pixels else { throw error("a frame has no image", at: 0) }
      var reader = ByteReader(
        bytes.span.extracting(pixels), baseOffset: pixels.lowerBound, format: WebPDecoder.type)
      if isLossless {
        let header = try LosslessHeader(parsing: &reader)
        try check(header.width, header.height, frame, at: pixels.lowerBound)
        frame.beginLossless(offset: pixels.lowerBound + LosslessHeader.byteCount)
      } else {
        let tag = try FrameTag(parsing: &reader)
        try check(tag.width, tag.height, frame, at: pixels.lowerBound)
        if let alpha { try decodeAlpha(alpha, with: &frame, bytes, into: &bitmap, &budget) }
        try frame.beginLossy(pixels, format: .rgba8, &budget)
      }
      var noDelivery: RowDelivery?
      try frame.advancePixels(
        bytes.span.extracting(pixels), offset: pixels.lowerBound, isFinal: true, into: &bitmap, to: &noDelivery,
        &budget)
      if let damage = frame.damage { return error(damage.reason, at: pixels.lowerBound) }
      if let damage = frame.alphaDamage { return error(damage.reason, at: pixels.lowerBound) }
      return nil
    } catch {
      if error.isDamage { return error }
      throw error
    }
  }

  private func decodeAlpha(
    _ range: Range<Int>, with frame: inout FrameDecoder, _ bytes: [UInt8], into bitmap: inout Bitmap,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try frame.beginAlpha(header: bytes[range.lowerBound], offset: range.lowerBound + 1, &budget)
    try frame.advanceAlpha(
      bytes.span.extracting(range), offset: range.lowerBound, isFinal: true, into: &bitmap, &budget)
  }

  private func check(_ width: Int, _ height: Int, _ frame: FrameDecoder, at offset: Int) throws(CodecError) {
    guard width == frame.region.width, height == frame.region.height else {
      throw error("the image has another size than its frame", at: offset)
    }
  }

  private func error(_ reason: String, at offset: Int) -> CodecError {
    CodecError(.malformed, reason, format: WebPDecoder.type, byteOffset: offset)
  }
}
