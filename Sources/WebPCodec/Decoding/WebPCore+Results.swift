// The results: image info, progress, a preview during decoding, and the finished picture.

internal import ImageCoding
internal import MetadataFormats

extension WebPCore {
  /// Available from the first chunk of pixels. Properties that depend on the end of the file are added there.
  var info: ImageInfo? {
    guard let picture else { return nil }
    let isAnimated = picture.coding == .animated
    var info = ImageInfo(
      type: WebPDecoder.type, width: picture.size.width, height: picture.size.height, bitDepth: 8,
      colorModel: isAnimated ? nil : picture.coding == .lossless ? .rgb : .yCbCr, hasAlpha: picture.hasAlpha,
      frameCount: isAnimated ? nil : 1, loopCount: isAnimated ? loopCount ?? .infinite : nil,
      coding: picture.coding.rawValue)
    if let profile = metadata.colorSpace.iccProfile { info.colorSpace = .icc(profile) }
    guard case .ended = stage else { return info }
    info.orientation = metadata.orientation
    guard isAnimated else { return info }
    info.frameCount = frames.count
    info.duration = frames.reduce(.zero) { $0 + $1.duration }
    return info
  }

  var progress: DecodingProgress {
    var progress = DecodingProgress(isHeaderComplete: picture != nil, completedFrameCount: completedFrameCount)
    if case .ended = stage { progress.isComplete = true }
    if case .fileHeader = stage { progress.neededByteCount = 12 }
    if isPictureComplete {
      progress.completedRowCount = picture?.size.height ?? 0
    } else if let frame, frame.completedRowCount > 0 {
      progress.completedRowCount = frame.region.y + frame.completedRowCount
    }
    return progress
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard let frame, frame.completedRowCount > 0 else { return nil }
    var preview = bitmap
    clearMissingRows(of: &preview, frame)
    tag(&preview)
    return preview
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    try endEarly(bitmap, &context)
    guard let frame, picture != nil else {
      let reason = canvas?.isAnimated == true ? "the animation has no frames" : "there is no image"
      throw error(.malformed, reason, at: chunkOffset)
    }
    stage = .ended
    clearMissingRows(of: &bitmap, frame)
    tag(&bitmap)
    guard let info else { throw error(.malformed, "there is no image", at: chunkOffset) }
    return DecodingDetails(info: info, metadata: metadata, isComplete: isPictureComplete)
  }

  /// Adds to the damage of an animation whose frames have been listed that its file has ended early.
  ///
  /// - Throws: that error in strict mode.
  func checkEnd(
    _ tolerance: DecodingOptions.Tolerance, adding damage: inout [ImageDiagnostic]
  ) throws(CodecError) {
    if case .ended = stage { return }
    let error = prematureEnd
    guard tolerance == .lenient else { throw error }
    damage.append(ImageDiagnostic(.damage, error))
  }

  private var prematureEnd: CodecError {
    error(.truncated, "the file ends before the end that its header states", at: chunkOffset)
  }

  /// Finishes a picture whose input has ended before the end of the file.
  private mutating func endEarly(_ bitmap: Bitmap, _ context: inout DecodingContext) throws(CodecError) {
    switch stage {
    case .ended: return
    case .chunks where isPictureEnded:
      // Only metadata or frames are missing.
      try context.tolerate(prematureEnd, as: .warning)
    default:
      throw error(.truncated, "the file ends before its image", at: chunkOffset)
    }
  }

  /// Clears the rows that were not decoded.
  private func clearMissingRows(of bitmap: inout Bitmap, _ frame: FrameDecoder) {
    guard !frame.isComplete else { return }
    if bitmap.isWindow { return bitmap.zeroPixels(rows: frame.completedRowCount..<frame.region.height) }
    bitmap.clear(
      PixelRegion(
        x: frame.region.x, y: frame.region.y + frame.completedRowCount, width: frame.region.width,
        height: frame.region.height - frame.completedRowCount))
  }

  private func tag(_ picture: inout Bitmap) {
    picture.colorSpace = metadata.colorSpace
    picture.orientation = metadata.orientation
  }
}
