// The frames of an animation: an index built in one pass without decoding pixels, and the drawing of single frames.

package import ImageCoding
internal import Threading

/// The frames of a GIF, decoded on demand.
package final class GIFAnimation: AnimationFrames {
  private let bytes: [UInt8]
  private let headers: [FrameHeader]
  private let globalColors: ColorTable?
  package let options: DecodingOptions
  /// At most one unused decoder, kept so that its memory is reused from frame to frame.
  private let idleDecoder = Mutex<IndexDecoder?>(nil)

  package let canvasSize: PixelSize
  package let frames: [AnimationFrameInfo]
  package let loopCount: LoopCount
  package let colorSpace: ColorSpace
  package let diagnostics: [ImageDiagnostic]
  package var canvasFormat: PixelFormat { .rgba8 }

  /// Indexes the frames without decoding any. Returns `nil` if there are none, or if there is only one and a single
  /// frame is not allowed.
  package init?(
    indexing bytes: [UInt8], options: DecodingOptions, allowsSingleFrame: Bool = false
  ) throws(CodecError) {
    var budget = ResourceBudget(options, format: GIFDecoder.type)
    var index = GIFCore(.index)
    diagnostics = try index.read(bytes.span, options: options, budget: &budget)
    try GIFCore.checkSize(index.canvasSize, options.limits)
    guard index.frames.count > (allowsSingleFrame ? 0 : 1) else { return nil }
    self.bytes = bytes
    self.options = options
    headers = index.frames
    globalColors = index.globalColors
    let canvasSize = index.canvasSize
    self.canvasSize = canvasSize
    frames = headers.map { $0.info(on: canvasSize) }
    loopCount = index.loopCount
    colorSpace = index.colorSpace
  }

  package func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    budget.format = GIFDecoder.type
    try budget.checkpoint()
    let header = headers[index]
    let decoder = try decodedFrame(at: index, budget: &budget)
    defer {
      putAside(decoder)
      budget.release(decoder.pixelCount)
    }
    if options.tolerance == .strict { try checkStrictly(decoder, header) }
    // If an opaque full-size frame is incomplete, its missing pixels must not depend on what was drawn before.
    if !decoder.isComplete, header.covers(canvasSize) { canvas.zeroPixels(rows: 0..<canvas.height) }
    try budget.chargeWork(decoder.decodedCount)
    draw(frameAt: index, indices: decoder.indices, onto: &canvas)
    guard let damage = decoder.damage else { return [] }
    return [ImageDiagnostic(damage.losesPixels ? .damage : .warning, damage.reason, byteOffset: header.dataOffset)]
  }

  /// Draws a frame from indices that are already decoded, in stored order.
  package func draw(frameAt index: Int, indices: Span<UInt8>, onto canvas: inout Bitmap) {
    let header = headers[index]
    FrameCompositor(header: header, colors: colors(of: header)).draw(indices, onto: &canvas)
  }

  /// Decodes a frame without drawing it.
  ///
  /// - Parameter body: receives the decoded indices, in stored order.
  package func decodeIndices(ofFrameAt index: Int, body: (Span<UInt8>) -> Void) throws(CodecError) {
    var budget = ResourceBudget(options, format: GIFDecoder.type)
    let decoder = try decodedFrame(at: index, budget: &budget)
    body(decoder.indices)
    putAside(decoder)
  }

  private func decodedFrame(
    at index: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> IndexDecoder {
    var decoder = takeDecoder()
    try decoder.begin(headers[index], budget: &budget)
    try decodeData(of: headers[index], with: &decoder, budget: &budget)
    return decoder
  }

  /// The number of pixels up to which the memory of a frame is kept for the next one. It is charged only while a frame
  /// is drawn.
  private static let maximumIdlePixelCount = 4 << 20

  private func putAside(_ decoder: IndexDecoder) {
    guard decoder.pixelCount <= Self.maximumIdlePixelCount else { return }
    idleDecoder.withLock { $0 = decoder }
  }

  private func takeDecoder() -> IndexDecoder {
    let idle = idleDecoder.withLock { slot in
      let decoder = slot
      slot = nil
      return decoder
    }
    return idle ?? IndexDecoder()
  }

  private func colors(of header: FrameHeader) -> ColorTable {
    if header.localColorRange.isEmpty { return globalColors ?? .grayRamp }
    return ColorTable(Array(bytes[header.localColorRange]))
  }

  /// Passes the frame's available sub-blocks to the decoder.
  private func decodeData(
    of header: FrameHeader, with decoder: inout IndexDecoder, budget: inout ResourceBudget
  ) throws(CodecError) {
    let bytes = bytes
    let data = bytes.span
    var position = header.dataOffset
    var blocks = BlockReader(inImageDataAt: position)
    try blocks.readSubBlocks(data, position: &position) { (range) throws(CodecError) in
      try decoder.append(data.extracting(range), &budget)
    }
    try decoder.flush(&budget)
  }

  private func checkStrictly(_ decoder: IndexDecoder, _ header: FrameHeader) throws(CodecError) {
    guard let damage = decoder.damage else { return }
    throw CodecError(.malformed, damage.reason, format: GIFDecoder.type, byteOffset: header.dataOffset)
  }
}
