// APNG, PNG sections 7.3 and 11.3.6: the index of the frames, and the drawing of single frames.

internal import ByteCompression
internal import ImageCoding

/// The frames of an APNG, decoded on demand.
final class PNGAnimation: AnimationFrames {
  private let bytes: [UInt8]
  private let description: ImageDescription
  let options: DecodingOptions
  /// The parts of each frame's zlib stream, as ranges of `bytes`.
  private let dataRanges: [[Range<Int>]]

  let frames: [AnimationFrameInfo]
  let loopCount: LoopCount
  let diagnostics: [ImageDiagnostic]
  let canvasFormat: PixelFormat
  var colorSpace: ColorSpace { description.colorSpace(in: canvasFormat) }
  var canvasSize: PixelSize { PixelSize(width: description.header.width, height: description.header.height) }

  /// Indexes the frames without decoding any; `nil` if the file is a still image or has no valid frame.
  init?(
    indexing bytes: [UInt8], options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) {
    var headers = PNGCore(.headers)
    try headers.read(bytes.span, options: options, budget: &budget)
    guard let description = headers.description, let animation = description.animation else { return nil }
    let isWide = description.header.bitDepth == 16 && options.pixelFormat?.bitsPerSample != 8
    canvasFormat = isWide ? .rgba16 : .rgba8
    try description.checkLimits(options.limits, format: canvasFormat)
    var index = FrameIndex(description: description, options: options)
    try index.read(bytes.span, &budget)
    guard !index.frames.isEmpty else { return nil }
    self.bytes = bytes
    self.description = description
    self.options = options
    dataRanges = index.dataRanges
    frames = index.frames
    diagnostics = index.damage.map { [ImageDiagnostic(.damage, $0)] } ?? []
    loopCount = animation.loopCount
  }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    let heldByteCount = budget.heldByteCount
    budget.format = PNGDecoder.type
    defer { budget.settle(heldByteCount: heldByteCount) }
    let frame = frames[index]
    let isWhole = frame.region.width == canvas.width && frame.region.height == canvas.height
    if isWhole, frame.blend == .replace || frame.isOpaque {
      // Missing rows are transparent whatever the canvas showed before, so the picture does not depend on which frames
      // were drawn.
      let (rowCount, diagnostics) = try decode(index, into: &canvas, budget: &budget)
      canvas.zeroPixels(rows: rowCount..<canvas.height)
      return diagnostics
    }
    var picture = Bitmap()
    let (rowCount, diagnostics) = try decode(index, into: &picture, budget: &budget)
    guard rowCount > 0 else { return diagnostics }
    if rowCount < picture.height {
      picture = try picture.copy(of: PixelRegion(x: 0, y: 0, width: picture.width, height: rowCount))
    }
    let blend = frame.isOpaque ? .replace : frame.blend
    try canvas.draw(picture, atX: frame.region.x, y: frame.region.y, blend: blend, budget: &budget)
    return diagnostics
  }

  /// Decodes a frame's own picture. Returns the number of rows present, which is all of them unless the frame is
  /// damaged, and the damage.
  private func decode(
    _ index: Int, into picture: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> (rowCount: Int, diagnostics: [ImageDiagnostic]) {
    let size = PixelSize(width: frames[index].region.width, height: frames[index].region.height)
    var decoder = try ImageDataDecoder(
      header: description.header.resized(to: size), expansion: description.expansion(to: canvasFormat),
      isRaw: description.isAppleOptimized, budget: &budget)
    var damage: CodecError?
    let bytes = bytes
    for range in dataRanges[index] {
      let result = try decoder.consume(bytes.span.extracting(range), into: &picture, budget: &budget)
      if case .damaged(let reason, let isInRow) = result.status {
        damage = CodecError(
          .malformed, reason, format: PNGDecoder.type,
          byteOffset: range.lowerBound + (isInRow ? 0 : result.consumedCount))
        break
      }
    }
    if damage == nil, !decoder.isImageComplete {
      damage = CodecError(
        .truncated, "the data of frame \(index) ends before its last row", format: PNGDecoder.type,
        byteOffset: dataRanges[index].last?.upperBound)
    }
    if let damage, options.tolerance == .strict { throw damage }
    let diagnostics = damage.map { [ImageDiagnostic(.damage, $0)] } ?? []
    // The pixels of an interlaced frame are spread over all rows; missing ones are transparent.
    if description.header.isInterlaced { return (decoder.hasPixels ? size.height : 0, diagnostics) }
    return (decoder.completedRowCount, diagnostics)
  }
}

