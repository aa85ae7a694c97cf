// The chunks of the image or of the first frame: alpha, then pixels.

internal import ImageCoding

extension WebPCore {
  mutating func beginAlpha(
    _ payload: Range<Int>, _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let canvas else { return }
    guard !payload.isEmpty else {
      return try context.tolerate(error(.malformed, "ALPH is empty", at: payload.lowerBound), as: .damage)
    }
    var reader = reader(input, at: payload.lowerBound)
    let header = try reader.readUInt8()
    var frame =
      frame ?? FrameDecoder(region: PixelRegion(x: 0, y: 0, width: canvas.size.width, height: canvas.size.height))
    try allocate(canvas.size, .rgba8, frame.region, isAlphaPlane: true, into: &bitmap, &context)
    try frame.beginAlpha(header: header, offset: payload.lowerBound + 1, &context.budget)
    self.frame = frame
    stage = .alpha(payload)
  }

  mutating func beginLossy(
    _ payload: Range<Int>, _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard payload.count >= FrameTag.byteCount else {
      throw error(
        .malformed, "'VP8 ' has \(payload.count) of its \(FrameTag.byteCount) header bytes", at: payload.lowerBound)
    }
    var reader = reader(input, at: payload.lowerBound)
    let tag = try FrameTag(parsing: &reader)
    let size = PixelSize(width: tag.width, height: tag.height)
    var frame = try beginPicture(size, at: payload.lowerBound)
    let hasAlpha = frame.hasAlphaPlane
    let coding: WebPContainer.Coding = canvas?.isAnimated == true ? .animated : hasAlpha ? .lossyWithAlpha : .lossy
    picture = (canvas?.size ?? size, coding, hasAlpha || canvas?.hasAlpha == true)
    if !hasAlpha {
      let format = lossyFormat(context.options.pixelFormat)
      try allocate(canvas?.size ?? size, format, frame.region, into: &bitmap, &context)
    }
    try frame.beginLossy(payload, format: bitmap.format, &context.budget)
    self.frame = frame
    stage = .pixels(payload)
  }

  /// Returns the format for decoding lossy pixels. Animations need alpha, since frames may not cover the canvas.
  private func lossyFormat(_ wanted: PixelFormat?) -> PixelFormat {
    if canvas?.isAnimated == true { return .rgba8 }
    return wanted == .rgba8 || wanted == .bgra8 ? wanted ?? .rgb8 : .rgb8
  }

  mutating func beginLossless(
    _ payload: Range<Int>, _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard payload.count >= LosslessHeader.byteCount else {
      throw error(
        .malformed, "'VP8L' has \(payload.count) of its \(LosslessHeader.byteCount) header bytes",
        at: payload.lowerBound)
    }
    var reader = reader(input, at: payload.lowerBound)
    let header = try LosslessHeader(parsing: &reader)
    let size = PixelSize(width: header.width, height: header.height)
    if frame?.hasAlphaPlane == true {
      context.note(.warning, "a lossless image has an alpha chunk", byteOffset: payload.lowerBound)
      frame = frame.map { FrameDecoder(region: $0.region) }
    }
    var frame = try beginPicture(size, at: payload.lowerBound)
    let coding: WebPContainer.Coding = canvas?.isAnimated == true ? .animated : .lossless
    picture = (canvas?.size ?? size, coding, header.hasAlpha || canvas?.hasAlpha == true)
    let format: PixelFormat =
      canvas?.isAnimated != true && context.options.pixelFormat == .bgra8 ? .bgra8 : .rgba8
    try allocate(canvas?.size ?? size, format, frame.region, into: &bitmap, &context)
    frame.beginLossless(offset: payload.lowerBound + LosslessHeader.byteCount)
    self.frame = frame
    stage = .pixels(payload)
  }

  /// Creates the decoder of a picture of this size.
  private func beginPicture(_ size: PixelSize, at offset: Int) throws(CodecError) -> FrameDecoder {
    let region = frame?.region ?? PixelRegion(x: 0, y: 0, width: size.width, height: size.height)
    let expected =
      canvas?.isAnimated == true || frame != nil ? PixelSize(width: region.width, height: region.height) : canvas?.size
    guard expected == nil || expected == size else {
      throw error(.malformed, "the image has another size than its frame", at: offset)
    }
    return frame ?? FrameDecoder(region: region)
  }

  /// The number of rows held in memory while rows are streamed.
  private static let streamedRowCount = 16

