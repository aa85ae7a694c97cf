// Results: image info, progress, a preview of the partial image, and the finished picture.

internal import ImageCoding

extension GIFCore {
  /// Available once the first frame's header has been read. Values known only at the end of the file are filled in
  /// later.
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

  var colorSpace: ColorSpace { metadata.colorSpace }

  /// The number of times the animation plays.
  var loopCount: LoopCount { storedLoopCount ?? .finite(1) }

  var progress: DecodingProgress {
    var progress = DecodingProgress(
      isHeaderComplete: !frames.isEmpty, completedFrameCount: completedFrameCount, isComplete: isEnded)
    guard let header = frames.first else { return progress }
    let interlacing = Interlacing(height: header.height, isInterlaced: header.descriptor.isInterlaced)
    var storedRowCount = header.height
    if let decoder { storedRowCount = header.width == 0 ? 0 : decoder.decodedCount / header.width }
    let rowsOfFrame = interlacing.completedRowCount(storedRowCount: storedRowCount)
    let isDrawn = goal == .pixels && decoder == nil
    progress.completedRowCount =
      isDrawn
      ? canvasSize.height : min(canvasSize.height, rowsOfFrame > 0 ? header.descriptor.region.y + rowsOfFrame : 0)
    if header.descriptor.isInterlaced {
      progress.completedScanCount = interlacing.completedPassCount(storedRowCount: storedRowCount)
    }
    return progress
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard let decoder, let compositor else {
      if bitmap.isEmpty || frames.isEmpty { return nil }
      var preview = bitmap
      preview.colorSpace = colorSpace
      return preview
    }
    guard decoder.decodedCount > 0 else { return nil }
    var preview = Bitmap()
    try preview.reset(
      width: canvasSize.width, height: canvasSize.height, format: .rgba8, budget: &context.budget)
    preview.zeroPixels(rows: 0..<preview.height)
    compositor.draw(decoder.indices, onto: &preview, fillsGaps: true)
    preview.colorSpace = colorSpace
    return preview
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    if !isEnded { try endEarly(into: &bitmap, &context) }
    guard let info else { throw error(.malformed, "there is no image") }
    bitmap.colorSpace = colorSpace
    return DecodingDetails(info: info, metadata: metadata, isComplete: isFirstFrameComplete)
  }

}
