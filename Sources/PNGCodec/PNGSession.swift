// The walk over the chunks: which of them are kept, parsed, decoded or skipped, and which order they must have (PNG
// section 5.6). One-shot decoding appends the whole file to a session.

internal import ImageCore

/// Decodes a PNG while its bytes arrive.
final class PNGSession: IncrementalImageDecoder {
  private enum Phase {
    case header
    case beforeImageData
    case imageData
    case afterImageData
    case ended
  }

  /// What becomes of the chunk being read.
  private enum Disposition {
    case skip
    case keep
    case decode
  }

  /// Diagnostics kept; more of them say nothing new.
  private static let maximumDiagnosticCount = 100

  private let options: DecodingOptions
  /// Whether to stop at the first image data.
  private let readsHeadersOnly: Bool
  private var reader = ChunkReader()
  private var phase = Phase.header
  private var disposition = Disposition.skip
  private var chunkData: [UInt8] = []
  private var isAppleOptimized = false
  private(set) var description: ImageDescription?
  private var metadataByteCount = 0
  private var metadataChunkCount = 0
  private var imageData: ImageDataDecoder?
  /// Why the image data cannot be read any further.
  private var damage: DecodeError?
  private var isStreamFinished = false
  private var hasFrameControlBeforeImageData = false
  private var frameDataCount = 0
  private var isFrameDataOpen = false
  private var bitmap: Bitmap
  private var diagnostics: [ImageDiagnostic] = []
  private var failure: DecodeError?

  /// - Parameter reusing: a bitmap whose allocation the image may take over.
  init(options: DecodingOptions, readsHeadersOnly: Bool = false, reusing bitmap: consuming Bitmap = Bitmap()) {
    self.options = options
    self.readsHeadersOnly = readsHeadersOnly
    self.bitmap = bitmap
  }

  private var isStrict: Bool { options.tolerance == .strict }

  var info: ImageInfo? { phase == .header || phase == .beforeImageData ? nil : description?.info }

  var progress: DecodingProgress {
    let isDefaultImageComplete = imageData?.isImageComplete ?? false
    return DecodingProgress(
      isHeaderComplete: info != nil, completedRowCount: imageData?.completedRowCount ?? 0,
      completedScanCount: imageData?.completedPassCount ?? 0,
      completedFrameCount: frameDataCount + (hasFrameControlBeforeImageData && isDefaultImageComplete ? 1 : 0),
      isComplete: phase == .ended)
  }

  @discardableResult
  func append(_ bytes: Span<UInt8>) throws(DecodeError) -> DecodingProgress {
    if let failure { throw failure }
    do throws(DecodeError) {
      try walk(bytes)
    } catch {
      failure = error
      throw error
    }
    return progress
  }

  private func walk(_ bytes: Span<UInt8>) throws(DecodeError) {
    var position = 0
    while phase != .ended, !(readsHeadersOnly && phase == .imageData) {
      let event: ChunkReader.Event?
      do throws(DecodeError) {
        event = try reader.next(bytes, position: &position)
      } catch {
        try endAtDamage(error)
        return
      }
      switch event {
      case nil: return
      case .begin(let type, let byteCount): try beginChunk(type, byteCount: byteCount)
      case .data(let range): try takeData(bytes.extracting(range))
      case .end(let type, let isIntact): try endChunk(type, isIntact: isIntact)
      }
    }
  }

  // MARK: Chunks

  private func beginChunk(_ type: ChunkType, byteCount: Int) throws(DecodeError) {
    guard type.isValid else { return try endAtDamage(error(.malformed, "a chunk type is not four letters")) }
    if phase == .header, type != .imageHeader, type != .appleOptimized {
      throw error(.malformed, "the first chunk is \(type), not IHDR")
    }
    if phase == .imageData, type != .imageData { try endImageData() }
    disposition = try dispose(of: type, byteCount: byteCount)
    chunkData = []
  }

