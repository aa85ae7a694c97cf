// The frames of an animation: an index made by one pass without pixels, and the drawing of one frame.

package import ImageCore
internal import Synchronization

/// The frames of a GIF, decoded when they are drawn.
package final class GIFAnimation: AnimationFrames {
  private let bytes: [UInt8]
  private let headers: [FrameHeader]
  private let globalColors: ColorTable?
  private let options: DecodingOptions
  /// Decoders at rest, at most one: their memory serves frame after frame.
  private let idleDecoder = Mutex<IndexDecoder?>(nil)

  package let canvasSize: PixelSize
  package let frames: [AnimationFrameInfo]
  package let loopCount: LoopCount
  package var canvasFormat: PixelFormat { .rgba8 }

  /// Indexes the frames without decoding one; `nil` when there are none, or but one unless that is allowed.
  package init?(
    indexing bytes: [UInt8], options: DecodingOptions, allowsSingleFrame: Bool = false
  ) throws(DecodeError) {
    let session = GIFSession(options: options, extent: .index)
    try session.append(bytes.span)
    if !session.progress.isComplete { try session.endEarly() }
    guard session.frames.count > (allowsSingleFrame ? 0 : 1) else { return nil }
    self.bytes = bytes
    self.options = options
    headers = session.frames
    globalColors = session.globalColors
    let canvasSize = session.canvasSize
    self.canvasSize = canvasSize
    frames = headers.map { $0.info(on: canvasSize) }
    loopCount = session.loopCount
  }

  package func draw(frameAt index: Int, onto canvas: inout Bitmap) throws(DecodeError) {
    try options.checkCancellation(format: GIFDecoder.type)
    let header = headers[index]
    let decoder = try decodedFrame(at: index)
    defer { putAside(decoder) }
    if options.tolerance == .strict { try checkStrictly(decoder, header) }
    // What a frame that hides everything lacks must not depend on what was drawn before.
    if !decoder.isComplete, header.covers(canvasSize) { canvas.zeroPixels(rows: 0..<canvas.height) }
    draw(frameAt: index, indices: decoder.indices, onto: &canvas)
  }

  /// Draws a frame whose indices, in stored order, are there already.
  package func draw(frameAt index: Int, indices: Span<UInt8>, onto canvas: inout Bitmap) {
    let header = headers[index]
    FrameCompositor(header: header, colors: colors(of: header)).draw(indices, onto: &canvas)
  }

  /// Decodes a frame without drawing it.
  ///
  /// - Parameter body: is given the indices that are there, in stored order.
  package func decodeIndices(ofFrameAt index: Int, body: (Span<UInt8>) -> Void) throws(DecodeError) {
    let decoder = try decodedFrame(at: index)
    body(decoder.indices)
    putAside(decoder)
  }

  private func decodedFrame(at index: Int) throws(DecodeError) -> IndexDecoder {
    var decoder = takeDecoder()
    try decoder.begin(headers[index], limits: options.limits)
    decodeData(of: headers[index], with: &decoder)
    return decoder
  }

  private func putAside(_ decoder: IndexDecoder) {
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

  /// Gives the decoder the frame's sub-blocks, as many as there are.
  private func decodeData(of header: FrameHeader, with decoder: inout IndexDecoder) {
    let bytes = bytes
    let data = bytes.span
    var position = header.dataOffset
    while position < data.count {
      let byteCount = Int(data[position])
      if byteCount == 0 { break }
      let end = min(position + 1 + byteCount, data.count)
      decoder.append(data.extracting(position + 1..<end))
      position = end
    }
    decoder.flush()
  }

  private func checkStrictly(_ decoder: IndexDecoder, _ header: FrameHeader) throws(DecodeError) {
    guard let damage = decoder.damage else { return }
    throw DecodeError(.malformed, damage.reason, format: GIFDecoder.type, byteOffset: header.dataOffset)
  }
}
