// The public face of the GIF encoder: choose the region each frame draws and its colours, then write the blocks.

public import ImageCoding

/// Encodes GIF89a files. Pictures of up to 256 colours, including transparency, are lossless; others are quantised.
public struct GIFEncoder: ImageFormatEncoder {
  /// The options of GIF encoding.
  public struct Options: Hashable, Sendable {
    /// The dithering: the handling of the difference between a pixel and its palette colour.
    public enum Dithering: Hashable, Sendable {
      /// No dithering: flat areas stay flat, gradients show banding.
      case none
      /// Floyd–Steinberg error diffusion: the difference is distributed over the pixels that follow.
      case floydSteinberg
    }

    /// The use of global and local colour tables in an animation.
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
    /// The dithering: the handling of the difference between a pixel and its palette colour.
    public var dithering: Dithering
    /// The colour tables of an animation.
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

  /// The options of encoding.
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
  ///
  /// The budget is charged for a few rows, for a turned copy unless the bitmap is upright, for the indices if rows are
  /// interlaced, and for the output; and row by row for work.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` for an empty bitmap or one with a side above 65,535, or for an XMP packet
  ///   with null bytes; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try encodedFile(bitmap, metadata: metadata, budget: &budget)
  }

  /// Encodes an animation of complete pictures of equal size. Each frame is stored as the region that changed.
  ///
  /// Delays are rounded to hundredths of a second without accumulating rounding error. All frames are needed at once,
  /// because they share a colour table if that loses no colour; ``GIFFrameEncoder`` takes them one by one.
  /// - Throws: `CodecError.Kind.invalidArgument` if there are no frames or their sizes differ;
  ///   `CodecError.Kind.encodingFailed` for an XMP packet with null bytes.
  public func encode(
    animation frames: [AnimationFrame], loopCount: LoopCount, metadata: ImageMetadata? = nil
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(encoding: frames.map { $0.bitmap.pixelSize }, format: type)
    return try encode(animation: frames, loopCount: loopCount, metadata: metadata, budget: &budget)
  }

  /// Encodes an animation within a budget, which is charged for the changed pixels of all frames, 4 bytes each, for
  /// three pictures and for the output, and for work.
  ///
  /// - Throws: the errors of ``encode(animation:loopCount:metadata:)``, and `CodecError.Kind.limitExceeded`,
  ///   `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    animation frames: [AnimationFrame], loopCount: LoopCount, metadata: ImageMetadata? = nil,
    budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard let first = frames.first?.bitmap else {
      throw CodecError(.invalidArgument, "the animation has no frames", format: type)
    }
    let heldByteCount = budget.heldByteCount
    var drawings = try plan(frames, &budget)
    let shared = try sharedTable(for: &drawings, &budget)
    var firstDrawing = [drawings[0]]
    let firstTable: EncodingColorTable
    if let shared {
      firstTable = shared
    } else {
      firstTable = try EncodingColorTable(for: &firstDrawing, options: options, &budget)
    }
    var writer = BlockWriter(screen: drawings[0].canvas, globalColors: firstTable)
    if frames.count > 1 { writer.appendLoopCount(loopCount) }
    try writer.appendMetadata(metadata, colorSpace: first.colorSpace)
    var output = EncodedOutput()
    var clock = DelayClock()
    for (index, drawing) in drawings.enumerated() {
      var drawing = [drawing]
      let isLocal = shared == nil && index > 0
      let table = isLocal ? try EncodingColorTable(for: &drawing, options: options, &budget) : firstTable
      let delay = clock.hundredths(after: frames[index].delay)
      writer.appendGraphicControl(drawing[0].disposal, delay: delay, table: table)
      try writer.appendImage(
        &drawing[0], at: drawing[0].origin, table: table, isLocal: isLocal, options: options, budget: &budget
      ) { (writer, budget) throws(CodecError) in
        try output.append(writer.takeBytes(), budget: &budget)
      }
    }
    try output.append(writer.finish(), budget: &budget)
    let file = try output.finish()
    budget.settle(heldByteCount: heldByteCount + file.count)
    return file
  }

  /// Determines what each frame draws.
  private func plan(
    _ frames: [AnimationFrame], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [FrameDrawing] {
    var planner = FramePlanner()
    var drawings: [FrameDrawing] = []
    var current = try OpaquePicture(frames[0].bitmap, alphaThreshold: options.alphaThreshold, &budget)
    for index in frames.indices {
      var next: OpaquePicture?
      if index + 1 < frames.count {
        next = try OpaquePicture(frames[index + 1].bitmap, alphaThreshold: options.alphaThreshold, &budget)
        guard next?.size == current.size else {
          throw CodecError(.invalidArgument, "the frames of the animation differ in size", format: type)
        }
      }
      drawings.append(
        try index == 0
          ? planner.firstFrame(current, next: next, &budget) : planner.frame(current, next: next, &budget))
      if let next {
        budget.release(current.byteCount)
        current = next
      }
    }
    return drawings
  }

  /// The table shared by all frames; `nil` if each has its own.
  private func sharedTable(
    for drawings: inout [FrameDrawing], _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodingColorTable? {
    switch options.colorTables {
    case .local: return nil
    case .global: return try EncodingColorTable(for: &drawings, options: options, &budget)
    case .automatic:
      if drawings.count == 1 { return try EncodingColorTable(for: &drawings, options: options, &budget) }
      return try EncodingColorTable(exactFor: &drawings, options: options, &budget)
    }
  }

  /// - Throws: `CodecError.Kind.encodingFailed` if GIF cannot represent the size of a bitmap.
  static func checkSize(_ bitmap: Bitmap) throws(CodecError) {
    guard !bitmap.isEmpty, bitmap.width <= 0xFFFF, bitmap.height <= 0xFFFF else {
      throw CodecError(
        .encodingFailed, "a GIF image cannot be \(bitmap.width) × \(bitmap.height) pixels", format: GIFDecoder.type)
    }
  }
}

extension GIFEncoder: StreamingImageEncoder {
  /// Encodes a bitmap and passes its data on while it is compressed.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    try Self.checkSize(bitmap)
    try budget.requireWork(
      count: bitmap.width * bitmap.height, unitsEach: 2 * BitmapRows.workPerPixel + BlockWriter.workPerPixel)
    let (upright, turnedByteCount) = try bitmap.orientedUp(budget: &budget)
    let rowsByteCount = try budget.allocate(count: upright.width, bytesEach: BitmapRows.bytesPerColumn)
    var pictures = [BitmapRows(upright, alphaThreshold: options.alphaThreshold)]
    let table = try EncodingColorTable(for: &pictures, options: options, &budget)
    var writer = BlockWriter(screen: upright.pixelSize, globalColors: table)
    try writer.appendMetadata(metadata, colorSpace: bitmap.colorSpace)
    if table.transparentIndex != nil { writer.appendGraphicControl(.keep, delay: 0, table: table) }
    try writer.appendImage(
      &pictures[0], at: (0, 0), table: table, isLocal: false, options: options, budget: &budget
    ) { (writer, budget) throws(CodecError) in
      try output.append(writer.takeBytes(), budget: &budget)
    }
    try output.append(writer.finish(), budget: &budget)
    budget.release(turnedByteCount + rowsByteCount)
  }
}