  private func dispose(of type: ChunkType, byteCount: Int) throws(DecodeError) -> Disposition {
    switch type {
    case .imageData: return try beginImageData()
    case .imageHeader, .palette, .frameControl: return .keep
    case .imageEnd, .appleOptimized: return .skip
    case .frameData:
      isFrameDataOpen = true
      return .skip
    case .transparency, .animationControl, .gamma, .chromaticities, .standardRGB, .iccProfile, .codePoints,
      .significantBits, .background, .physicalPixelDimensions, .exif, .text, .compressedText, .internationalText, .time:
      return keepMetadata(type, byteCount: byteCount) ? .keep : .skip
    default:
      if type.isCritical { try tolerate(error(.unsupported, "the critical chunk \(type) is unknown"), as: .damage) }
      return .skip
    }
  }

  /// Whether a piece of metadata is within the limits.
  private func keepMetadata(_ type: ChunkType, byteCount: Int) -> Bool {
    let limits = options.limits
    guard byteCount <= limits.maximumMetadataChunkByteCount,
      byteCount <= limits.maximumMetadataByteCount - metadataByteCount,
      metadataChunkCount < limits.maximumMetadataChunkCount
    else {
      note(.warning, "\(type) is skipped, metadata is over its limits")
      return false
    }
    metadataByteCount += byteCount
    metadataChunkCount += 1
    return true
  }

  private func takeData(_ part: Span<UInt8>) throws(DecodeError) {
    switch disposition {
    case .skip: break
    case .keep:
      // IHDR, PLTE and fcTL have no limit of their own; what is beyond this makes them malformed anyway.
      if chunkData.count + part.count <= max(1024, options.limits.maximumMetadataChunkByteCount) {
        chunkData.append(contentsOf: Array(copying: part))
      } else {
        disposition = .skip
      }
    case .decode: try decodeImageData(part)
    }
  }

  private func endChunk(_ type: ChunkType, isIntact: Bool) throws(DecodeError) {
    if !isIntact {
      let error = error(.malformed, "the CRC of chunk \(type) is wrong")
      if type.isCritical {
        try tolerate(error, as: .damage)
      } else {
        return note(.warning, error.reason)
      }
    }
    if disposition == .keep {
      try parse(type)
    } else if type == .appleOptimized {
      isAppleOptimized = true
    } else if type == .imageEnd {
      closeFrame()
      if imageData == nil { throw error(.malformed, "there is no image data") }
      phase = .ended
    }
  }

  private func parse(_ type: ChunkType) throws(DecodeError) {
    let data = chunkData
    chunkData = []
    var reader = ByteReader(data.span, baseOffset: self.reader.chunkOffset + 8, format: PNGDecoder.type)
    do throws(DecodeError) {
      switch type {
      case .imageHeader: try parseHeader(&reader)
      case .palette: try parsePalette(&reader, data: data)
      default: try parseAncillary(type, &reader, data: data)
      }
    } catch {
      // What the image cannot do without is never skipped.
      if type.isCritical || error.kind == .cancelled { throw error }
      note(.warning, error.reason, byteOffset: error.byteOffset)
    }
  }

  private func parseHeader(_ reader: inout ByteReader) throws(DecodeError) {
    guard phase == .header else { return try tolerate(error(.malformed, "IHDR is repeated"), as: .warning) }
    let headerOffset = reader.byteOffset
    let header = try ImageHeader(parsing: &reader)
    description = ImageDescription(
      header: header, headerOffset: headerOffset, isAppleOptimized: isAppleOptimized)
    phase = .beforeImageData
  }

