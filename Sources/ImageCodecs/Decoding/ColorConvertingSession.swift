// Sessions and animations whose colours are converted.

internal import ImageCoding

/// Converts the colours of a session's previews and of its image.
final class ColorConvertingSession: IncrementalImageDecoder {
  private let base: any IncrementalImageDecoder
  private let options: DecodingOptions
  private let conversion: ColorConversion
  private var result: Result<DecodedImage, CodecError>?

  /// - Parameter base: a session that decodes to the image's natural format.
  init(_ base: any IncrementalImageDecoder, options: DecodingOptions, conversion: ColorConversion) {
    self.base = base
    self.options = options
    self.conversion = conversion
  }

  var info: ImageInfo? { base.info }

  func append(_ bytes: Span<UInt8>) throws(CodecError) -> DecodingProgress { try base.append(bytes) }

  func makePreview() -> Bitmap? {
    if let result { return try? result.get().bitmap }
    guard var preview = base.makePreview() else { return nil }
    var budget = ResourceBudget(options)
    do throws(CodecError) {
      _ = try conversion.apply(to: &preview, options, budget: &budget)
      return preview
    } catch {
      return nil
    }
  }

  func finish() throws(CodecError) -> DecodedImage {
    if let result { return try result.get() }
    do throws(CodecError) {
      var image = try base.finish()
      var budget = ResourceBudget(options, format: image.info.type)
      try budget.allocate(image.bitmap.height * image.bitmap.bytesPerRow)
      try conversion.apply(to: &image, options, budget: &budget)
      result = .success(image)
      return image
    } catch {
      result = .failure(error)
      throw error
    }
  }
}

/// Converts the colours of an animation's frames.
final class ColorConvertingAnimation: AnimatedImageSource {
  private let base: any AnimatedImageSource
  private let options: DecodingOptions
  private let conversion: ColorConversion

  init(base: any AnimatedImageSource, options: DecodingOptions, conversion: ColorConversion) {
    self.base = base
    self.options = options
    self.conversion = conversion
  }

  var canvasSize: PixelSize { base.canvasSize }
  var frameCount: Int { base.frameCount }
  var loopCount: LoopCount { base.loopCount }
  var diagnostics: [ImageDiagnostic] { base.diagnostics }

  func frameInfo(at index: Int) -> AnimationFrameInfo { base.frameInfo(at: index) }

  func frame(at index: Int) throws(CodecError) -> Bitmap {
    let frame = try base.frame(at: index)
    var budget = ResourceBudget(options)
    try budget.allocate(frame.byteCount)
    return try convert(frame, &budget)
  }

  func frame(at index: Int, budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    try convert(try base.frame(at: index, budget: &budget), &budget)
  }

  func diagnostics(ofFrameAt index: Int) throws(CodecError) -> [ImageDiagnostic] {
    try base.diagnostics(ofFrameAt: index)
  }

  func makeCursor() -> AnimationCursor {
    base.makeCursor().converting { (frame, budget: inout ResourceBudget) throws(CodecError) in
      // The canvas remains.
      try budget.allocate(frame.byteCount)
      return try self.convert(frame, &budget)
    }
  }

  private func convert(_ frame: Bitmap, _ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    var frame = frame
    _ = try conversion.apply(to: &frame, options, budget: &budget)
    return frame
  }
}
