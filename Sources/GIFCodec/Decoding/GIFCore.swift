// The stages of a GIF: screen, extensions, images, trailer. The first image is decoded; only the headers of the others
// are read.

internal import ImageCoding

/// Decodes the first frame of a GIF and indexes the others.
struct GIFCore: DecodingCore {
  var format: AssetType { GIFDecoder.type }

  /// The work charged for reading one block's header.
  private static let workPerBlock = 100

  let goal: DecodingGoal
  var blocks = BlockReader()
  var screen: LogicalScreen?
  var canvasSize = PixelSize(width: 0, height: 0)
  var globalColors: ColorTable?
  var metadata = ImageMetadata()
  var storedLoopCount: LoopCount?
  var control = GraphicControl()
  /// The extension being read.
  var extensionReader: ExtensionReader?
  /// The headers of all frames read so far.
  var frames: [FrameHeader] = []
  /// The number of frames whose data is complete.
  var completedFrameCount = 0
  var isLastFrameEmpty = false
  private var isInImage = false
  /// Draws the first frame; set once its data begins.
  var compositor: FrameCompositor?
  /// Decodes the first frame as its data arrives.
  var decoder: IndexDecoder?
  var isFirstFrameComplete = false
  var isEnded = false

  /// - Parameter goal: the headers end with that of the first image; the index and the metadata are complete at the end
  ///   of the file, whose images are not decoded.
  init(_ goal: DecodingGoal) {
    self.goal = goal
  }

  /// Decodes block after block.
  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    var position = blocks.byteOffset - input.baseOffset
    while !isAtEnd {
      if isInImage { try takeImageData(input.bytes, &position, &context) }
      guard let event = try blocks.next(input.bytes, position: &position) else { break }
      switch event {
      case .screen(let screen, let colors): try beginScreen(screen, colors: colors, &context)
      case .extensionStart(let label): try beginExtension(label, &context)
      case .image(let descriptor, let colors, let codeSize):
        try beginFrame(descriptor, colors: colors, minimumCodeSize: codeSize, &context)
      case .subBlock(let byteCount): extensionReader?.beginSubBlock(byteCount: byteCount)
      case .data(let range): extensionReader?.append(input.bytes.extracting(range))
      case .blockEnd: try endBlock(into: &bitmap, &context)
      case .unknownBlock(let byte): try endAtUnknownBlock(byte, &context)
      case .trailer: try endAtTrailer(into: &bitmap, &context)
      }
    }
    try decoder?.flush(&context.budget)
    try context.budget.checkpoint(byteOffset: blocks.byteOffset)
    if goal != .pixels, input.isFinal, info == nil || (goal != .headers && !isEnded) {
      try endEarly(into: &bitmap, &context)
    }
  }

  private var isAtEnd: Bool { isEnded || (goal == .headers && !frames.isEmpty) }

  var retainedOffset: Int { isAtEnd ? .max : blocks.byteOffset }
  var byteOffset: Int { blocks.byteOffset }

  private mutating func beginScreen(
    _ screen: LogicalScreen, colors: [UInt8], _ context: inout DecodingContext
  ) throws(CodecError) {
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
    if canvasSize.width > 0, canvasSize.height > 0 { try checkCanvas(&context) }
  }

  /// Checks the canvas size before anything is allocated for it. Nothing is allocated for other goals than pixels, so that
  /// the headers of pictures of any size can be read.
  func checkCanvas(_ context: inout DecodingContext) throws(CodecError) {
    if goal == .pixels { try Self.checkSize(canvasSize, context.limits) }
    let pixelCount = Int64(canvasSize.width) * Int64(canvasSize.height)
    context.budget.allowWork(
      forPixelCount: Int(min(pixelCount, Int64(context.limits.maximumPixelCount))))
  }

  /// Checks the size of a canvas.
  static func checkSize(_ size: PixelSize, _ limits: DecodingLimits) throws(CodecError) {
    _ = try limits.checkedByteCount(
      width: size.width, height: size.height, bytesPerPixel: 4, format: GIFDecoder.type, byteOffset: 6)
  }

  private mutating func beginExtension(_ label: UInt8, _ context: inout DecodingContext) throws(CodecError) {
    try context.budget.chargeWork(Self.workPerBlock)
    extensionReader = ExtensionReader(label: label, maximumByteCount: context.budget.metadataAllowance)
  }

  private mutating func beginFrame(
    _ descriptor: ImageDescriptor, colors: [UInt8], minimumCodeSize: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    try context.budget.chargeWork(Self.workPerBlock)
    guard frames.count < context.limits.maximumFrameCount else {
      let error = error(.limitExceeded, "there are more than \(context.limits.maximumFrameCount) frames", limit: .count)
      if goal == .index || goal == .metadata { throw error }
      try context.tolerate(error, as: .warning)
      isEnded = true
      return
    }
    let offset = blocks.byteOffset
    let header = FrameHeader(
      descriptor: descriptor, control: control, minimumCodeSize: minimumCodeSize,
      localColorRange: offset - 1 - colors.count..<offset - 1, dataOffset: offset)
    control = GraphicControl()
    isLastFrameEmpty = true
    isInImage = true
    frames.append(header)
    if frames.count == 1 { try beginFirstFrame(header, colors: colors, &context) }
  }

  private mutating func takeImageData(
    _ bytes: Span<UInt8>, _ position: inout Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    let start = position
    // Moved out of the property while in use, to avoid a copy.
    var decoder = frames.count == 1 ? decoder : nil
    self.decoder = nil
    defer { self.decoder = decoder }
    try blocks.readSubBlocks(bytes, position: &position) { (range) throws(CodecError) in
      try decoder?.append(bytes.extracting(range), &context.budget)
    }
    if position > start { isLastFrameEmpty = false }
  }

  private mutating func endBlock(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if let content = extensionReader?.finish() { take(content, &context) }
    let isExtension = extensionReader != nil
    extensionReader = nil
    guard !isExtension else { return }
    isInImage = false
    completedFrameCount += 1
    isLastFrameEmpty = false
    if frames.count == 1 { try endFirstFrame(into: &bitmap, &context) }
  }

  private mutating func endAtUnknownBlock(_ byte: UInt8, _ context: inout DecodingContext) throws(CodecError) {
    let error = error(.malformed, "no block starts with the byte \(byte)")
    guard !frames.isEmpty else { throw error }
    try context.tolerate(error, as: .warning)
    isEnded = true
  }

  private mutating func endAtTrailer(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    isEnded = true
    if frames.isEmpty { try endWithoutFrame(into: &bitmap, &context) }
  }

  private mutating func take(_ content: ExtensionReader.Content, _ context: inout DecodingContext) {
    switch content {
    case .graphicControl(let control): self.control = control
    case .loopCount(let count): storedLoopCount = count
    case .comment(let text): if admits(text.utf8.count, &context) { metadata.comments.append(text) }
    case .xmp(let packet): if admits(packet.count, &context) { metadata.xmp = packet }
    case .iccProfile(let profile): if admits(profile.count, &context) { metadata.colorSpace.iccProfile = profile }
    case .oversized: noteSkippedExtension(&context)
    }
  }

  private func admits(_ byteCount: Int, _ context: inout DecodingContext) -> Bool {
    if context.budget.admitMetadata(byteCount) { return true }
    noteSkippedExtension(&context)
    return false
  }

  private func noteSkippedExtension(_ context: inout DecodingContext) {
    context.note(
      .warning, "an extension exceeds the metadata limits and was skipped", byteOffset: blocks.byteOffset)
  }
}
