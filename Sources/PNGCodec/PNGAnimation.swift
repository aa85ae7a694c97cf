// APNG, PNG section 7.3 and 11.3.6: the index of the frames, and the drawing of one.

internal import ByteCompression
internal import ImageCore

/// The frames of an APNG, decoded when they are drawn.
struct PNGAnimation: AnimationFrames {
  private let bytes: [UInt8]
  private let description: ImageDescription
  private let options: DecodingOptions
  /// The parts of each frame's zlib stream, as ranges of `bytes`.
  private let dataRanges: [[Range<Int>]]

  let frames: [AnimationFrameInfo]
  let loopCount: LoopCount
  let canvasFormat: PixelFormat
  var canvasSize: PixelSize { PixelSize(width: description.header.width, height: description.header.height) }

  /// Indexes the frames without decoding one; `nil` when the file is a still image or no frame is sound.
  init?(indexing bytes: [UInt8], options: DecodingOptions) throws(DecodeError) {
    let session = PNGSession(options: options, readsHeadersOnly: true)
    try session.append(bytes.span)
    guard let description = session.description, let animation = description.animation else { return nil }
    let isWide = description.header.bitDepth == 16 && options.pixelFormat?.bitsPerSample != 8
    canvasFormat = isWide ? .rgba16 : .rgba8
    try description.checkLimits(options.limits, format: canvasFormat)
    var index = FrameIndex(description: description, options: options)
    try index.read(bytes.span)
    guard !index.frames.isEmpty else { return nil }
    self.bytes = bytes
    self.description = description
    self.options = options
    dataRanges = index.dataRanges
    frames = index.frames
    loopCount = animation.loopCount
  }

  func draw(frameAt index: Int, onto canvas: inout Bitmap) throws(DecodeError) {
    let frame = frames[index]
    let isWhole = frame.region.width == canvas.width && frame.region.height == canvas.height
    if isWhole, frame.blend == .replace || frame.isOpaque {
      // Rows that are missing are transparent, whatever the canvas showed: pictures do not depend on which were drawn.
      let rowCount = try decode(index, into: &canvas)
      canvas.zeroPixels(rows: rowCount..<canvas.height)
      return
    }
    var picture = Bitmap()
    let rowCount = try decode(index, into: &picture)
    guard rowCount > 0 else { return }
    if rowCount < picture.height {
      picture = try picture.copy(of: PixelRegion(x: 0, y: 0, width: picture.width, height: rowCount))
    }
    let blend = frame.isOpaque ? .replace : frame.blend
    canvas.draw(picture, atX: frame.region.x, y: frame.region.y, blend: blend)
  }

  /// Decodes a frame's own picture and answers how many of its rows are there: all of them unless it is damaged.
  private func decode(_ index: Int, into picture: inout Bitmap) throws(DecodeError) -> Int {
    let size = PixelSize(width: frames[index].region.width, height: frames[index].region.height)
    var decoder = ImageDataDecoder(
      header: description.header.resized(to: size), expansion: description.expansion(to: canvasFormat),
      isRaw: description.isAppleOptimized)
    for range in dataRanges[index] {
      let result = try decoder.consume(bytes.span.extracting(range), into: &picture, options: options)
      if case .damaged(let reason) = result.status {
        if options.tolerance == .strict {
          throw DecodeError(
            .malformed, reason, format: PNGDecoder.type, byteOffset: range.lowerBound + (result.consumedCount ?? 0))
        }
        break
      }
    }
    if !decoder.isImageComplete, options.tolerance == .strict {
      throw DecodeError(.truncated, "the data of frame \(index) ends before the frame does", format: PNGDecoder.type)
    }
    // The pixels of an interlaced frame are all over it; what is missing is transparent.
    if description.header.isInterlaced { return decoder.hasPixels ? size.height : 0 }
    return decoder.completedRowCount
  }
}

