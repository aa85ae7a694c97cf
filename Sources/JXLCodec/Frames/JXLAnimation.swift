// The frames of an animation: an index that is read without decoding, and the pictures in order.

package import ImageCoding
internal import Threading

/// The pictures of an animated JPEG XL image. Frames can refer to any of four earlier ones, so that pictures are
/// decoded in order; an earlier picture than the previous one is decoded from the start.
package final class JXLAnimation: AnimationFrames {
  /// The frames up to a picture.
  private struct State: Sendable {
    var frames: FrameSequence
    var nextIndex = 0
  }

  private let bytes: [UInt8]
  private let headers: JXLHeaders
  private let output: PictureOutput
  private let state: Mutex<State>

  package let canvasSize: PixelSize
  package let frames: [AnimationFrameInfo]
  package let loopCount: LoopCount
  package let options: DecodingOptions
  package let diagnostics: [ImageDiagnostic]
  package var canvasFormat: PixelFormat { output.natural.straight }
  package var colorSpace: ColorSpace { headers.colorSpace }

  /// Indexes the frames without decoding them; `nil` if the image is not animated.
  package init?(indexing bytes: [UInt8], options: DecodingOptions) throws(CodecError) {
    var budget = ResourceBudget(options, format: JXLDecoder.type)
    var container = try JXLContainer(scanning: bytes.span, budget: &budget)
    headers = try JXLHeaders(parsing: bytes.span, &container, budget: &budget)
    guard let animation = headers.image.animation else { return nil }
    self.bytes = bytes
    self.options = options
    let size = headers.image.orientation.swapsAxes ? headers.image.size.transposed : headers.image.size
    canvasSize = size
    output = PictureOutput(headers.image)
    loopCount = LoopCount(rawCount: Int(min(animation.loopCount, 0x7FFF_FFFF)))
    state = Mutex(Self.start(headers, options))
    let region = PixelRegion(x: 0, y: 0, width: size.width, height: size.height)
    let isOpaque = !output.natural.hasAlpha
    let (durations, damage) = try headers.pictureDurations(bytes.span, budget: &budget)
    if let damage, options.tolerance == .strict { throw damage }
    diagnostics = damage.map { [ImageDiagnostic(.damage, $0)] } ?? []
    frames = durations.map {
      AnimationFrameInfo(region: region, storedDelay: $0, disposal: .keep, blend: .replace, isOpaque: isOpaque)
    }
  }

  /// The state before the first picture.
  private static func start(_ headers: JXLHeaders, _ options: DecodingOptions) -> State {
    var frames = FrameSequence(headers)
    frames.toleratesDamage = options.tolerance == .lenient
    return State(frames: frames)
  }

  package func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    budget.format = JXLDecoder.type
    try budget.checkpoint()
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    var (picture, damage) = try picture(index, &budget)
    // All pixels are missing. They do not depend on what was drawn before.
    if case .none = picture {
      canvas.zeroPixels(rows: 0..<canvas.height)
      return diagnostics(damage)
    }
    let size = headers.image.size
    guard headers.image.orientation != .up || output.natural != canvasFormat else {
      try write(&picture, size, into: &canvas, &budget)
      return diagnostics(damage ?? picture.damage.map(headers.located))
    }
    var bitmap = Bitmap()
    try bitmap.reset(width: size.width, height: size.height, format: output.natural, budget: &budget)
    try write(&picture, size, into: &bitmap, &budget)
    bitmap.orientation = headers.image.orientation
    try bitmap.convert(to: canvasFormat, budget: &budget)
    try bitmap.applyOrientation(.apply, budget: &budget)
    canvas.copyRows(of: bitmap)
    return diagnostics(damage ?? picture.damage.map(headers.located))
  }

  /// - Parameter damage: the first damage of a picture.
  private func diagnostics(_ damage: CodecError?) -> [ImageDiagnostic] {
    damage.map { [ImageDiagnostic(.damage, $0)] } ?? []
  }

  private func write(
    _ picture: inout FrameSequence.Picture, _ size: PixelSize, into bitmap: inout Bitmap,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let file = bytes
    try headers.codestream.withBytes(of: file.span) { (codestream) throws(CodecError) in
      for y in 0..<size.height {
        try output.prepare(
          &picture, row: y, width: size.width, codestream, parallelism: options.parallelism, budget: &budget)
        var row = bitmap.mutableRow(y)
        output.write(picture, row: y, columns: 0..<size.width, into: &row)
      }
    }
  }

  /// Decodes pictures up to one. The state is held for the time, since no other picture can be decoded meanwhile.
  ///
  /// - Returns: the picture, and the first damage that was tolerated in its frames.
  private func picture(
    _ index: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (FrameSequence.Picture, damage: CodecError?) {
    var current = state.withLock { state in
      defer { state = Self.start(headers, options) }
      return state
    }
    if current.nextIndex > index { current = Self.start(headers, options) }
    try budget.allocate(current.frames.byteCount)
    let file = bytes
    var damage: CodecError?
    while true {
      let held = budget.heldByteCount - current.frames.byteCount
      let frameCount = current.frames.frameCount
      var picture = FrameSequence.Picture.none
      do throws(CodecError) {
        picture = try headers.codestream.withBytes(of: file.span) { (codestream) throws(CodecError) in
          try current.frames.nextPicture(codestream, parallelism: options.parallelism, budget: &budget)
        }
      } catch {
        guard current.frames.toleratesDamage, error.isDamage, current.nextIndex > 0,
          current.frames.frameCount > frameCount
        else { throw error }
        budget.settle(heldByteCount: held + current.frames.byteCount)
        damage = damage ?? error
        // The picture goes on if the damaged frame is a layer before its last one.
        guard current.frames.isAtPicture || current.frames.isAtEnd else { continue }
      }
      damage = damage ?? current.frames.damage.map(headers.located)
      current.frames.damage = nil
      current.nextIndex += 1
      if current.nextIndex > index {
        let result = current
        state.withLock { $0 = result }
        return (picture, damage)
      }
      damage = nil
      budget.settle(heldByteCount: held + current.frames.byteCount)
    }
  }
}

extension JXLHeaders {
  /// Returns damage with its offset in the file instead of that in the codestream.
  fileprivate func located(_ damage: CodecError) -> CodecError {
    CodecError(
      damage.kind, damage.reason, format: JXLDecoder.type, byteOffset: damage.byteOffset.map(codestream.fileOffset))
  }

  /// Reads the headers of all frames, and returns the durations of the pictures. Pictures after damage are left out, if
  /// there is one before it.
  func pictureDurations(
    _ file: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> (durations: [Duration], damage: CodecError?) {
    guard let animation = image.animation else { return ([.zero], nil) }
    var durations: [Duration] = []
    var frames = FrameSequence(self)
    while !frames.isAtEnd {
      do throws(CodecError) {
        try codestream.withBytes(of: file) { (bytes) throws(CodecError) in
          let header = try frames.skipFrame(bytes, &budget)
          if header.isPicture { durations.append(animation.duration(ofTicks: header.duration)) }
        }
      } catch {
        guard error.isDamage, !durations.isEmpty else { throw error }
        return (durations, located(error))
      }
    }
    return (durations, nil)
  }
}
