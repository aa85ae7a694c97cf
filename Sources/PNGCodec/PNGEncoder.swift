// The public face of the PNG encoder: signature, header, metadata, image data or frames, end.

public import ImageCoding

/// Encodes PNG and APNG files. The encoding is lossless.
public struct PNGEncoder: ImageFormatEncoder {
  /// The options of PNG encoding.
  public struct Options: Hashable, Sendable {
    /// The strategy by which the filter of each row is chosen, PNG section 12.7.
    public enum Filtering: Hashable, Sendable {
      /// For each row, the filter with the smallest sum of absolute differences. Palettes and depths below 8 bits are
      /// not filtered.
      case adaptive
      /// As `adaptive`, of three filters only.
      case fast
      /// For each row, the filter with the smallest entropy; the image is compressed without filters too, and the
      /// smaller result is taken. Palettes and depths below 8 bits are not filtered.
      case entropy
      /// No filter: for images that compress well without one.
      case none
      /// The same filter for every row.
      case fixed(RowFilter)
    }

    /// The compressor of filtered rows.
    public enum Compressor: Hashable, Sendable {
      /// By zlib at ``compressionLevel``.
      case zlib
      /// By a compressor of one pass that is several times faster than zlib and yields somewhat larger files.
      case fast
    }

    /// A balance of time and size.
    public enum Level: String, Hashable, Sendable, CaseIterable {
      /// The fast compressor, with filters chosen quickly and colours as they are.
      case fastest
      /// zlib at level 6, adaptive filters, colours reduced.
      case `default`
      /// zlib at level 9, filters by entropy, colours reduced.
      case small
    }

    /// The compressor of filtered rows. The default is zlib.
    public var compressor: Compressor
    /// The zlib compression level, 0 (stored) … 9 (smallest). The default is 6.
    public var compressionLevel: Int
    /// The strategy by which the filter of each row is chosen.
    public var filtering: Filtering
    /// Whether to write Adam7 passes, which let viewers show a coarse image early and make the file larger.
    public var isInterlaced: Bool
    /// Whether to reduce samples and bits losslessly: a palette for up to 256 colours, gray if no pixel has colour, no
    /// alpha if all pixels are opaque. The pixels stay the same, but their natural format may change.
    public var reducesColors: Bool
    /// Whether the colours of fully transparent pixels become zero, which makes files smaller. The default is `false`.
    public var clearsInvisibleColors: Bool
    /// The maximum number of threads. With more than one, zlib compresses images of 512 KiB or more in pieces, which
    /// makes files slightly larger; their bytes do not depend on the number. The default is 1.
    public var parallelism: Int

    /// Creates options. The defaults favour small files at zlib's level 6.
    public init(
      compressionLevel: Int = 6, filtering: Filtering = .adaptive, isInterlaced: Bool = false,
      reducesColors: Bool = true, clearsInvisibleColors: Bool = false, compressor: Compressor = .zlib,
      parallelism: Int = 1
    ) {
      self.compressionLevel = compressionLevel
      self.filtering = filtering
      self.isInterlaced = isInterlaced
      self.reducesColors = reducesColors
      self.clearsInvisibleColors = clearsInvisibleColors
      self.compressor = compressor
      self.parallelism = parallelism
    }

    /// Creates the options of a level.
    public init(level: Level) {
      switch level {
      case .fastest: self.init(filtering: .fast, reducesColors: false, compressor: .fast)
      case .default: self.init()
      case .small: self.init(compressionLevel: 9, filtering: .entropy)
      }
    }
  }

  /// The options of encoding.
  public var options: Options

  /// Creates an encoder with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// The type identifier `public.png`.
  public var type: AssetType { PNGDecoder.type }

