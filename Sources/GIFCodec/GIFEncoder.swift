// The public face of the GIF encoder: which part of each frame is drawn, in which colours, then the blocks.

public import ImageCore

/// Writes GIF89a. Pictures of up to 256 colours, transparency included, decode to the same pixels; others are reduced.
public struct GIFEncoder: ImageFormatEncoder {
  /// How images are written.
  public struct Options: Hashable, Sendable {
    /// What becomes of the difference between a pixel and its colour in the table.
    public enum Dithering: Hashable, Sendable {
      /// It is lost: flat areas stay flat, slopes show bands.
      case none
      /// It is spread over the pixels that follow, by Floyd and Steinberg.
      case floydSteinberg
    }

    /// How many colour tables an animation has.
    public enum ColorTables: Hashable, Sendable {
      /// One for all frames where that loses no colour, else one for each.
      case automatic
      /// One for all frames.
      case global
      /// One for each frame.
      case local
    }

    /// Colours of a table, 2…256; one of them stands for transparency where that is needed.
    public var maximumColorCount: Int
    /// What becomes of the difference between a pixel and its colour in the table.
    public var dithering: Dithering
    /// How many colour tables an animation has.
    public var colorTables: ColorTables
    /// The least alpha of a pixel that is shown; others are transparent.
    public var alphaThreshold: UInt8
    /// Whether rows are written coarse to fine, which shows images early and is larger.
    public var isInterlaced: Bool

    /// Creates options.
    public init(
      maximumColorCount: Int = 256, dithering: Dithering = .floydSteinberg, colorTables: ColorTables = .automatic,
      alphaThreshold: UInt8 = 128, isInterlaced: Bool = false
    ) {
      self.maximumColorCount = min(max(maximumColorCount, 2), 256)
      self.dithering = dithering
      self.colorTables = colorTables
      self.alphaThreshold = max(1, alphaThreshold)
      self.isInterlaced = isInterlaced
    }
  }

  /// A frame of an animation to be written.
  public struct Frame: Sendable {
    /// The composed picture.
    public var bitmap: Bitmap
    /// How long it is shown.
    public var delay: Duration

    /// Creates a frame.
    public init(bitmap: Bitmap, delay: Duration) {
      self.bitmap = bitmap
      self.delay = delay
    }
  }

  /// How images are written.
  public var options: Options

  /// An encoder.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// `com.compuserve.gif`.
  public var type: AssetType { GIFDecoder.type }

  /// Encodes a bitmap. It is turned upright: a GIF cannot say how it must be turned.
  ///
  /// Comments, the XMP packet and the ICC profile are written; a GIF has no place for other metadata.
  /// - Throws: ``DecodeError/Kind/encodingFailed`` for an empty bitmap or one with a side above 65,535.
  public func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(DecodeError) -> [UInt8] {
    let picture = try OpaquePicture(bitmap, alphaThreshold: options.alphaThreshold)
    var planner = FramePlanner()
    let drawing = planner.firstFrame(picture, next: nil)
    let table = EncodingColorTable(for: [drawing], options: options)
    var writer = BlockWriter(screen: picture.size, globalColors: table)
    writer.appendMetadata(metadata, of: bitmap)
    if table.transparentIndex != nil { writer.appendGraphicControl(drawing, delay: 0, table: table) }
    writer.appendImage(drawing, table: table, isLocal: false, options: options)
    return writer.finish()
  }

  /// Encodes an animation of composed frames, all of one size. Each one is stored as the part that changed.
  ///
  /// Delays are rounded to hundredths of a second so that their sum stays right.
  /// - Throws: ``DecodeError/Kind/invalidArgument`` when there are no frames or their sizes differ.
  public func encode(
    animation frames: [Frame], loopCount: LoopCount, metadata: ImageMetadata? = nil
  ) throws(DecodeError) -> [UInt8] {
    guard let first = frames.first?.bitmap else {
      throw DecodeError(.invalidArgument, "an animation has frames", format: type)
    }
    let drawings = try plan(frames)
    let shared = sharedTable(for: drawings)
    let firstTable = shared ?? EncodingColorTable(for: [drawings[0]], options: options)
    var writer = BlockWriter(screen: drawings[0].canvas, globalColors: firstTable)
    if frames.count > 1 { writer.appendLoopCount(loopCount) }
    writer.appendMetadata(metadata, of: first)
    var clock = DelayClock()
    for (index, drawing) in drawings.enumerated() {
      let isLocal = shared == nil && index > 0
      let table = isLocal ? EncodingColorTable(for: [drawing], options: options) : firstTable
      writer.appendGraphicControl(drawing, delay: clock.hundredths(after: frames[index].delay), table: table)
      writer.appendImage(drawing, table: table, isLocal: isLocal, options: options)
    }
    return writer.finish()
  }

  /// What each frame draws.
  private func plan(_ frames: [Frame]) throws(DecodeError) -> [FrameDrawing] {
    var planner = FramePlanner()
    var drawings: [FrameDrawing] = []
    var current = try OpaquePicture(frames[0].bitmap, alphaThreshold: options.alphaThreshold)
    for index in frames.indices {
      var next: OpaquePicture?
      if index + 1 < frames.count {
        next = try OpaquePicture(frames[index + 1].bitmap, alphaThreshold: options.alphaThreshold)
        guard next?.size == current.size else {
          throw DecodeError(.invalidArgument, "the frames of an animation have one size", format: type)
        }
      }
      drawings.append(
        index == 0 ? planner.firstFrame(current, next: next) : planner.frame(current, next: next))
      if let next { current = next }
    }
    return drawings
  }

  /// The table of all frames; `nil` when each has its own.
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

/// Delays in hundredths of a second whose sum never strays from the exact one by more than half of that.
struct DelayClock {
  private var elapsed = Duration.zero
  private var written: Int64 = 0

  /// The delay to write for a frame that is shown so long.
  mutating func hundredths(after delay: Duration) -> Int {
    elapsed += max(.zero, min(delay, .seconds(655)))
    let (seconds, attoseconds) = elapsed.components
    let due = seconds * 100 + (attoseconds + 5_000_000_000_000_000) / 10_000_000_000_000_000
    let result = min(max(due - written, 0), 65_535)
    written += result
    return Int(result)
  }
}
