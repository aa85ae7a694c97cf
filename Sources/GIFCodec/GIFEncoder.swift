// The public face of the GIF encoder: choose the region each frame draws and its colours, then write the blocks.

public import ImageCore

/// Encodes GIF89a files. Pictures of up to 256 colours, including transparency, are lossless; others are quantised.
public struct GIFEncoder: ImageFormatEncoder {
  /// How images are encoded.
  public struct Options: Hashable, Sendable {
    /// How the difference between a pixel and its palette colour is handled.
    public enum Dithering: Hashable, Sendable {
      /// No dithering: flat areas stay flat, gradients show banding.
      case none
      /// Floyd–Steinberg error diffusion: the difference is distributed over the pixels that follow.
      case floydSteinberg
    }

    /// How many colour tables an animation has.
    public enum ColorTables: Hashable, Sendable {
      /// One global table if that loses no colour, otherwise a local one per frame.
      case automatic
      /// One table shared by all frames.
      case global
      /// One table per frame.
      case local
    }

    /// The maximum number of colours in a table; one of them is used for transparency where needed. Values outside
    /// 2…256 are clamped.
    public var maximumColorCount: Int {
      didSet { maximumColorCount = Self.clamped(colorCount: maximumColorCount) }
    }
    /// How the difference between a pixel and its palette colour is handled.
    public var dithering: Dithering
    /// How many colour tables an animation has.
    public var colorTables: ColorTables
    /// The lowest alpha of a pixel that is drawn; pixels below it become transparent. 0 is treated as 1.
    public var alphaThreshold: UInt8 {
      didSet { alphaThreshold = max(1, alphaThreshold) }
    }
    /// Whether rows are interlaced, which lets viewers show the image early and makes the file larger.
    public var isInterlaced: Bool

    /// Creates options. The defaults are lossless up to 256 colours and dither otherwise.
    public init(
      maximumColorCount: Int = 256, dithering: Dithering = .floydSteinberg, colorTables: ColorTables = .automatic,
      alphaThreshold: UInt8 = 128, isInterlaced: Bool = false
    ) {
      self.maximumColorCount = Self.clamped(colorCount: maximumColorCount)
      self.dithering = dithering
      self.colorTables = colorTables
      self.alphaThreshold = max(1, alphaThreshold)
      self.isInterlaced = isInterlaced
    }

    private static func clamped(colorCount: Int) -> Int { min(max(colorCount, 2), 256) }
  }

  /// How images are encoded.
  public var options: Options

  /// Creates an encoder with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// The type identifier `com.compuserve.gif`.
  public var type: AssetType { GIFDecoder.type }

  /// Encodes a bitmap. Its orientation is applied to the pixels, because GIF cannot store one.
  ///
  /// Comments, the XMP packet and the ICC profile are written. GIF has no place for other metadata.
  /// - Throws: ``CodecError/Kind/encodingFailed`` for an empty bitmap or one with a side above 65,535.
  public func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(.unlimited, format: type)
    return try encode(bitmap, metadata: metadata, budget: &budget)
  }

  /// Encodes a bitmap within a budget, which is charged for pixels and output, and row by row for work.
  ///
  /// - Throws: the errors of ``encode(_:metadata:)``, and ``CodecError/Kind/limitExceeded``,
  ///   ``CodecError/Kind/cancelled`` or ``CodecError/Kind/deadlineExceeded``.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    // Pixels of 32 bits as they are and as they are drawn, and their indices.
    try budget.allocate(count: bitmap.width * bitmap.height, bytesEach: 9)
    let picture = try OpaquePicture(bitmap, alphaThreshold: options.alphaThreshold)
    var planner = FramePlanner()
    let drawing = planner.firstFrame(picture, next: nil)
    let table = EncodingColorTable(for: [drawing], options: options)
    var writer = BlockWriter(screen: picture.size, globalColors: table)
    writer.appendMetadata(metadata, colorSpace: bitmap.colorSpace)
    if table.transparentIndex != nil { writer.appendGraphicControl(drawing, delay: 0, table: table) }
    try writer.appendImage(drawing, table: table, isLocal: false, options: options, budget: &budget)
    let file = writer.finish()
    try budget.allocate(file.count)
    return file
  }

  /// Encodes an animation of complete pictures of equal size. Each frame is stored as the region that changed.
  ///
  /// Delays are rounded to hundredths of a second without accumulating rounding error. All frames are needed at once,
  /// because they share a colour table if that loses no colour; ``GIFFrameEncoder`` takes them one by one.
  /// - Throws: ``CodecError/Kind/invalidArgument`` if there are no frames or their sizes differ.
  public func encode(
    animation frames: [AnimationFrame], loopCount: LoopCount, metadata: ImageMetadata? = nil
  ) throws(CodecError) -> [UInt8] {
    guard let first = frames.first?.bitmap else {
      throw CodecError(.invalidArgument, "the animation has no frames", format: type)
    }
    let drawings = try plan(frames)
    let shared = sharedTable(for: drawings)
    let firstTable = shared ?? EncodingColorTable(for: [drawings[0]], options: options)
    var writer = BlockWriter(screen: drawings[0].canvas, globalColors: firstTable)
    if frames.count > 1 { writer.appendLoopCount(loopCount) }
    writer.appendMetadata(metadata, colorSpace: first.colorSpace)
    var budget = ResourceBudget(.unlimited, format: type)
    var clock = DelayClock()
    for (index, drawing) in drawings.enumerated() {
      let isLocal = shared == nil && index > 0
      let table = isLocal ? EncodingColorTable(for: [drawing], options: options) : firstTable
      writer.appendGraphicControl(drawing, delay: clock.hundredths(after: frames[index].delay), table: table)
      try writer.appendImage(drawing, table: table, isLocal: isLocal, options: options, budget: &budget)
    }
    return writer.finish()
  }

  /// Determines what each frame draws.
  private func plan(_ frames: [AnimationFrame]) throws(CodecError) -> [FrameDrawing] {
    var planner = FramePlanner()
    var drawings: [FrameDrawing] = []
    var current = try OpaquePicture(frames[0].bitmap, alphaThreshold: options.alphaThreshold)
    for index in frames.indices {
      var next: OpaquePicture?
      if index + 1 < frames.count {
        next = try OpaquePicture(frames[index + 1].bitmap, alphaThreshold: options.alphaThreshold)
        guard next?.size == current.size else {
          throw CodecError(.invalidArgument, "the frames of the animation differ in size", format: type)
        }
      }
      drawings.append(
        index == 0 ? planner.firstFrame(current, next: next) : planner.frame(current, next: next))
      if let next { current = next }
    }
    return drawings
  }

  /// The table shared by all frames; `nil` if each has its own.
  private func sharedTable(for drawings: [FrameDrawing]) -> EncodingColorTable? {
    switch options.colorTables {
    case .local: return nil
    case .global: return EncodingColorTable(for: drawings, options: options)
    case .automatic:
      if drawings.count == 1 { return EncodingColorTable(for: drawings, options: options) }
      return EncodingColorTable(exactFor: drawings, options: options)
    }
  }
}
