// The public face of the PNG encoder: signature, header, metadata, image data or frames, end.

public import ImageCore

/// Writes PNG and APNG. What is written decodes to the same pixels, bit for bit.
public struct PNGEncoder: ImageFormatEncoder {
  /// How images are written.
  public struct Options: Hashable, Sendable {
    /// How the filter of each row is chosen, PNG section 12.7.
    public enum Filtering: Hashable, Sendable {
      /// The one with the smallest sum of absolute differences; none for palettes and less than 8 bits.
      case adaptive
      /// None: for images that compress well as they are.
      case none
      /// The same one for every row: 0 none, 1 sub, 2 up, 3 average, 4 Paeth.
      case fixed(UInt8)
    }

    /// 0 (stored) … 9 (smallest), as zlib has them. Default 6.
    public var compressionLevel: Int
    /// How the filter of each row is chosen.
    public var filtering: Filtering
    /// Whether to write the passes of Adam7, which shows coarse images early and is larger.
    public var isInterlaced: Bool
    /// Whether to write fewer samples or bits where the pixels allow it: a palette for up to 256 colours, gray where
    /// no pixel has colour, no alpha where all is opaque. Pixels stay the same, their natural format may change.
    public var reducesColors: Bool

    /// Creates options.
    public init(
      compressionLevel: Int = 6, filtering: Filtering = .adaptive, isInterlaced: Bool = false,
      reducesColors: Bool = true
    ) {
      self.compressionLevel = compressionLevel
      self.filtering = filtering
      self.isInterlaced = isInterlaced
      self.reducesColors = reducesColors
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

  /// `public.png`.
  public var type: AssetType { PNGDecoder.type }

  /// Encodes a bitmap. Premultiplied alpha is undone, CMYK becomes RGB.
  ///
  /// The orientation of the bitmap is written to the EXIF block, its colour space unless `metadata` states one. IPTC
  /// records have no place in a PNG and are left out.
  /// - Throws: ``DecodeError/Kind/encodingFailed`` for an empty bitmap, or metadata that breaks PNG's rules.
  public func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(DecodeError) -> [UInt8] {
    try checkSize(bitmap)
    let layout = EncodingLayout(for: [bitmap], options: options)
    var writer = ChunkWriter()
    writer.append(.imageHeader, layout.headerBytes(size: bitmap.pixelSize, isInterlaced: options.isInterlaced))
    try writer.appendMetadata(metadata, of: bitmap, layout: layout)
    let data = try ImageDataEncoder(layout: layout, options: options).encode(bitmap)
    writer.append(.imageData, data)
    writer.append(.imageEnd, [])
    return writer.bytes
  }

  /// Encodes an animation of composed frames, all of one size. Each one is stored as the part that changed.
  ///
  /// - Throws: ``DecodeError/Kind/invalidArgument`` when there are no frames or their sizes differ.
  public func encode(
    animation frames: [Frame], loopCount: LoopCount, metadata: ImageMetadata? = nil
  ) throws(DecodeError) -> [UInt8] {
    guard let first = frames.first?.bitmap, frames.allSatisfy({ $0.bitmap.pixelSize == first.pixelSize }) else {
      throw DecodeError(.invalidArgument, "the frames of an animation have one size", format: type)
    }
    try checkSize(first)
    let layout = EncodingLayout(for: frames.map(\.bitmap), options: options)
    var writer = ChunkWriter()
    writer.append(.imageHeader, layout.headerBytes(size: first.pixelSize, isInterlaced: options.isInterlaced))
    writer.appendAnimationControl(frameCount: frames.count, loopCount: loopCount)
    try writer.appendMetadata(metadata, of: first, layout: layout)
    var animation = AnimationEncoder(encoder: ImageDataEncoder(layout: layout, options: options))
    for frame in frames { try animation.append(frame, to: &writer) }
    writer.append(.imageEnd, [])
    return writer.bytes
  }

  private func checkSize(_ bitmap: Bitmap) throws(DecodeError) {
    guard !bitmap.isEmpty, bitmap.width <= 0x7FFF_FFFF, bitmap.height <= 0x7FFF_FFFF else {
      throw DecodeError(.encodingFailed, "a PNG cannot be \(bitmap.width) × \(bitmap.height)", format: type)
    }
  }
}