/// An index of an APNG, built without decoding pixels: the region of each frame and the location of its data.
private struct FrameIndex {
  private let description: ImageDescription
  let options: DecodingOptions
  private var nextSequenceNumber: UInt32 = 0
  private(set) var frames: [AnimationFrameInfo] = []
  private(set) var dataRanges: [[Range<Int>]] = []
  /// The violation at which reading ended.
  private(set) var damage: CodecError?

  init(description: ImageDescription, options: DecodingOptions) {
    self.description = description
    self.options = options
  }

  /// Reads all chunks. In lenient mode, reading ends at the first violation, and frames without data are dropped.
  mutating func read(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    do throws(CodecError) {
      try readChunks(bytes, &budget)
    } catch {
      if options.tolerance == .strict || error.kind == .limitExceeded || error.isInterruption { throw error }
      damage = error
    }
    while let last = dataRanges.last, last.isEmpty {
      frames.removeLast()
      dataRanges.removeLast()
    }
  }

  private mutating func readChunks(
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var position = ChunkReader.signature.count
    while let chunk = FramedChunk(bytes, at: position) {
      try budget.chargeWork(PNGCore.workPerChunk)
      // The last chunk of a truncated file has only the bytes that are present.
      let (start, end) = (chunk.data.lowerBound, chunk.data.upperBound)
      switch chunk.type {
      case .frameControl: try readFrameControl(bytes.extracting(start..<end), byteOffset: start)
      case .imageData: addData(start..<end, isDefaultImage: true)
      case .frameData: try readFrameData(bytes.extracting(start..<end), start: start, end: end)
      case .imageEnd: return
      default: break
      }
      guard chunk.isComplete else { break }
      position = chunk.range.upperBound
    }
    if position < bytes.count {
      throw CodecError(.truncated, "the file ends within a chunk", format: PNGDecoder.type, byteOffset: bytes.count)
    }
  }

  private mutating func readFrameControl(_ data: Span<UInt8>, byteOffset: Int) throws(CodecError) {
    guard frames.count < options.limits.maximumFrameCount else {
      throw CodecError(
        .limitExceeded, "there are more than \(options.limits.maximumFrameCount) frames", format: PNGDecoder.type,
        byteOffset: byteOffset, limit: .count)
    }
    if let last = dataRanges.last, last.isEmpty {
      throw CodecError(.malformed, "a frame has no data", format: PNGDecoder.type, byteOffset: byteOffset)
    }
    let canvas = PixelSize(width: description.header.width, height: description.header.height)
    var reader = ByteReader(data, baseOffset: byteOffset, format: PNGDecoder.type)
    let control = try FrameControl(
      parsing: &reader, canvas: canvas, isOpaque: !description.naturalFormat.hasAlpha)
    try checkSequence(control.sequenceNumber, byteOffset: byteOffset)
    frames.append(control.frame)
    dataRanges.append([])
  }

  private mutating func readFrameData(_ data: Span<UInt8>, start: Int, end: Int) throws(CodecError) {
    var reader = ByteReader(data, baseOffset: start, format: PNGDecoder.type)
    try checkSequence(try reader.readUInt32BigEndian(), byteOffset: start)
    guard !frames.isEmpty else { throw reader.error(.malformed, "fdAT precedes the first fcTL") }
    addData(start + 4..<end, isDefaultImage: false)
  }

  private mutating func checkSequence(_ number: UInt32, byteOffset: Int) throws(CodecError) {
    guard number == nextSequenceNumber else {
      throw CodecError(
        .malformed, "sequence number \(number) follows \(Int(nextSequenceNumber) - 1)", format: PNGDecoder.type,
        byteOffset: byteOffset)
    }
    nextSequenceNumber &+= 1
  }

  /// The default image is a frame only if an fcTL precedes it; that frame then covers the canvas.
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
