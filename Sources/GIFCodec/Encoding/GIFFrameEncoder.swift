// Frame-by-frame encoding: a frame is written as soon as the next one has arrived, which decides how it is disposed of.

public import ImageCore

/// Encodes an animated GIF from complete pictures of equal size that are supplied one after another.
///
/// Two pictures are held at a time. The colours of the first frame form the global table, which later frames use if it
/// has all their colours; otherwise they have a table of their own, or, with ``GIFEncoder/Options/ColorTables/global``,
/// the nearest colours.
public struct GIFFrameEncoder: Sendable {
  private let options: GIFEncoder.Options
  private let loopCount: LoopCount
  private let metadata: ImageMetadata?
  private var colorSpace: ColorSpace = .unspecified
  private var planner = FramePlanner()
  private var clock = DelayClock()
  private var pending: (picture: OpaquePicture, delay: Duration)?
  /// The global table, once a frame has been written.
  private var globalTable: EncodingColorTable?
  private var writer: BlockWriter?

  /// Starts an animation, of which each frame is encoded when it is added.
  public init(options: GIFEncoder.Options = .init(), loopCount: LoopCount = .infinite, metadata: ImageMetadata? = nil) {
    (self.options, self.loopCount, self.metadata) = (options, loopCount, metadata)
  }

  /// Appends a frame.
  ///
  /// - Parameter budget: charged for the work, row by row.
  /// - Throws: ``CodecError/Kind/encodingFailed`` if the picture is empty or has a side above 65,535,
  ///   ``CodecError/Kind/invalidArgument`` if its size differs from that of the first frame; ``CodecError/Kind/cancelled``,
  ///   ``CodecError/Kind/limitExceeded``.
  public mutating func append(_ frame: AnimationFrame, budget: inout ResourceBudget) throws(CodecError) {
    let picture = try OpaquePicture(frame.bitmap, alphaThreshold: options.alphaThreshold)
    if let pending {
      guard picture.size == pending.picture.size else {
        throw CodecError(.invalidArgument, "the frames of the animation differ in size", format: GIFDecoder.type)
      }
      try write(pending, next: picture, &budget)
    } else {
      colorSpace = frame.bitmap.colorSpace
    }
    pending = (picture, frame.delay)
  }

  /// Returns the bytes that are complete and have not been returned yet, so that they need not be kept.
  public mutating func takeOutput() -> [UInt8] {
    writer?.takeBytes() ?? []
  }

  /// Ends the file and returns the bytes that have not been returned yet.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument`` if there are no frames; ``CodecError/Kind/cancelled``,
  ///   ``CodecError/Kind/limitExceeded``.
  public mutating func finish(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    guard let pending else {
      throw CodecError(.invalidArgument, "the animation has no frames", format: GIFDecoder.type)
    }
    try write(pending, next: nil, &budget)
    return writer?.finish() ?? []
  }

  private mutating func write(
    _ frame: (picture: OpaquePicture, delay: Duration), next: OpaquePicture?, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let isFirst = globalTable == nil
    let drawing = isFirst ? planner.firstFrame(frame.picture, next: next) : planner.frame(frame.picture, next: next)
    let global =
      globalTable
      ?? EncodingColorTable(for: [drawing], options: options, reservesTransparency: next != nil)
    var writer = writer ?? start(drawing, global, hasFrames: next != nil)
    self.writer = nil
    globalTable = global
    var table = global
    var isLocal = false
    if !isFirst, !global.isExact(for: drawing) {
      isLocal = options.colorTables != .global || (drawing.hasGaps && global.transparentIndex == nil)
      table = isLocal ? EncodingColorTable(for: [drawing], options: options) : global.inexact
    } else if !isFirst, options.colorTables == .local {
      table = EncodingColorTable(for: [drawing], options: options)
      isLocal = true
    }
    writer.appendGraphicControl(drawing, delay: clock.hundredths(after: frame.delay), table: table)
    try writer.appendImage(drawing, table: table, isLocal: isLocal, options: options, budget: &budget)
    self.writer = writer
  }

  private func start(_ drawing: FrameDrawing, _ table: EncodingColorTable, hasFrames: Bool) -> BlockWriter {
    var writer = BlockWriter(screen: drawing.canvas, globalColors: table)
    if hasFrames { writer.appendLoopCount(loopCount) }
    writer.appendMetadata(metadata, colorSpace: colorSpace)
    return writer
  }
}
