// The formats with animations, as one encoder that takes frames.

internal import GIFCodec
package import ImageCoding
internal import PNGCodec
internal import WebPCodec

/// Encodes frames to one of the formats with animations: GIF, PNG and WebP.
///
/// Files are encoded and passed on frame by frame. PNG holds all frames, but not the file, if colours are reduced, because
/// the layout of the file depends on all of them; if they would take more than half of the memory that is left, colours
/// are not reduced.
package struct AnimationWriter {
  private enum Encoder {
    case gif(GIFFrameEncoder)
    /// The colours of all frames are reduced together.
    case png(PNGEncoder, [AnimationFrame])
    case pngFrames(PNGFrameEncoder)
    case webP(WebPFrameEncoder)
  }

  private var encoder: Encoder
  private let frameCount: Int
  private let loopCount: LoopCount
  private let metadata: ImageMetadata?
  private var output: EncodedOutput
  /// The type of the file.
  package let type: AssetType

  /// Starts a file; `nil` if the format has no animations.
  ///
  /// - Parameter output: receives the file.
  package init?(
    _ format: EncodingFormat, for animation: any AnimatedImageSource, metadata: ImageMetadata? = nil,
    output: EncodedOutput = EncodedOutput()
  ) {
    type = format.type
    (frameCount, loopCount) = (animation.frameCount, animation.loopCount)
    self.metadata = metadata
    self.output = output
    switch format.encoder {
    case let gif as GIFEncoder:
      encoder = .gif(GIFFrameEncoder(options: gif.options, loopCount: loopCount, metadata: metadata))
    case let png as PNGEncoder where png.options.reducesColors:
      encoder = .png(png, [])
    case let png as PNGEncoder:
      encoder = .pngFrames(
        PNGFrameEncoder(options: png.options, frameCount: frameCount, loopCount: loopCount, metadata: metadata))
    case let webP as WebPEncoder:
      encoder = .webP(WebPFrameEncoder(options: webP.options, loopCount: loopCount, metadata: metadata))
    default: return nil
    }
  }

  /// Adds a frame, whose bitmap has been charged to the budget. Afterwards the budget holds it only if the writer does.
  ///
  /// - Parameter budget: charged for what is held, and for the work of encoding.
  package mutating func append(_ frame: AnimationFrame, budget: inout ResourceBudget) throws(CodecError) {
    try budget.encoding { (budget) throws(CodecError) in try encode(frame, &budget) }
  }

  private mutating func encode(_ frame: AnimationFrame, _ budget: inout ResourceBudget) throws(CodecError) {
    let current = encoder
    // The frames would otherwise have two owners, and be copied.
    encoder = .png(PNGEncoder(), [])
    switch withoutReduction(consume current, of: frame, budget.availableByteCount) {
    case .gif(var frames):
      try frames.append(frame, budget: &budget)
      try passOn(frames.takeOutput(), &budget)
      encoder = .gif(frames)
    case .png(let png, var frames):
      frames.append(frame)
      encoder = .png(png, frames)
      return
    case .pngFrames(var frames):
      try frames.append(frame, budget: &budget)
      try passOn(frames.takeOutput(), &budget)
      encoder = .pngFrames(frames)
    case .webP(var frames):
      try frames.append(frame, budget: &budget)
      try frames.drain(to: &output, budget: &budget)
      encoder = .webP(frames)
    }
    budget.release(frame.bitmap.byteCount)
  }

  /// Returns an encoder of single frames if all frames, of which none has been added, would take too much memory.
  private func withoutReduction(
    _ encoder: consuming Encoder, of frame: AnimationFrame, _ availableByteCount: Int
  ) -> Encoder {
    guard case .png(let png, let frames) = encoder, frames.isEmpty else { return encoder }
    let (byteCount, overflow) = frame.bitmap.byteCount.multipliedReportingOverflow(by: frameCount)
    guard overflow || byteCount > availableByteCount / 2 else { return encoder }
    return .pngFrames(
      PNGFrameEncoder(options: png.options, frameCount: frameCount, loopCount: loopCount, metadata: metadata))
  }

  /// Passes on bytes that the budget holds.
  private mutating func passOn(_ part: [UInt8], _ budget: inout ResourceBudget) throws(CodecError) {
    budget.release(part.count)
    try output.append(part, budget: &budget)
  }

  /// Ends the file and returns it; if the output has a destination, nothing is returned.
  package consuming func finish(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try budget.encoding { (budget) throws(CodecError) in
      switch encoder {
      case .gif(var frames): try passOn(frames.finish(budget: &budget), &budget)
      case .png(let png, let frames):
        try png.encode(
          animation: frames, loopCount: loopCount, metadata: metadata, to: &output, budget: &budget)
      case .pngFrames(var frames): try passOn(frames.finish(budget: &budget), &budget)
      case .webP(var frames): try frames.finish(to: &output, budget: &budget)
      }
    }
    return try output.finish()
  }
}
