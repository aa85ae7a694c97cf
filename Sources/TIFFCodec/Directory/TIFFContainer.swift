// The layout of the first page and the number of pages, from the image file directories (TIFF 6.0, section 8).

public import ImageCoding
internal import MetadataFormats

/// The properties that the directories of a TIFF file state.
public struct TIFFContainer: Sendable {
  /// Whether integers are big-endian.
  public let isBigEndian: Bool
  /// Whether the file is a BigTIFF, with offsets of eight bytes.
  public let isBig: Bool
  /// The stored size of the first page in pixels.
  public let size: PixelSize
  /// The bits of each sample of a pixel.
  public let bitsPerSample: [Int]
  /// The code of the compression, such as 5 for LZW.
  public let compression: Int
  /// The code of the photometric interpretation, such as 2 for RGB; `nil` if not stated.
  public let photometricInterpretation: Int?
  /// The number of samples per pixel.
  public let samplesPerPixel: Int
  /// Whether one of the samples is alpha.
  public let hasAlpha: Bool
  /// Whether pixels are stored in tiles; otherwise in strips.
  public let isTiled: Bool
  /// Whether each sample is stored in a separate plane.
  public let isPlanar: Bool
  /// The orientation to apply to the pixels.
  public let orientation: ImageOrientation
  /// The number of pages; `nil` if they were not counted.
  public internal(set) var pageCount: Int?
  let header: TIFFHeader
  let directory: TIFFDirectory

  /// Reads the first directory. With `indexesFrames`, follows the links to the others, whose fields are skipped.
  ///
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` with the needed byte count;
  ///   `CodecError.Kind.limitExceeded` for more pages than `DecodingLimits.maximumFrameCount`.
  public init(parsing bytes: Span<UInt8>, options: InfoOptions = InfoOptions()) throws(CodecError) {
    var budget = ResourceBudget(options.limits, format: TIFFDecoder.type)
    try self.init(parsing: bytes, indexesPages: options.indexesFrames, budget: &budget)
  }

  init(
    parsing bytes: Span<UInt8>, indexesPages: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) {
    var reader = ByteReader(bytes, format: TIFFDecoder.type)
    let header = try TIFFHeader(parsing: &reader)
    try self.init(bytes, at: header.firstDirectoryOffset, header: header, budget: &budget)
    if directory.nextOffset != 0 {
      pageCount = indexesPages ? try PageChain.count(bytes, header: header, first: directory, budget: &budget) : nil
    }
  }

  /// Reads the directory of the image that the options select.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there is no such image.
  init(
    selecting options: DecodingOptions, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) {
    try self.init(parsing: bytes, budget: &budget)
    guard let index = options.imageIndex else { return }
    let offset = try PageChain.offset(ofPage: index, bytes, header: header, budget: &budget)
    let pageCount = pageCount
    self = try TIFFContainer(bytes, at: offset, header: header, budget: &budget)
    self.pageCount = pageCount
  }

  /// Reads the directory at an offset. The number of pages is not determined.
  init(
    _ bytes: Span<UInt8>, at offset: UInt64, header: TIFFHeader, budget: inout ResourceBudget
  ) throws(CodecError) {
    let directory = try TIFFDirectory(
      bytes, at: offset, header: header, format: TIFFDecoder.type, budget: &budget)
    func integer(_ tag: UInt16) -> Int? { directory[tag]?.integer(in: bytes, header: header) }
    guard let width = integer(256), let height = integer(257), width > 0, height > 0 else {
      throw CodecError(
        .malformed, "a directory lacks ImageWidth or ImageLength", format: TIFFDecoder.type,
        byteOffset: Int(clamping: offset))
    }
    self.header = header
    self.directory = directory
    isBigEndian = header.isBigEndian
    isBig = header.isBig
    size = PixelSize(width: width, height: height)
    samplesPerPixel = max(1, integer(277) ?? 1)
    compression = integer(259) ?? 1
    photometricInterpretation = integer(262)
    isTiled = directory[322] != nil
    isPlanar = integer(284) == 2
    orientation = integer(274).flatMap { UInt8(exactly: $0) }.flatMap(ImageOrientation.init(rawValue:)) ?? .up
    // A fourth sample of RGB that is not described is alpha.
    hasAlpha =
      directory[Tag.extraSamples.rawValue] == nil
      ? photometricInterpretation == 2 && samplesPerPixel == 4
      : Self.hasAlpha(directory, bytes, header: header)
    bitsPerSample = try Self.bitsPerSample(directory, bytes, header: header)
    pageCount = 1
  }

  /// Whether an extra sample is associated alpha (1) or unassociated alpha (2).
  private static func hasAlpha(_ directory: TIFFDirectory, _ bytes: Span<UInt8>, header: TIFFHeader) -> Bool {
    guard let field = directory[Tag.extraSamples.rawValue] else { return false }
    return (0..<min(field.count, 64)).contains {
      let kind = field.integer(at: $0, in: bytes, header: header)
      return kind == 1 || kind == 2
    }
  }

  /// One value per sample. A single value applies to all samples.
  private static func bitsPerSample(
    _ directory: TIFFDirectory, _ bytes: Span<UInt8>, header: TIFFHeader
  ) throws(CodecError) -> [Int] {
    guard let field = directory[258], field.count > 0 else { return [1] }
    guard field.isContained(in: bytes) else {
      throw CodecError(
        .truncated, "the values of BitsPerSample are outside of the file", format: TIFFDecoder.type,
        byteOffset: bytes.count,
        neededByteCount: field.values.upperBound)
    }
    return (0..<min(field.count, 64)).compactMap { field.integer(at: $0, in: bytes, header: header) }
  }
}