  private func allocate(
    _ size: PixelSize, _ format: PixelFormat, _ region: PixelRegion, isAlphaPlane: Bool = false,
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if bitmap.pixelSize == size, bitmap.format == format, frame?.hasAlphaPlane == true { return }
    let isStill = canvas?.isAnimated != true && frame?.hasAlphaPlane != true && !isAlphaPlane
    if isStill, context.options.pixelFormat == nil || context.options.pixelFormat == format {
      try context.prepareRows(
        of: &bitmap, size: size, natural: format, bandRowCount: Self.streamedRowCount,
        colorSpace: metadata.colorSpace)
    } else {
      try bitmap.reset(width: size.width, height: size.height, format: format, budget: &context.budget)
    }
    context.budget.allowWork(forPixelCount: size.width * size.height)
    if region != PixelRegion(x: 0, y: 0, width: size.width, height: size.height) {
      bitmap.zeroPixels(rows: 0..<size.height)
    }
  }

  // MARK: Data

  /// Returns the part of the window that belongs to a payload, and whether it contains the end of the payload.
  @_lifetime(copy input)
  private func window(
    _ payload: Range<Int>, _ input: borrowing InputWindow
  ) -> (bytes: Span<UInt8>, isFinal: Bool) {
    let end = min(max(payload.upperBound - input.baseOffset, 0), input.bytes.count)
    return (input.bytes.extracting(0..<end), input.isFinal || payload.upperBound <= input.endOffset)
  }

  mutating func readAlpha(
    _ payload: Range<Int>, _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let part = window(payload, input)
    if isAlphaParallel(payload, input, context.options.parallelism) {
      let bytes = input.bytes.extracting(payload.lowerBound - input.baseOffset..<payload.upperBound - input.baseOffset)
      try frame?.startAlpha(bytes, offset: payload.lowerBound, &context.budget)
      pendingAlpha = payload
      stage = .chunks
      return true
    }
    try frame?.advanceAlpha(
      part.bytes, offset: input.baseOffset, isFinal: part.isFinal, into: &bitmap, &context.budget)
    if let damage = frame?.alphaDamage {
      try tolerateDamage(damage, payload, input, &context)
    } else if frame?.isAlphaComplete != true {
      return false
    }
    stage = .chunks
    return true
  }

  /// Whether to decode alpha on another thread: if the image follows and nothing but its data can be invalid, so that
  /// errors and diagnostics are in the same order as without the thread.
  private func isAlphaParallel(_ payload: Range<Int>, _ input: borrowing InputWindow, _ parallelism: Int) -> Bool {
    guard parallelism > 1, let region = frame?.region, payload.upperBound + 18 <= input.endOffset else { return false }
    var reader = reader(input, at: chunkOffset)
    guard let chunk = try? RIFFChunk(parsing: &reader), chunk.type == "VP8 ",
      chunk.payload.upperBound <= input.endOffset,
      chunk.payload.upperBound <= frameEnd ?? fileEnd, let tag = try? FrameTag(parsing: &reader),
      tag.width == region.width, tag.height == region.height
    else { return false }
    return ParallelAlpha.isWorthwhile(
      for: region, alphaByteCount: payload.count, colorByteCount: chunk.payload.count, parallelism)
  }

  mutating func readPixels(
    _ payload: Range<Int>, _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let part = window(payload, input)
    let pendingAlpha = pendingAlpha.take()
    try frame?.advancePixels(
      part.bytes, offset: input.baseOffset, isFinal: part.isFinal, into: &bitmap, to: &context.delivery,
      parallelism: context.options.parallelism, &context.budget)
    if let pendingAlpha, let damage = frame?.alphaDamage {
      try tolerateDamage(damage, pendingAlpha, input, &context)
    }
    if let damage = frame?.damage {
      if frame?.completedRowCount == 0 { throw damageError(damage, payload, input) }
      try tolerateDamage(damage, payload, input, &context)
    } else if frame?.isComplete != true {
      return false
    }
    isPictureComplete = frame?.isComplete == true && frame?.alphaDamage == nil && frame?.damage == nil
    isPictureEnded = true
    stage = .chunks
    return true
  }

  private func damageError(_ damage: BitstreamDamage, _ payload: Range<Int>, _ input: borrowing InputWindow)
    -> CodecError
  {
    let isCutOff = damage.isEarlyEnd && payload.upperBound > input.endOffset
    return error(isCutOff ? .truncated : .malformed, damage.reason, at: payload.lowerBound)
  }

  private func tolerateDamage(
    _ damage: BitstreamDamage, _ payload: Range<Int>, _ input: borrowing InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) {
    try context.tolerate(damageError(damage, payload, input), as: .damage)
  }
}
