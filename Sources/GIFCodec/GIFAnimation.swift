// The frames of an animation: an index made by one pass without pixels, and the drawing of one frame.

internal import ImageCore
internal import Synchronization

/// The frames of a GIF, decoded when they are drawn.
final class GIFAnimation: AnimationFrames {
  private let bytes: [UInt8]
  private let headers: [FrameHeader]
  private let globalColors: ColorTable?
  private let options: DecodingOptions
  /// Decoders at rest, at most one: their memory serves frame after frame.
  private let idleDecoder = Mutex<IndexDecoder?>(nil)

  let canvasSize: PixelSize
  let frames: [AnimationFrameInfo]
  let loopCount: LoopCount
  var canvasFormat: PixelFormat { .rgba8 }

  /// Indexes the frames without decoding one; `nil` when there is but one.
  init?(indexing bytes: [UInt8], options: DecodingOptions) throws(DecodeError) {
    let session = GIFSession(options: options, extent: .index)
    try session.append(bytes.span)
    if !session.progress.isComplete { try session.endEarly() }
    guard session.frames.count > 1 else { return nil }
    self.bytes = bytes
    self.options = options
    headers = session.frames
    globalColors = session.globalColors
    let canvasSize = session.canvasSize
    self.canvasSize = canvasSize
    frames = headers.map { $0.info(on: canvasSize) }
    loopCount = session.loopCount
  }

  func draw(frameAt index: Int, onto canvas: inout Bitmap) throws(DecodeError) {
    try options.checkCancellation(format: GIFDecoder.type)
    let header = headers[index]
    var decoder = takeDecoder()
    try decoder.begin(header, limits: options.limits)
    decodeData(of: header, with: &decoder)
    if options.tolerance == .strict { try checkStrictly(decoder, header) }
    // What a frame that hides everything lacks must not depend on what was drawn before.
    if !decoder.isComplete, header.covers(canvasSize) { canvas.zeroPixels(rows: 0..<canvas.height) }
    FrameCompositor(header: header, colors: colors(of: header)).draw(decoder.indices, onto: &canvas)
    let rested = decoder
    idleDecoder.withLock { $0 = rested }
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
