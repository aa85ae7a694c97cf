// The walk over the blocks: screen, extensions, images. The first image is decoded, of the others only the headers are
// read. One-shot decoding appends the whole file to a session.

internal import ImageCore

/// Decodes the first frame of a GIF while its bytes arrive, and indexes the others.
final class GIFSession: IncrementalImageDecoder {
  /// How far a session goes.
  enum Extent {
    /// To the first image's header.
    case headers
    /// To the end, decoding no image.
    case index
    /// To the end, decoding the first image.
    case firstFrame
  }

  /// Diagnostics kept; more of them say nothing new.
  private static let maximumDiagnosticCount = 100

  private let options: DecodingOptions
  private let extent: Extent
  private var reader = BlockReader()
  private var screen: LogicalScreen?
  private(set) var canvasSize = PixelSize(width: 0, height: 0)
  private(set) var globalColors: ColorTable?
  private var metadata = ImageMetadata()
  private var metadataByteCount = 0
  private var metadataCount = 0
  private var storedLoopCount: LoopCount?
  private var control = GraphicControl()
  private var extensionReader: ExtensionReader?
  /// All frames so far.
  private(set) var frames: [FrameHeader] = []
  /// Frames whose data is complete.
  private var completedFrameCount = 0
  private var isLastFrameEmpty = false
  private var isInImage = false
  /// Drawing of the first frame, while its data arrives.
  private var compositor: FrameCompositor?
  private var decoder: IndexDecoder?
  private var isFirstFrameComplete = false
  private var bitmap: Bitmap
  private var isEnded = false
  private var diagnostics: [ImageDiagnostic] = []
  private var failure: DecodeError?

  /// - Parameter reusing: a bitmap whose allocation the image may take over.
  init(options: DecodingOptions, extent: Extent = .firstFrame, reusing bitmap: consuming Bitmap = Bitmap()) {
    self.options = options
    self.extent = extent
    self.bitmap = bitmap
  }

  private var isStrict: Bool { options.tolerance == .strict }

