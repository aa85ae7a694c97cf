// The stages of a WebP file (RFC 9649, section 2): the RIFF header, followed by the chunks. In an animation, the first
// frame is decoded; of all others only the headers are read.

internal import ImageCoding

/// Decodes a WebP file while its bytes arrive.
struct WebPCore: DecodingCore {
  var format: AssetType { WebPDecoder.type }

  /// The part of the file that is being read.
  enum Stage {
    case fileHeader
    case chunks
    /// An alpha plane, with the range of the chunk's payload in the file.
    case alpha(Range<Int>)
    /// Pixels, with the range of the chunk's payload in the file.
    case pixels(Range<Int>)
    case ended
  }

  private static let workPerChunk = 100
  /// The file offset of the first chunk, after the RIFF header.
  private static let firstChunkOffset = 12

  var stage = Stage.fileHeader
  /// The file offset of the next chunk.
  var chunkOffset = Self.firstChunkOffset
  /// The end of the file as the RIFF header states it.
  var fileEnd = 0
  /// The end of the frame whose chunks are being read; `nil` outside frames.
  var frameEnd: Int?
  /// Whether the chunks of that frame include pixels.
  private var frameHasImage = false
  var canvas: CanvasHeader?
  var loopCount: LoopCount?
  /// The headers of the frames read so far.
  var frames: [AnimationFrameHeader] = []
  /// The number of frames whose chunks have all arrived.
  var completedFrameCount = 0
  var metadata = ImageMetadata()
  /// The size and the coding, known from the first chunk of pixels.
  var picture: (size: PixelSize, coding: WebPContainer.Coding, hasAlpha: Bool)?
  /// The image, or the first frame.
  var frame: FrameDecoder?
  /// The range of the payload of the alpha plane that another thread decodes.
  var pendingAlpha: Range<Int>?
  /// Whether decoding of the image, or of the first frame, has finished or cannot continue.
  var isPictureEnded = false
  var isPictureComplete = false

  private let goal: DecodingGoal
  /// The end of the last chunk whose header was read.
  private var payloadEnd = 12