/// The pixel-free walk over an APNG: where each frame goes and where its data stands.
private struct FrameIndex {
  private let description: ImageDescription
  private let options: DecodingOptions
  private var nextSequenceNumber: UInt32 = 0
  private var isIntact = true
  private(set) var frames: [AnimationFrameInfo] = []
  private(set) var dataRanges: [[Range<Int>]] = []

  init(description: ImageDescription, options: DecodingOptions) {
    self.description = description
    self.options = options
  }

  /// Walks over the chunks. In lenient mode the walk ends at the first violation, and frames without data are dropped.
  mutating func read(_ bytes: Span<UInt8>) throws(DecodeError) {
    do throws(DecodeError) {
      try readChunks(bytes)
    } catch {
      if options.tolerance == .strict || error.kind == .limitExceeded { throw error }
    }
    while let last = dataRanges.last, last.isEmpty {
      frames.removeLast()
      dataRanges.removeLast()
    }
  }

  private mutating func readChunks(_ bytes: Span<UInt8>) throws(DecodeError) {
    var reader = ByteReader(bytes, format: PNGDecoder.type)
    try reader.skip(ChunkReader.signature.count)
    while reader.remaining > 0 {
      let byteCount = Int(try reader.readUInt32BigEndian())
      let type = ChunkType(code: try reader.readUInt32BigEndian())
      let start = reader.position
      // The last chunk of a truncated file holds as much as there is.
      let end = start + min(byteCount, reader.remaining)
      switch type {
      case .frameControl: try readFrameControl(bytes.extracting(start..<end), byteOffset: start)
      case .imageData: addData(start..<end, isDefaultImage: true)
      case .frameData: try readFrameData(bytes.extracting(start..<end), start: start, end: end)
      case .imageEnd: return
      default: break
      }
      try reader.seek(to: end)
      try reader.skip(4)
    }
  }

  private mutating func readFrameControl(_ data: Span<UInt8>, byteOffset: Int) throws(DecodeError) {
    guard frames.count < options.limits.maximumFrameCount else {
      throw DecodeError(
        .limitExceeded, "there are more than \(options.limits.maximumFrameCount) frames", format: PNGDecoder.type,
        byteOffset: byteOffset)
    }
    if let last = dataRanges.last, last.isEmpty {
      throw DecodeError(.malformed, "a frame has no data", format: PNGDecoder.type, byteOffset: byteOffset)
    }
    let canvas = PixelSize(width: description.header.width, height: description.header.height)
    var reader = ByteReader(data, baseOffset: byteOffset, format: PNGDecoder.type)
    let control = try FrameControl(
      parsing: &reader, canvas: canvas, isOpaque: !description.naturalFormat.hasAlpha)
    try checkSequence(control.sequenceNumber, byteOffset: byteOffset)
    frames.append(control.frame)
    dataRanges.append([])
  }

  private mutating func readFrameData(_ data: Span<UInt8>, start: Int, end: Int) throws(DecodeError) {
    var reader = ByteReader(data, baseOffset: start, format: PNGDecoder.type)
    try checkSequence(try reader.readUInt32BigEndian(), byteOffset: start)
    guard !frames.isEmpty else { throw reader.error(.malformed, "fdAT stands before fcTL") }
    addData(start + 4..<end, isDefaultImage: false)
  }

  private mutating func checkSequence(_ number: UInt32, byteOffset: Int) throws(DecodeError) {
    guard number == nextSequenceNumber else {
      throw DecodeError(
        .malformed, "sequence number \(number) follows \(Int(nextSequenceNumber) - 1)", format: PNGDecoder.type,
        byteOffset: byteOffset)
    }
    nextSequenceNumber &+= 1
  }

  /// The default image is a frame only when an fcTL stands before it, which then covers the canvas.
  private mutating func addData(_ range: Range<Int>, isDefaultImage: Bool) {
    guard let last = frames.indices.last, !range.isEmpty else { return }
    if isDefaultImage {
      let region = frames[last].region
      guard frames.count == 1, region.width == description.header.width, region.height == description.header.height
      else { return }
    }
    dataRanges[last].append(range)
  }
}
