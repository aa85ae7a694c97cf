// Frame-by-frame encoding: a frame is written as soon as it arrives.

public import ImageCoding

/// Encodes an APNG from complete pictures of equal size and pixel format that are supplied one after another.
///
/// Two pictures are held at a time. Colours are not reduced, because those of later frames are not known when the header
/// is written. Use
/// ``PNGEncoder/encode(animation:loopCount:metadata:)`` for files that are as small as possible.
public struct PNGFrameEncoder: Sendable {
  private let encoder: PNGEncoder
  private let frameCount: Int
  private let loopCount: LoopCount
  private let metadata: ImageMetadata?
  private var writer = ChunkWriter()
  private var frames: AnimationEncoder?
  private var size = PixelSize(width: 0, height: 0)
  private var format = PixelFormat.rgba8
  private var appendedCount = 0

  /// Starts an animation.
  ///
  /// - Parameters:
  ///   - options: how frames are encoded; ``PNGEncoder/Options/reducesColors`` has no effect.
  ///   - frameCount: the number of frames, which precedes them in the file.
  ///   - loopCount: how often the animation is played.
  ///   - metadata: the metadata to write; `nil` for none.
  public init(
    options: PNGEncoder.Options = .init(), frameCount: Int, loopCount: LoopCount = .infinite,
    metadata: ImageMetadata? = nil
  ) {
    encoder = PNGEncoder(options: options)
    (self.frameCount, self.loopCount, self.metadata) = (frameCount, loopCount, metadata)
  }

  /// Appends a frame.
  ///
  /// - Parameters:
  ///   - frame: the picture and its duration.
  ///   - budget: charged for a picture; for the output, until the caller credits the bytes that it takes; and row by
  ///     row for work.
  /// - Throws: `CodecError.Kind.invalidArgument` if the size or the format differs from that of the first frame, the
  ///   frames are more than announced or an option is out of range, `CodecError.Kind.encodingFailed` if the picture is empty;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public mutating func append(_ frame: AnimationFrame, budget: inout ResourceBudget) throws(CodecError) {
    guard appendedCount < frameCount else {
      throw CodecError(
        .invalidArgument, "the animation has more than the announced \(frameCount) frames", format: encoder.type)
    }
    if frames == nil { try begin(frame.bitmap, &budget) }
    guard frame.bitmap.pixelSize == size, frame.bitmap.format == format else {
      throw CodecError(
        .invalidArgument, "the frames of the animation differ in size or pixel format", format: encoder.type)
    }
    try frames?.append(frame, to: &writer, &budget)
    appendedCount += 1
  }

  private mutating func begin(_ first: Bitmap, _ budget: inout ResourceBudget) throws(CodecError) {
    try encoder.checkSize(first)
    let layout = EncodingLayout(unreduced: first.format)
    (size, format) = (first.pixelSize, first.format)
    writer.append(.imageHeader, layout.headerBytes(size: size, isInterlaced: encoder.options.isInterlaced))
    writer.appendAnimationControl(frameCount: frameCount, loopCount: loopCount)
    try writer.appendMetadata(metadata, of: first, layout: layout)
    try budget.allocate(writer.bytes.count)
    frames = AnimationEncoder(encoder: ImageDataEncoder(layout: layout, options: encoder.options))
  }

  /// Returns the bytes that are complete and have not been returned yet, so that they need not be kept.
  public mutating func takeOutput() -> [UInt8] {
    frames == nil ? [] : writer.takeBytes()
  }

  /// Ends the file and returns the bytes that have not been returned yet.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if frames are missing.
  public mutating func finish(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    guard appendedCount > 0 else {
      throw CodecError(.invalidArgument, "the animation has no frames", format: encoder.type)
    }
    guard appendedCount == frameCount else {
      throw CodecError(
        .invalidArgument, "the animation has \(appendedCount) of the announced \(frameCount) frames",
        format: encoder.type)
    }
    frames?.releaseFrames(&budget)
    try budget.allocate(ChunkWriter.overhead)
    writer.append(.imageEnd, [])
    return writer.takeBytes()
  }
}
