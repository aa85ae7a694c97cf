// The stages of a PNG: signature, header, the chunks before the image data, the image data, the chunks after it, and
// IEND (PNG section 5.6). Each chunk is parsed, decoded or skipped according to its type and position.

internal import ImageCoding

/// Decodes a PNG.
struct PNGCore: DecodingCore {
  var format: AssetType { PNGDecoder.type }

  /// The stages, in file order.
  enum Stage {
    case header
    case beforeImageData
    case imageData
    case afterImageData
    case ended
  }

  /// The use of a chunk's data.
  enum ChunkUse {
    /// It is skipped.
    case skip
    /// It is collected, then parsed once it is complete.
    case parse
    /// It is decoded as it arrives.
    case decode
  }

  /// The work charged for reading the framing of a chunk.
  static let workPerChunk = 100

  let goal: DecodingGoal
  var chunks = ChunkReader()
  var stage = Stage.header
  var chunkUse = ChunkUse.skip
  var chunkData: [UInt8] = []
  var isAppleOptimized = false
  /// The contents of the chunks before the image data; set by IHDR.
  var description: ImageDescription?
  /// The decoder of the image's rows; set by the first IDAT.
  var imageData: ImageData?
  var imageDataState = ImageDataState.open
  var frames = FrameCount()

  /// - Parameter goal: the headers end with the first image data; for the metadata, the image data is skipped.
  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    try readChunks(input, into: &bitmap, &context)
    try deliverPasses(input, into: &bitmap, &context)
  }

  /// Decodes chunk after chunk.
  private mutating func readChunks(
    _ input: borrowing InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    var position = chunks.byteOffset - input.baseOffset
    while !isAtEnd {
      let event: ChunkReader.Event?
      do throws(CodecError) {
        event = try chunks.next(input.bytes, position: &position)
      } catch {
        return try endAtDamage(error, &context)
      }
      switch event {
      case nil: return
      case .begin(let type, let byteCount): try beginChunk(type, byteCount: byteCount, &context)
      case .data(let range): try takeData(input.bytes.extracting(range), into: &bitmap, &context)
      case .end(let type, let isIntact): try endChunk(type, isIntact: isIntact, &context)
      }
    }
  }

  mutating func recycleBuffers(_ pool: BufferPool?) {
    imageData?.recycleBuffers(pool)
  }

  private var isAtEnd: Bool {
    stage == .ended || (stage == .imageData && (goal == .headers || goal == .index))
  }

  var retainedOffset: Int { isAtEnd ? .max : imageData?.retainedOffset ?? chunks.byteOffset }
  var byteOffset: Int { chunks.chunkOffset }

  var info: ImageInfo? { stage == .header || stage == .beforeImageData ? nil : description?.info }

  var metadata: ImageMetadata { description?.metadata ?? ImageMetadata() }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: info != nil, completedRowCount: imageData?.completedRowCount ?? 0,
      completedScanCount: imageData?.completedPassCount ?? 0,
      completedFrameCount: frames.completedCount(isDefaultImageComplete: imageData?.isImageComplete ?? false),
      isComplete: stage == .ended, neededByteCount: stage == .ended ? nil : chunks.neededByteCount)
  }

  // MARK: Chunks

  private mutating func beginChunk(
    _ type: ChunkType, byteCount: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    try context.budget.chargeWork(Self.workPerChunk)
    guard type.isValid else {
      return try endAtDamage(error(.malformed, "a chunk type has bytes that are not letters"), &context)
    }
    if stage == .header, type != .imageHeader, type != .appleOptimized {
      throw error(.malformed, "the first chunk is \(type), not IHDR")
    }
    if stage == .imageData, type != .imageData { try endImageData(&context) }
    chunkUse = try use(of: type, byteCount: byteCount, &context)
    if goal != .pixels, chunkUse == .skip { chunks.ignoreChecksum() }
    chunkData = []
  }

  private mutating func use(
    of type: ChunkType, byteCount: Int, _ context: inout DecodingContext
  ) throws(CodecError) -> ChunkUse {
    switch type {
    case .imageData: return try beginImageData(&context)
    case .imageHeader, .palette, .frameControl: return .parse
    case .imageEnd, .appleOptimized: return .skip
    case .frameData:
      frames.beginData()
      return .skip
    case .transparency, .animationControl, .gamma, .chromaticities, .standardRGB, .iccProfile, .codePoints,
      .masteringDisplay, .contentLightLevel, .significantBits, .background, .physicalPixelDimensions, .exif, .text,
      .compressedText, .internationalText, .time:
      guard context.budget.admitMetadata(byteCount) else {
        context.note(.warning, "\(type) exceeds the metadata limits and was skipped", byteOffset: chunks.chunkOffset)
        return .skip
      }
      return .parse
    default:
      if type.isCritical {
        try context.tolerate(error(.unsupported, "the critical chunk \(type) is unknown"), as: .damage)
      }
      return .skip
    }
  }

  /// A limit on IHDR, PLTE and fcTL. A longer chunk is malformed, and the excess is skipped.
  private static let maximumCriticalByteCount = 1024

  private mutating func takeData(
    _ part: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    switch chunkUse {
    case .skip: break
    case .parse:
      let isBounded = chunks.type == .imageHeader || chunks.type == .palette || chunks.type == .frameControl
      let room = isBounded ? Self.maximumCriticalByteCount - chunkData.count : part.count
      for index in 0..<min(room, part.count) { chunkData.append(part[index]) }
    case .decode: try decodeImageData(part, into: &bitmap, &context)
    }
  }

  private mutating func endChunk(
    _ type: ChunkType, isIntact: Bool, _ context: inout DecodingContext
  ) throws(CodecError) {
    if !isIntact {
      let error = error(.malformed, "the CRC of chunk \(type) is wrong")
      if type.isCritical {
        try context.tolerate(error, as: .damage)
      } else {
        return context.note(.warning, error.reason, byteOffset: error.byteOffset)
      }
    }
    if chunkUse == .parse {
      try parseChunk(type, &context)
    } else if type == .appleOptimized {
      isAppleOptimized = true
    } else if type == .imageEnd {
      frames.endData()
      if imageData == nil, goal == .pixels { throw error(.malformed, "there is no image data") }
      stage = .ended
    }
  }

  /// Stops at bytes that cannot be chunks. This is an error unless there may already be an image.
  private mutating func endAtDamage(_ error: CodecError, _ context: inout DecodingContext) throws(CodecError) {
    if imageData == nil { throw error }
    try context.tolerate(error, as: .damage)
    if stage == .imageData { try endImageData(&context) }
    stage = .ended
  }
}

/// Counts the frames of an APNG as its chunks are read.
struct FrameCount {
  private var completedDataCount = 0
  private var isDataOpen = false
  /// Whether the default image is the first frame.
  private var includesDefaultImage = false

  mutating func beginData() {
    isDataOpen = true
  }

  mutating func beginFrame(isBeforeImageData: Bool) {
    endData()
    if isBeforeImageData { includesDefaultImage = true }
  }

  mutating func endData() {
    if isDataOpen { completedDataCount += 1 }
    isDataOpen = false
  }

  func completedCount(isDefaultImageComplete: Bool) -> Int {
    completedDataCount + (includesDefaultImage && isDefaultImageComplete ? 1 : 0)
  }
}
