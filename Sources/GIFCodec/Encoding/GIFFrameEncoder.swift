// Frame-by-frame encoding: a frame is written as soon as the next one has arrived, which decides how it is disposed of.

public import ImageCoding

/// Encodes an animated GIF from complete pictures of equal size that are supplied one after another.
///
/// Three pictures of 4 bytes per pixel are held at a time. The colours of the first frame form the global table, which
/// later frames use if it has all their colours; otherwise they have local tables, or, with
/// ``GIFEncoder/Options/ColorTables/global``, the nearest colours.
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
  /// - Parameters:
  ///   - frame: the picture and its duration.
  ///   - budget: charged for the pictures that are held, until the animation ends; for the output, until the caller
  ///     credits the bytes that it takes; and row by row for work.
  /// - Throws: `CodecError.Kind.encodingFailed` if the picture is empty or has a side above 65,535, or if an XMP packet
  ///   has null bytes; `CodecError.Kind.invalidArgument` if its size differs from that of the first frame;
  ///   `CodecError.Kind.cancelled`, `CodecError.Kind.limitExceeded`.
  public mutating func append(_ frame: AnimationFrame, budget: inout ResourceBudget) throws(CodecError) {
    let picture = try OpaquePicture(frame.bitmap, alphaThreshold: options.alphaThreshold, &budget)
    if let pending {
      guard picture.size == pending.picture.size else {
        throw CodecError(.invalidArgument, "the frames of the animation differ in size", format: GIFDecoder.type)
      }
      try write(pending, next: picture, &budget)
      budget.release(pending.picture.byteCount)
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
  /// - Throws: `CodecError.Kind.invalidArgument` if there are no frames; `CodecError.Kind.cancelled`,
  ///   `CodecError.Kind.limitExceeded`.
  public mutating func finish(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    guard let pending else {
      throw CodecError(.invalidArgument, "the animation has no frames", format: GIFDecoder.type)
    }
    try write(pending, next: nil, &budget)
    // The last picture, and what is shown.
    budget.release(2 * pending.picture.byteCount)
    self.pending = nil
    return writer?.finish() ?? []
  }

  private mutating func write(
    _ frame: (picture: OpaquePicture, delay: Duration), next: OpaquePicture?, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let isFirst = globalTable == nil
    let drawing =
      isFirst
      ? try planner.firstFrame(frame.picture, next: next, &budget)
      : try planner.frame(frame.picture, next: next, &budget)
    var drawings = [drawing]
    let global: EncodingColorTable
    if let globalTable {
      global = globalTable
    } else {
      global = try EncodingColorTable(
        for: &drawings, options: options, reservesTransparency: next != nil, &budget)
    }
    var writer = if let writer { writer } else { try start(drawing, global, hasFrames: next != nil) }
    self.writer = nil
    globalTable = global
    var table = global
    var isLocal = false
    if !isFirst, !global.isExact(for: drawing) {
      isLocal = options.colorTables != .global || (drawing.hasGaps && global.transparentIndex == nil)
      table = isLocal ? try EncodingColorTable(for: &drawings, options: options, &budget) : global.inexact
    } else if !isFirst, options.colorTables == .local {
      table = try EncodingColorTable(for: &drawings, options: options, &budget)
      isLocal = true
    }
    var chargedByteCount = isFirst ? 0 : writer.bytes.count
    writer.appendGraphicControl(drawing.disposal, delay: clock.hundredths(after: frame.delay), table: table)
    try writer.appendImage(
      &drawings[0], at: drawing.origin, table: table, isLocal: isLocal, options: options, budget: &budget
    ) { (writer, budget) throws(CodecError) in
      try budget.allocate(writer.bytes.count - chargedByteCount)
      chargedByteCount = writer.bytes.count
    }
    budget.release(drawing.byteCount)
    self.writer = writer
  }

  private func start(
    _ drawing: FrameDrawing, _ table: EncodingColorTable, hasFrames: Bool
  ) throws(CodecError) -> BlockWriter {
    var writer = BlockWriter(screen: drawing.canvas, globalColors: table)
    if hasFrames { writer.appendLoopCount(loopCount) }
    try writer.appendMetadata(metadata, colorSpace: colorSpace)
    return writer
  }
}