  private func parsePalette(_ reader: inout ByteReader, data: [UInt8]) throws(DecodeError) {
    guard let header = description?.header else { return }
    guard phase == .beforeImageData else {
      return try tolerate(error(.malformed, "PLTE stands behind IDAT"), as: .warning)
    }
    guard description?.palette == nil else { return try tolerate(error(.malformed, "PLTE is repeated"), as: .warning) }
    guard header.colorType != .gray, header.colorType != .grayAlpha else {
      return try tolerate(error(.malformed, "a gray image has a PLTE"), as: .warning)
    }
    do throws(DecodeError) {
      description?.palette = try Palette(parsing: &reader)
    } catch {
      try tolerate(error, as: .damage)
      description?.palette = Palette(salvaging: data)
    }
    if header.colorType == .palette, let count = description?.palette?.count, count > 1 << header.bitDepth {
      try tolerate(error(.malformed, "PLTE has more entries than indices can name"), as: .warning)
    }
  }

  private func parseAncillary(_ type: ChunkType, _ reader: inout ByteReader, data: [UInt8]) throws(DecodeError) {
    guard var description else { return }
    let isBeforeImageData = phase == .beforeImageData
    switch type {
    case .frameControl:
      closeFrame()
      if isBeforeImageData { hasFrameControlBeforeImageData = true }
      return
    case .physicalPixelDimensions: try description.metadata.readPhysicalPixelDimensions(&reader)
    case .exif: description.metadata.exif = data
    case .text: try description.metadata.readText(&reader)
    case .compressedText: try description.metadata.readCompressedText(&reader, limits: options.limits)
    case .internationalText: try description.metadata.readInternationalText(&reader, limits: options.limits)
    case .time: try description.metadata.readTime(&reader)
    case _ where !isBeforeImageData: throw reader.error(.malformed, "\(type) stands behind IDAT")
    case .transparency:
      description.transparency = try Transparency(
        parsing: &reader, header: description.header, palette: description.palette)
    case .animationControl: description.animation = try AnimationControl(parsing: &reader)
    case .gamma: try description.metadata.readGamma(&reader)
    case .chromaticities: try description.metadata.readChromaticities(&reader)
    case .standardRGB: try description.metadata.readStandardRGB(&reader)
    case .codePoints: try description.metadata.readCodePoints(&reader)
    case .iccProfile: try description.metadata.readICCProfile(&reader, limits: options.limits)
    case .significantBits: try description.metadata.readSignificantBits(&reader, header: description.header)
    case .background:
      try description.metadata.readBackground(&reader, header: description.header, palette: description.palette)
    default: return
    }
    self.description = description
  }

  private func closeFrame() {
    if isFrameDataOpen { frameDataCount += 1 }
    isFrameDataOpen = false
  }

  // MARK: Image data

  private func beginImageData() throws(DecodeError) -> Disposition {
    guard let description, phase != .afterImageData else {
      try tolerate(error(.malformed, "IDAT chunks do not follow each other"), as: .warning)
      return .skip
    }
    if phase == .beforeImageData {
      phase = .imageData
      if readsHeadersOnly { return .skip }
      if description.header.colorType == .palette, description.palette == nil {
        throw error(.malformed, "PLTE is missing")
      }
      let expansion = description.expansion(to: options.pixelFormat)
      try description.checkLimits(options.limits, format: expansion.target)
      imageData = ImageDataDecoder(
        header: description.header, expansion: expansion, isRaw: description.isAppleOptimized)
    }
    return .decode
  }

  private func decodeImageData(_ part: Span<UInt8>) throws(DecodeError) {
    guard damage == nil, !isStreamFinished else { return }
    guard let result = try imageData?.consume(part, into: &bitmap, options: options) else { return }
    let byteOffset = result.consumedCount.map { reader.byteOffset - part.count + $0 } ?? reader.chunkOffset
    switch result.status {
    case .needsMore: break
    case .finished: isStreamFinished = true
    case .excess:
      isStreamFinished = true
      note(.warning, "the image data is longer than the image", byteOffset: byteOffset)
    case .damaged(let reason):
      let error = DecodeError(.malformed, reason, format: PNGDecoder.type, byteOffset: byteOffset)
      damage = error
      try tolerate(error, as: .damage)
    }
  }