  /// - Parameter goal: for all goals but the pixels, frames are only listed and none is decoded.
  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  // MARK: Chunks

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    while try step(input, into: &bitmap, &context) {}
  }

  /// Advances by at most one chunk.
  ///
  /// - Returns: whether further progress may be possible. If not, more input is needed or the file is complete.
  private mutating func step(
    _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    switch stage {
    case .fileHeader:
      guard input.endOffset >= 12 else { return false }
      try readFileHeader(input, &context)
      return true
    case .chunks:
      guard input.endOffset >= payloadEnd else { return false }
      if let frameEnd, chunkOffset + 8 > frameEnd {
        try endFrame(at: frameEnd, &context)
        return true
      }
      if chunkOffset + 8 > fileEnd {
        guard input.endOffset >= fileEnd else { return false }
        stage = .ended
        return false
      }
      guard input.endOffset >= chunkOffset + 8 else { return false }
      return try readChunk(input, into: &bitmap, &context)
    case .alpha(let payload): return try readAlpha(payload, input, into: &bitmap, &context)
    case .pixels(let payload): return try readPixels(payload, input, into: &bitmap, &context)
    case .ended: return false
    }
  }

  var retainedOffset: Int {
    switch stage {
    case .fileHeader: 0
    case .chunks, .ended: chunkOffset
    case .alpha(let payload), .pixels(let payload): min(frame?.byteOffset ?? payload.lowerBound, payload.upperBound)
    }
  }

  private mutating func readFileHeader(
    _ input: borrowing InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard WebPDecoder().probe(input.bytes) == .yes(WebPDecoder.type) else {
      throw error(.malformed, "the RIFF header is missing", at: 0)
    }
    var reader = reader(input, at: 4)
    let byteCount = Int(clamping: try reader.readUInt32LittleEndian())
    // The value can be up to 4 GiB, which exceeds a 32-bit address space.
    fileEnd = byteCount > Int.max - 8 ? Int.max : byteCount + 8
    stage = .chunks
    if byteCount < 12 {
      try context.tolerate(error(.malformed, "the RIFF header states \(byteCount) bytes", at: 4), as: .warning)
      fileEnd = Int.max
    }
  }

  // MARK: Chunks

  private mutating func readChunk(
    _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    var reader = reader(input, at: chunkOffset)
    let chunk = try RIFFChunk(parsing: &reader)
    let (type, payload) = (chunk.type, chunk.payload)
    if chunkOffset == Self.firstChunkOffset, type != "VP8X", type != "VP8 ", type != "VP8L" {
      throw error(.malformed, "the first chunk is '\(type)'", at: chunkOffset)
    }
    guard let needed = try neededByteCount(type, payload, &context) else {
      try context.budget.chargeWork(Self.workPerChunk)
      try checkEnd(of: type, payload, &context)
      payloadEnd = min(payload.upperBound, frameEnd ?? .max)
      chunkOffset = chunk.end
      return true
    }
    guard input.endOffset >= payload.lowerBound + needed else { return false }
    // Once for each chunk, in however many parts it arrives.
    try context.budget.chargeWork(Self.workPerChunk)
    try checkEnd(of: type, payload, &context)
    payloadEnd = payload.upperBound
    chunkOffset = chunk.end
    switch type {
    case "VP8X": try readCanvas(payload, input)
    case "ANIM": try readAnimation(payload, input)
    case "ANMF": try beginFrame(payload, input, &context)
    case "ALPH": try beginAlpha(payload, input, into: &bitmap, &context)
    case "VP8 ": try beginLossy(payload, input, into: &bitmap, &context)
    case "VP8L": try beginLossless(payload, input, into: &bitmap, &context)
    case "ICCP": metadata.colorSpace.iccProfile = try bytes(of: payload, input, &context)
    case "EXIF": metadata.exif = try bytes(of: payload, input, &context).map { exifBlockRemovingPrefix($0.span) }
    default: metadata.xmp = try bytes(of: payload, input, &context)
    }
    return true
  }

  /// Returns the number of bytes of a payload that must be available before it is read; `nil` if the chunk is skipped.
  private mutating func neededByteCount(
    _ type: FourCharacterCode, _ payload: Range<Int>, _ context: inout DecodingContext
  ) throws(CodecError) -> Int? {
    if canvas?.isAnimated == true, frameEnd == nil, type == "VP8 " || type == "VP8L" || type == "ALPH" {
      try context.tolerate(
        error(.malformed, "an animation has an image outside of its frames", at: payload.lowerBound), as: .warning)
    }
    switch type {
    case "VP8X": return canvas == nil && picture == nil ? CanvasHeader.byteCount : nil
    case "ANIM": return payload.count >= 6 && canvas?.isAnimated == true && loopCount == nil ? 6 : nil
    case "ANMF": return canvas?.isAnimated == true && frameEnd == nil ? AnimationFrameHeader.byteCount : nil
    case "ALPH": return isPictureExpected && frame?.hasAlphaPlane != true ? min(1, payload.count) : nil
    case "VP8 ": return isPictureExpected ? min(FrameTag.byteCount, payload.count) : nil
    case "VP8L": return isPictureExpected ? min(LosslessHeader.byteCount, payload.count) : nil
    case "ICCP": return metadata.colorSpace.iccProfile == nil ? admitted(payload, &context) : nil
    case "EXIF": return metadata.exif == nil ? admitted(payload, &context) : nil
    case "XMP ": return metadata.xmp == nil ? admitted(payload, &context) : nil
    default: return nil
    }
  }

  /// Whether pixels are to be decoded: those of a still image or of the first frame.
  private var isPictureExpected: Bool {
    picture == nil && goal == .pixels && (canvas?.isAnimated == true ? frameEnd != nil : true)
  }

  private func admitted(_ payload: Range<Int>, _ context: inout DecodingContext) -> Int? {
    guard goal == .pixels else { return nil }
    if payload.count <= context.budget.metadataAllowance { return payload.count }
    context.noteOnce(.warning, "metadata is over its limits and skipped", byteOffset: payload.lowerBound)
    return nil
  }

  /// Checks that the chunks of the image end where their container ends.
  private mutating func checkEnd(
    of type: FourCharacterCode, _ payload: Range<Int>, _ context: inout DecodingContext
  ) throws(CodecError) {
    let end = frameEnd ?? fileEnd
    guard ["VP8 ", "VP8L", "ALPH", "ANMF"].contains(type) else { return }
    if frameEnd != nil, type != "ALPH" { frameHasImage = true }
    guard payload.upperBound > end else { return }
    let container = frameEnd == nil ? "the file" : "its frame"
    try context.tolerate(
      error(.malformed, "the chunk '\(type)' is longer than \(container)", at: payload.lowerBound - 4), as: .warning)
  }

  private mutating func readCanvas(_ payload: Range<Int>, _ input: borrowing InputWindow) throws(CodecError) {
    var reader = reader(input, at: payload.lowerBound)
    let header = try CanvasHeader(parsing: &reader)
    guard payload.count >= CanvasHeader.byteCount else {
      throw error(.malformed, "VP8X has \(payload.count) of its 10 bytes", at: payload.lowerBound)
    }
    canvas = header
  }

  private mutating func readAnimation(_ payload: Range<Int>, _ input: borrowing InputWindow) throws(CodecError) {
    var reader = reader(input, at: payload.lowerBound + 4)
    loopCount = LoopCount(rawCount: Int(try reader.readUInt16LittleEndian()))
  }

  private func bytes(
    of payload: Range<Int>, _ input: borrowing InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> [UInt8]? {
    guard context.budget.admitMetadata(payload.count) else { return nil }
    var reader = reader(input, at: payload.lowerBound)
    return Array(copying: try reader.read(payload.count))
  }

  // MARK: Frames

  private mutating func beginFrame(
    _ payload: Range<Int>, _ input: borrowing InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard payload.count >= AnimationFrameHeader.byteCount else {
      return try context.tolerate(error(.malformed, "a frame has no header", at: payload.lowerBound), as: .damage)
    }
    guard frames.count < context.limits.maximumFrameCount else {
      context.noteOnce(
        .warning, "there are more than \(context.limits.maximumFrameCount) frames", byteOffset: payload.lowerBound)
      stage = .ended
      return
    }
    var reader = reader(input, at: payload.lowerBound)
    let header = try AnimationFrameHeader(parsing: &reader, payload: payload)
    guard let canvas, header.fits(canvas.size) else {
      return try context.tolerate(
        error(.malformed, "a frame reaches outside of the canvas", at: payload.lowerBound), as: .damage)
    }
    frames.append(header)
    frameEnd = payload.upperBound
    payloadEnd = payload.lowerBound + AnimationFrameHeader.byteCount
    chunkOffset = payload.lowerBound + AnimationFrameHeader.byteCount
    frameHasImage = false
    if frames.count == 1 { frame = FrameDecoder(region: header.region) }
  }

  private mutating func endFrame(at end: Int, _ context: inout DecodingContext) throws(CodecError) {
    if !frameHasImage {
      let error = error(.malformed, "a frame has no image", at: end)
      if picture == nil, goal == .pixels { throw error }
      try context.tolerate(error, as: .damage)
    }
    frameEnd = nil
    payloadEnd = end
    chunkOffset = end + end & 1
    completedFrameCount += 1
  }

  // MARK: Errors

  /// Returns a reader at a file offset.
  @_lifetime(copy input)
  func reader(_ input: borrowing InputWindow, at offset: Int) -> ByteReader {
    let index = min(max(offset - input.baseOffset, 0), input.bytes.count)
    return ByteReader(
      input.bytes.extracting(index..<input.bytes.count), baseOffset: input.baseOffset + index, format: WebPDecoder.type)
  }
}
