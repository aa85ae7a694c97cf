// The public interface of the TIFF encoder.

public import ImageCoding
internal import MetadataFormats

/// Encodes TIFF 6.0 and BigTIFF: every pixel format, in strips or tiles, one page or several.
public struct TIFFEncoder: ImageFormatEncoder {
  /// The options of a file.
  public struct Options: Hashable, Sendable {
    /// The compression of pixels.
    public enum Compression: Hashable, Sendable {
      /// None.
      case none
      /// Runs of equal bytes, which every reader knows.
      case packBits
      /// LZW, which every reader knows.
      case lzw
      /// Deflate at a zlib level of 0…9.
      case deflate(level: Int)
      /// CCITT Group 4, for opaque images that consist of black and white only.
      case group4

      /// Whether the compression profits from a predictor.
      var usesPredictor: Bool {
        switch self {
        case .lzw, .deflate: true
        case .none, .packBits, .group4: false
        }
      }
    }

    /// The compression of pixels.
    public var compression: Compression
    /// Whether rows are stored as differences if the compression is LZW or Deflate.
    public var usesPredictor: Bool
    /// The size of tiles, whose sides must be multiples of 16 pixels; `nil` for strips.
    public var tileSize: PixelSize?
    /// The number of rows in a strip; `nil` selects strips of about 64 KiB.
    public var rowsPerStrip: Int?
    /// Whether integers are big-endian.
    public var isBigEndian: Bool
    /// Whether the file is a BigTIFF, which may exceed 4 GiB.
    public var isBig: Bool

    /// Creates options. The default is a little-endian file with strips compressed by LZW with a predictor.
    public init(
      compression: Compression = .lzw, usesPredictor: Bool = true, tileSize: PixelSize? = nil,
      rowsPerStrip: Int? = nil, isBigEndian: Bool = false, isBig: Bool = false
    ) {
      self.compression = compression
      self.usesPredictor = usesPredictor
      self.tileSize = tileSize
      self.rowsPerStrip = rowsPerStrip
      self.isBigEndian = isBigEndian
      self.isBig = isBig
    }
  }

  /// The options of the file.
  public var options: Options

  /// Creates an encoder.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// `public.tiff`.
  public var type: AssetType { TIFFDecoder.type }

  /// Encodes an image as the only page of a file. Samples are stored as they are, except that blue, green, red becomes
  /// red, green, blue.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the image is empty or cannot be represented with the options;
  ///   `CodecError.Kind.invalidArgument` if the size of tiles or strips is invalid;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try encodedFile(bitmap, metadata: metadata, budget: &budget)
  }

  /// Encodes the pages of a file. The first one has the metadata.
  ///
  /// - Throws: the errors of ``encode(_:metadata:budget:)``; `CodecError.Kind.encodingFailed` if there are no pages.
  public func encode(pages: [Bitmap], metadata: ImageMetadata? = nil) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(encoding: pages.map { $0.pixelSize }, format: type)
    return try encode(pages: pages, metadata: metadata, budget: &budget)
  }

  /// Encodes the pages of a file within a budget, which is charged for the rows of a strip or tile, for a converted
  /// copy of pixels in the order blue, green, red or for Group 4, and for the output; and row by row for work. The
  /// first page has the metadata.
  ///
  /// - Throws: the errors of ``encode(_:metadata:budget:)``; `CodecError.Kind.encodingFailed` if there are no pages.
  public func encode(
    pages: [Bitmap], metadata: ImageMetadata?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let heldByteCount = budget.heldByteCount
    var output = EncodedOutput()
    try encode(pages: pages, metadata: metadata, to: &output, budget: &budget)
    let file = try output.finish()
    budget.settle(heldByteCount: heldByteCount + file.count)
    return file
  }

  /// Encodes the pages of a file and passes it on strip by strip.
  package func encode(
    pages: [Bitmap], metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard !pages.isEmpty else {
      throw CodecError(.encodingFailed, "there is no page to encode", format: TIFFDecoder.type)
    }
    let heldByteCount = budget.heldByteCount - output.chargedByteCount
    var descriptive: DescriptiveFields?
    if let exif = metadata?.exif {
      descriptive = try DescriptiveFields(exif, isBigEndian: options.isBigEndian, &budget)
    }
    // Moved, so that it has one owner and is not copied.
    var file = EncodedOutput()
    swap(&file, &output)
    var writer = try TIFFFileWriter(
      isBigEndian: options.isBigEndian, isBig: options.isBig, output: file, budget: &budget)
    file = EncodedOutput()
    for (index, page) in pages.enumerated() {
      let encoder = try PageEncoder(page, options, &budget)
      var directory = try encoder.encode(to: &writer, &budget)
      if pages.count > 1 { directory.set(writer.longs(.newSubfileType, [2])) }
      if index == 0, var metadata {
        metadata.colorSpace = metadata.colorSpace(for: page.colorSpace)
        metadata.colorSpace.iccProfile = metadata.colorSpace.iccProfile(for: page.format.colorModel)
        directory.add(metadata, descriptive, writer)
      }
      try writer.append(page: directory, budget: &budget)
    }
    output = try writer.finish()
    budget.settle(heldByteCount: heldByteCount + output.chargedByteCount)
  }
}

extension TIFFEncoder: StreamingImageEncoder {
  /// Encodes a bitmap and passes it on strip by strip. The directory follows the strips.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    try encode(pages: [bitmap], metadata: metadata, to: &output, budget: &budget)
  }
}