  /// Called once something else than IDAT follows.
  private func endImageData() throws(DecodeError) {
    phase = .afterImageData
    guard let imageData, damage == nil, !isStreamFinished else { return }
    let error =
      imageData.isImageComplete
      ? error(.malformed, "the image data has no checksum")
      : error(.malformed, "the image data ends before the image does")
    if !imageData.isImageComplete { damage = error }
    try tolerate(error, as: imageData.isImageComplete ? .warning : .damage)
  }

  /// Stops at bytes that cannot be chunks: an error unless there may be an image already.
  private func endAtDamage(_ error: DecodeError) throws(DecodeError) {
    if isStrict || imageData == nil { throw error }
    if phase == .imageData { try endImageData() }
    note(.damage, error.reason, byteOffset: error.byteOffset)
    phase = .ended
  }

  // MARK: Results

  func makePreview() -> Bitmap? {
    guard let imageData, imageData.hasPixels, let description else { return nil }
    var preview = bitmap
    if description.header.isInterlaced, !imageData.isImageComplete {
      preview = PassPreview(
        completedPassCount: imageData.completedPassCount, rowsOfNextPass: imageData.passRowCount
      ).fill(bitmap)
    }
    tag(&preview, description)
    return preview.handlingOrientation(options.orientation)
  }

  func finish() throws(DecodeError) -> DecodedImage {
    if let failure { throw failure }
    do throws(DecodeError) {
      if phase != .ended { try endEarly() }
      return try makeResult()
    } catch {
      failure = error
      throw error
    }
  }

  /// Gives the bitmap back, emptied, after a failure.
  func takeBitmap() -> Bitmap {
    var taken = Bitmap()
    swap(&taken, &bitmap)
    taken.zeroPixels(rows: 0..<taken.height)
    return taken
  }

  private func endEarly() throws(DecodeError) {
    let error = DecodeError(
      .truncated, "the file ends before IEND", format: PNGDecoder.type, byteOffset: reader.byteOffset)
    guard let imageData else { throw error }
    try tolerate(error, as: imageData.isImageComplete ? .warning : .damage)
    if damage == nil, !imageData.isImageComplete { damage = error }
    phase = .ended
  }

  private func makeResult() throws(DecodeError) -> DecodedImage {
    guard let description, let imageData else { throw error(.malformed, "there is no image data") }
    guard imageData.hasPixels else { throw damage ?? error(.truncated, "there is no complete row") }
    if imageData.sawUnknownIndex {
      try tolerate(error(.malformed, "a pixel's index has no entry in PLTE"), as: .damage)
    }
    if !imageData.isImageComplete, !description.header.isInterlaced {
      bitmap.zeroPixels(rows: imageData.completedRowCount..<description.header.height)
    }
    var image = Bitmap()
    swap(&image, &bitmap)
    tag(&image, description)
    let details = DecodingDetails(
      info: description.info, metadata: description.metadata, diagnostics: diagnostics,
      isComplete: imageData.isImageComplete)
    return DecodedImage(bitmap: image.handlingOrientation(options.orientation), details: details)
  }

  private func tag(_ image: inout Bitmap, _ description: ImageDescription) {
    image.colorSpace = description.metadata.colorSpace.applying(from: description.naturalFormat, to: image.format)
    image.orientation = description.orientation
  }

  // MARK: Errors

  private func error(_ kind: DecodeError.Kind, _ reason: String) -> DecodeError {
    DecodeError(kind, reason, format: PNGDecoder.type, byteOffset: reader.chunkOffset)
  }

  /// Throws in strict mode; else keeps a diagnostic.
  private func tolerate(_ error: DecodeError, as severity: ImageDiagnostic.Severity) throws(DecodeError) {
    if isStrict { throw error }
    note(severity, error.reason, byteOffset: error.byteOffset)
  }

  private func note(_ severity: ImageDiagnostic.Severity, _ reason: String, byteOffset: Int? = nil) {
    guard diagnostics.count < Self.maximumDiagnosticCount else { return }
    diagnostics.append(ImageDiagnostic(severity, reason, byteOffset: byteOffset ?? reader.chunkOffset))
  }
}