  // MARK: Walk

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
    while !isEnded, !(extent == .headers && !frames.isEmpty) {
      if isInImage { takeImageData(bytes, &position) }
      guard let event = try reader.next(bytes, position: &position) else { break }
      switch event {
      case .screen(let screen, let colors): try beginScreen(screen, colors: colors)
      case .extensionStart(let label):
        extensionReader = ExtensionReader(
          label: label, maximumByteCount: options.limits.maximumMetadataChunkByteCount)
      case .image(let descriptor, let colors, let codeSize):
        try beginFrame(descriptor, colors: colors, minimumCodeSize: codeSize)
      case .subBlock(let byteCount): extensionReader?.beginSubBlock(byteCount: byteCount)
      case .data(let range): extensionReader?.append(bytes.extracting(range))
      case .blockEnd: try endBlock()
      case .unknownBlock(let byte): try endAtUnknownBlock(byte)
      case .trailer: try endAtTrailer()
      }
    }
    decoder?.flush()
    try options.checkCancellation(format: GIFDecoder.type)
  }

  private func beginScreen(_ screen: LogicalScreen, colors: [UInt8]) throws(DecodeError) {
    self.screen = screen
    canvasSize = screen.size
    if !colors.isEmpty { globalColors = ColorTable(colors) }
    if let aspect = screen.pixelAspect {
      metadata.density = ImageMetadata.PixelDensity(x: 64, y: Double(aspect), unit: .aspectRatio)
    }
    if screen.backgroundIndex * 3 + 2 < colors.count {
      let color = colors[screen.backgroundIndex * 3..<screen.backgroundIndex * 3 + 3]
      metadata.background = ImageMetadata.SampleColor(samples: color.map(UInt16.init))
    }
    if canvasSize.width > 0, canvasSize.height > 0 { try checkCanvas() }
  }

  private func checkCanvas() throws(DecodeError) {
    _ = try options.limits.checkedByteCount(
      width: canvasSize.width, height: canvasSize.height, bytesPerPixel: 4, format: GIFDecoder.type,
      byteOffset: 6)
  }

  private func takeImageData(_ bytes: Span<UInt8>, _ position: inout Int) {
    let start = position
    // Taken out while it is used, so that it is not copied.
    var decoder = frames.count == 1 ? decoder : nil
    self.decoder = nil
    reader.readSubBlocks(bytes, position: &position) { range in decoder?.append(bytes.extracting(range)) }
    self.decoder = decoder
    if position > start { isLastFrameEmpty = false }
  }

  private func endBlock() throws(DecodeError) {
    if let content = extensionReader?.finish() { take(content) }
    let isExtension = extensionReader != nil
    extensionReader = nil
    guard !isExtension else { return }
    isInImage = false
    completedFrameCount += 1
    isLastFrameEmpty = false
    if frames.count == 1 { try endFirstFrame() }
  }

  private func endAtUnknownBlock(_ byte: UInt8) throws(DecodeError) {
    let error = error(.malformed, "a block starts with the byte \(byte)")
    guard !frames.isEmpty else { throw error }
    try tolerate(error, as: .warning)
    isEnded = true
  }

  private func endAtTrailer() throws(DecodeError) {
    isEnded = true
    if frames.isEmpty { try endWithoutFrame() }
  }

  // MARK: Extensions

  private func take(_ content: ExtensionReader.Content) {
    switch content {
    case .graphicControl(let control): self.control = control
    case .loopCount(let count): storedLoopCount = count
    case .comment(let text): if keepMetadata(byteCount: text.utf8.count) { metadata.comments.append(text) }
    case .xmp(let packet): if keepMetadata(byteCount: packet.count) { metadata.xmp = packet }
    case .iccProfile(let profile): if keepMetadata(byteCount: profile.count) { metadata.iccProfile = profile }
    case .oversized: note(.warning, "an extension is skipped, metadata is over its limits")
    }
  }

  /// Whether a piece of metadata is within the limits.
  private func keepMetadata(byteCount: Int) -> Bool {
    let limits = options.limits
    guard byteCount <= limits.maximumMetadataChunkByteCount,
      byteCount <= limits.maximumMetadataByteCount - metadataByteCount,
      metadataCount < limits.maximumMetadataChunkCount
    else {
      note(.warning, "an extension is skipped, metadata is over its limits")
      return false
    }
    metadataByteCount += byteCount
    metadataCount += 1
    return true
  }

  // MARK: Frames

  private func beginFrame(
    _ descriptor: ImageDescriptor, colors: [UInt8], minimumCodeSize: Int
  ) throws(DecodeError) {
    guard frames.count < options.limits.maximumFrameCount else {
      let error = error(.limitExceeded, "there are more than \(options.limits.maximumFrameCount) frames")
      if extent == .index { throw error }
      note(.warning, error.reason)
      isEnded = true
      return
    }
    let offset = reader.byteOffset
    let header = FrameHeader(
      descriptor: descriptor, control: control, minimumCodeSize: minimumCodeSize,
      localColorRange: offset - 1 - colors.count..<offset - 1, dataOffset: offset)
    control = GraphicControl()
    isLastFrameEmpty = true
    isInImage = true
    frames.append(header)
    if frames.count == 1 { try beginFirstFrame(header, colors: colors) }
  }

  private func beginFirstFrame(_ header: FrameHeader, colors: [UInt8]) throws(DecodeError) {
    if canvasSize.width == 0 || canvasSize.height == 0 {
      try tolerate(error(.malformed, "the logical screen has no pixels"), as: .warning)
      let region = header.descriptor.region
      canvasSize = PixelSize(width: region.x + region.width, height: region.y + region.height)
      try checkCanvas()
    }
    guard canvasSize.width > 0, canvasSize.height > 0 else { throw error(.malformed, "the image has no pixels") }
    guard extent == .firstFrame else { return }
    let table = colors.isEmpty ? globalColors : ColorTable(colors)
    if table == nil { try tolerate(error(.malformed, "there is no colour table"), as: .damage) }
    compositor = FrameCompositor(header: header, colors: table ?? .grayRamp)
    var decoder = IndexDecoder()
    try decoder.begin(header, limits: options.limits)
    self.decoder = decoder
  }

  private func endFirstFrame() throws(DecodeError) {
    guard let header = frames.first, extent == .firstFrame else { return }
    decoder?.flush()
    if let damage = decoder?.damage {
      try tolerate(error(.malformed, damage.reason), as: damage.losesPixels ? .damage : .warning)
    }
    if decoder?.hasExcess == true { note(.warning, "the image data is longer than the image") }
    try checkIndices(header)
    try drawFirstFrame(header)
  }

  private func checkIndices(_ header: FrameHeader) throws(DecodeError) {
    guard let colors = compositor?.colors, header.hasValidCodeSize, colors.count < 1 << header.minimumCodeSize,
      let highest = decoder?.highestIndex, Int(highest) >= colors.count,
      // The transparent index needs no colour.
      highest != header.control.transparentIndex
    else { return }
    try tolerate(error(.malformed, "an index has no entry in the colour table"), as: .damage)
  }

  private func drawFirstFrame(_ header: FrameHeader) throws(DecodeError) {
    guard let decoder, let compositor else { return }
    try bitmap.reset(
      width: canvasSize.width, height: canvasSize.height, format: .rgba8, limits: options.limits,
      type: GIFDecoder.type)
    isFirstFrameComplete = decoder.isComplete
    if !header.covers(canvasSize) || !decoder.isComplete { bitmap.zeroPixels(rows: 0..<canvasSize.height) }
    compositor.draw(decoder.indices, onto: &bitmap)
    self.decoder = nil
  }

  /// A valid stream that shows nothing: an empty screen.
  private func endWithoutFrame() throws(DecodeError) {
    try tolerate(error(.malformed, "there is no image"), as: .damage)
    guard canvasSize.width > 0, canvasSize.height > 0 else { throw error(.malformed, "the image has no pixels") }
    guard extent == .firstFrame else { return }
    try bitmap.reset(
      width: canvasSize.width, height: canvasSize.height, format: .rgba8, limits: options.limits,
      type: GIFDecoder.type)
    bitmap.zeroPixels(rows: 0..<canvasSize.height)
  }

  // MARK: Results

  /// Known with the first frame's header; what only the end of the file tells is filled in there.
  var info: ImageInfo? {
    guard let screen, let first = frames.first else { return isEnded ? emptyInfo : nil }
    var info = ImageInfo(
      type: GIFDecoder.type, width: canvasSize.width, height: canvasSize.height,
      bitDepth: first.hasValidCodeSize ? first.minimumCodeSize : nil, colorModel: .palette,
      hasAlpha: !first.covers(canvasSize), colorSpace: colorSpace, isProgressive: first.descriptor.isInterlaced,
      frameCount: nil, loopCount: storedLoopCount, coding: screen.version)
    guard isEnded else { return info }
    info.frameCount = frames.count
    info.loopCount = frames.count > 1 ? storedLoopCount ?? .finite(1) : nil
    if frames.count > 1 {
      info.duration = .milliseconds(frames.reduce(0) { $0 + $1.control.delay * 10 })
    }
    return info
  }

  private var emptyInfo: ImageInfo? {
    screen.map {
      ImageInfo(
        type: GIFDecoder.type, width: canvasSize.width, height: canvasSize.height, colorModel: .palette,
        hasAlpha: true, frameCount: 0, coding: $0.version)
    }
  }

  private var colorSpace: ColorSpace { metadata.iccProfile.map(ColorSpace.icc) ?? .unspecified }

  /// How often the frames are shown.
  var loopCount: LoopCount { storedLoopCount ?? .finite(1) }

  var progress: DecodingProgress {
    var progress = DecodingProgress(
      isHeaderComplete: !frames.isEmpty, completedFrameCount: completedFrameCount, isComplete: isEnded)
    guard let header = frames.first else { return progress }
    let interlacing = Interlacing(height: header.height, isInterlaced: header.descriptor.isInterlaced)
    var storedRowCount = header.height
    if let decoder { storedRowCount = header.width == 0 ? 0 : decoder.decodedCount / header.width }
    let rowsOfFrame = interlacing.completedRowCount(storedRowCount: storedRowCount)
    let isDrawn = extent == .firstFrame && decoder == nil
    progress.completedRowCount =
      isDrawn
      ? canvasSize.height : min(canvasSize.height, rowsOfFrame > 0 ? header.descriptor.region.y + rowsOfFrame : 0)
    if header.descriptor.isInterlaced {
      progress.completedScanCount = interlacing.completedPassCount(storedRowCount: storedRowCount)
    }
    return progress
  }

  func makePreview() -> Bitmap? {
    guard let decoder, let compositor else {
      return bitmap.isEmpty || frames.isEmpty ? nil : finished(bitmap)
    }
    guard decoder.decodedCount > 0,
      var preview = try? Bitmap(
        width: canvasSize.width, height: canvasSize.height, format: .rgba8, limits: options.limits)
    else { return nil }
    compositor.draw(decoder.indices, onto: &preview, fillsGaps: true)
    return finished(preview)
  }

  private func finished(_ picture: Bitmap) -> Bitmap {
    var picture = picture
    picture.colorSpace = colorSpace
    guard let format = options.pixelFormat, format != picture.format else { return picture }
    return picture.converted(to: format)
  }

  func finish() throws(DecodeError) -> DecodedImage {
    if let failure { throw failure }
    do throws(DecodeError) {
      if !isEnded { try endEarly() }
      guard let info else { throw error(.malformed, "there is no image") }
      var image = Bitmap()
      swap(&image, &bitmap)
      let details = DecodingDetails(
        info: info, metadata: metadata, diagnostics: diagnostics, isComplete: isFirstFrameComplete)
      return DecodedImage(bitmap: finished(image), details: details)
    } catch {
      failure = error
      throw error
    }
  }

  /// Takes the end of the input for the end of the file.
  func endEarly() throws(DecodeError) {
    let error = DecodeError(
      .truncated, "the file ends before its trailer", format: GIFDecoder.type, byteOffset: reader.byteOffset)
    guard let first = frames.first else { throw error }
    if let decoder {
      if decoder.decodedCount == 0 || isStrict { throw error }
      note(.damage, error.reason, byteOffset: error.byteOffset)
      try checkIndices(first)
      try drawFirstFrame(first)
    } else {
      try tolerate(error, as: .warning)
    }
    // A frame without data shows nothing.
    if isLastFrameEmpty, frames.count > 1 { frames.removeLast() }
    isEnded = true
  }

  /// Gives the bitmap back, emptied, after a failure.
  func takeBitmap() -> Bitmap {
    var taken = Bitmap()
    swap(&taken, &bitmap)
    taken.zeroPixels(rows: 0..<taken.height)
    return taken
  }

  // MARK: Errors

  private func error(_ kind: DecodeError.Kind, _ reason: String) -> DecodeError {
    DecodeError(kind, reason, format: GIFDecoder.type, byteOffset: reader.byteOffset)
  }

  /// Throws in strict mode; else keeps a diagnostic.
  private func tolerate(_ error: DecodeError, as severity: ImageDiagnostic.Severity) throws(DecodeError) {
    if isStrict { throw error }
    note(severity, error.reason, byteOffset: error.byteOffset)
  }

  private func note(_ severity: ImageDiagnostic.Severity, _ reason: String, byteOffset: Int? = nil) {
    guard diagnostics.count < Self.maximumDiagnosticCount else { return }
    diagnostics.append(ImageDiagnostic(severity, reason, byteOffset: byteOffset ?? reader.byteOffset))
  }
}
