// The first frame: creating its decoder, reporting damage in its data, and placing it on the canvas.

internal import ImageCoding

extension GIFCore {
  mutating func beginFirstFrame(
    _ header: FrameHeader, colors: [UInt8], _ context: inout DecodingContext
  ) throws(CodecError) {
    if canvasSize.width == 0 || canvasSize.height == 0 {
      try context.tolerate(error(.malformed, "the logical screen has no pixels"), as: .warning)
      let region = header.descriptor.region
      canvasSize = PixelSize(width: region.x + region.width, height: region.y + region.height)
      try checkCanvas(&context)
    }
    guard canvasSize.width > 0, canvasSize.height > 0 else { throw error(.malformed, "the image has no pixels") }
    guard goal == .pixels else { return }
    let table = colors.isEmpty ? globalColors : ColorTable(colors)
    if table == nil { try context.tolerate(error(.malformed, "there is no colour table"), as: .damage) }
    compositor = FrameCompositor(header: header, colors: table ?? .grayRamp)
    var decoder = IndexDecoder()
    try decoder.begin(header, budget: &context.budget)
    self.decoder = decoder
  }

  mutating func endFirstFrame(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let header = frames.first, goal == .pixels else { return }
    try decoder?.flush(&context.budget)
    if let damage = decoder?.damage {
      try context.tolerate(error(.malformed, damage.reason), as: damage.losesPixels ? .damage : .warning)
    }
    if decoder?.hasExcess == true {
      context.note(.warning, "the image data is longer than the image", byteOffset: blocks.byteOffset)
    }
    try checkIndices(header, &context)
    try drawFirstFrame(header, into: &bitmap, &context)
  }

  private func checkIndices(_ header: FrameHeader, _ context: inout DecodingContext) throws(CodecError) {
    guard let colors = compositor?.colors, header.hasValidCodeSize, colors.count < 1 << header.minimumCodeSize,
      let highest = decoder?.highestIndex, Int(highest) >= colors.count,
      // The transparent index does not need a colour.
      highest != header.control.transparentIndex
    else { return }
    try context.tolerate(error(.malformed, "an index has no entry in the colour table"), as: .damage)
  }

  private mutating func drawFirstFrame(
    _ header: FrameHeader, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let decoder, let compositor else { return }
    try bitmap.reset(
      width: canvasSize.width, height: canvasSize.height, format: .rgba8, budget: &context.budget)
    isFirstFrameComplete = decoder.isComplete
    if !header.covers(canvasSize) || !decoder.isComplete { bitmap.zeroPixels(rows: 0..<canvasSize.height) }
    try context.budget.chargeWork(decoder.decodedCount)
    compositor.draw(decoder.indices, onto: &bitmap)
    self.decoder = nil
    context.budget.release(decoder.pixelCount)
  }

  /// Ends a valid stream that contains no image: the screen is empty.
  mutating func endWithoutFrame(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    try context.tolerate(error(.malformed, "there is no image"), as: .damage)
    guard canvasSize.width > 0, canvasSize.height > 0 else { throw error(.malformed, "the image has no pixels") }
    guard goal == .pixels else { return }
    try bitmap.reset(
      width: canvasSize.width, height: canvasSize.height, format: .rgba8, budget: &context.budget)
    bitmap.zeroPixels(rows: 0..<canvasSize.height)
  }

  /// Treats the end of the input as the end of the file.
  mutating func endEarly(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let error = error(.truncated, "the file ends before its trailer")
    guard let first = frames.first else { throw error }
    if let decoder {
      if decoder.decodedCount == 0 { throw error }
      try context.tolerate(error, as: .damage)
      try checkIndices(first, &context)
      try drawFirstFrame(first, into: &bitmap, &context)
    } else {
      try context.tolerate(error, as: .warning)
    }
    // A frame without data is invisible.
    if isLastFrameEmpty, frames.count > 1 { frames.removeLast() }
    isEnded = true
  }
}