  /// Encodes a bitmap. Premultiplied alpha is converted to straight alpha, CMYK to RGB.
  ///
  /// The bitmap's orientation is written to the EXIF block. Its colour space is written, or that of `metadata` if it has
  /// none. PNG has no place for IPTC records, so they are omitted.
  ///
  /// The budget is charged for a few rows, for the file, and row by row for work. On several threads, all rows to be
  /// compressed are held as well; with filters by entropy, the compressed data of both attempts.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the bitmap is empty or PNG cannot represent the metadata;
  ///   `CodecError.Kind.invalidArgument` if an option is out of range; `CodecError.Kind.limitExceeded`,
  ///   `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try encodedFile(bitmap, metadata: metadata, budget: &budget)
  }

  /// Encodes an animation of complete pictures of equal size. Each frame is stored as the region that changed.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there are no frames or their sizes differ, or if an option is out
  ///   of range.
  public func encode(
    animation frames: [AnimationFrame], loopCount: LoopCount, metadata: ImageMetadata? = nil
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(encoding: frames.map { $0.bitmap.pixelSize }, format: type)
    return try encode(animation: frames, loopCount: loopCount, metadata: metadata, budget: &budget)
  }

  /// Encodes an animation within a budget, which is charged for buffers and output, and for the work on every frame. On
  /// return it holds the file. ``PNGFrameEncoder`` does not need all frames at once.
  ///
  /// - Throws: the errors of ``encode(animation:loopCount:metadata:)``, and `CodecError.Kind.limitExceeded`,
  ///   `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    animation frames: [AnimationFrame], loopCount: LoopCount, metadata: ImageMetadata? = nil,
    budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let heldByteCount = budget.heldByteCount
    var output = EncodedOutput()
    try encode(animation: frames, loopCount: loopCount, metadata: metadata, to: &output, budget: &budget)
    let file = try output.finish()
    budget.settle(heldByteCount: heldByteCount + file.count)
    return file
  }

  /// Encodes an animation and passes it on frame by frame.
  package func encode(
    animation frames: [AnimationFrame], loopCount: LoopCount, metadata: ImageMetadata? = nil,
    to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let first = frames.first?.bitmap, frames.allSatisfy({ $0.bitmap.pixelSize == first.pixelSize }) else {
      throw CodecError(.invalidArgument, "the frames of the animation differ in size", format: type)
    }
    try checkSize(first)
    let layout = try EncodingLayout(for: frames.map { $0.bitmap }, options: options, &budget)
    var writer = ChunkWriter()
    writer.append(.imageHeader, layout.headerBytes(size: first.pixelSize, isInterlaced: options.isInterlaced))
    writer.appendAnimationControl(frameCount: frames.count, loopCount: loopCount)
    try writer.appendMetadata(metadata, of: first, layout: layout)
    var animation = AnimationEncoder(encoder: ImageDataEncoder(layout: layout, options: options))
    for frame in frames {
      let headerByteCount = writer.bytes.count
      try animation.append(frame, to: &writer, &budget)
      let part = writer.takeBytes()
      try output.append(part, budget: &budget)
      budget.release(part.count - headerByteCount)
    }
    animation.releaseFrames(&budget)
    writer.append(.imageEnd, [])
    try output.append(writer.bytes, budget: &budget)
  }

  func checkSize(_ bitmap: Bitmap) throws(CodecError) {
    guard (0...9).contains(options.compressionLevel) else {
      throw CodecError(
        .invalidArgument, "the compression level \(options.compressionLevel) is not 0…9", format: type)
    }
    guard !bitmap.isEmpty, bitmap.width <= 0x7FFF_FFFF, bitmap.height <= 0x7FFF_FFFF else {
      throw CodecError(.encodingFailed, "a PNG image cannot be \(bitmap.width) × \(bitmap.height) pixels", format: type)
    }
  }
}

extension PNGEncoder: StreamingImageEncoder {
  /// Encodes a bitmap and passes its data on chunk by chunk while it is compressed.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    try checkSize(bitmap)
    try budget.requireWork(count: bitmap.width * bitmap.height, unitsEach: ImageDataEncoder.workPerPixel)
    let layout = try EncodingLayout(for: [bitmap], options: options, &budget)
    var header = ChunkWriter()
    header.append(.imageHeader, layout.headerBytes(size: bitmap.pixelSize, isInterlaced: options.isInterlaced))
    try header.appendMetadata(metadata, of: bitmap, layout: layout)
    try output.append(header.takeBytes(), budget: &budget)
    let encoder = ImageDataEncoder(layout: layout, options: options)
    try encoder.encode(bitmap, &budget) { (data, budget) throws(CodecError) in
      let chunkByteCount = data.count + ChunkWriter.overhead
      try budget.allocate(chunkByteCount)
      try output.append(ChunkWriter(.imageData, data).bytes, budget: &budget)
      budget.release(chunkByteCount)
    }
    try output.append(ChunkWriter(.imageEnd, []).bytes, budget: &budget)
  }
}
