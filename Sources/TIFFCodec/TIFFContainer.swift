// The layout of the first page and the number of pages, from the image file directories (TIFF 6.0, section 8).

public import ImageCore
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
  /// Whether the last sample is alpha.
  public let hasAlpha: Bool
  /// Whether pixels are stored in tiles; otherwise in strips.
  public let isTiled: Bool
  /// Whether each sample is stored in a separate plane.
  public let isPlanar: Bool
  /// The orientation to apply to the pixels.
  public let orientation: ImageOrientation
  /// The number of pages; `nil` if they were not counted.
  public let pageCount: Int?
  let header: TIFFHeader
  let directory: TIFFDirectory

  /// Reads the first directory. With `indexesFrames`, follows the links to the others, whose fields are skipped.
  ///
  /// - Throws: ``CodecError/Kind/malformed``; ``CodecError/Kind/truncated`` with the needed byte count;
  ///   ``CodecError/Kind/limitExceeded`` for more pages than ``DecodingLimits/maximumFrameCount``.
  public init(parsing bytes: Span<UInt8>, options: InfoOptions = InfoOptions()) throws(CodecError) {
    var budget = ResourceBudget(options.limits, format: TIFFDecoder.type)
    try self.init(parsing: bytes, indexesPages: options.indexesFrames, budget: &budget)
  }

  init(
    parsing bytes: Span<UInt8>, indexesPages: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) {
    var reader = ByteReader(bytes, format: TIFFDecoder.type)
    let header = try TIFFHeader(parsing: &reader)
    let directory = try TIFFDirectory(
      bytes, at: header.firstDirectoryOffset, header: header, format: TIFFDecoder.type, budget: &budget)
    func integer(_ tag: UInt16) -> Int? { directory[tag]?.integer(in: bytes, header: header) }
    guard let width = integer(256), let height = integer(257), width > 0, height > 0 else {
      throw reader.error(.malformed, "the first directory lacks ImageWidth or ImageLength")
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
    // 1 is associated (premultiplied) alpha, 2 is unassociated (straight) alpha.
    let extra = integer(338)
    hasAlpha = extra == 1 || extra == 2
    bitsPerSample = try Self.bitsPerSample(directory, bytes, header: header)
    if directory.nextOffset == 0 {
      pageCount = 1
    } else {
      pageCount =
        indexesPages ? try Self.countPages(bytes, header: header, next: directory.nextOffset, budget: &budget) : nil
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

  /// The work units for following a link to another page.
  private static let workPerPage = 200

  /// Counts the first directory and those linked from `next` on. A link to a visited or truncated directory ends the
  /// chain.
  private static func countPages(
    _ bytes: Span<UInt8>, header: TIFFHeader, next: UInt64, budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    var visited: Set<UInt64> = [header.firstDirectoryOffset]
    defer { budget.release(visited.count * MemoryLayout<UInt64>.stride * 2) }
    var offset = next
    while offset != 0, !visited.contains(offset),
      let layout = try? TIFFDirectoryLayout(bytes, at: offset, header: header), layout.linkOffset <= bytes.count
    {
      guard visited.count < budget.limits.maximumFrameCount else {
        throw CodecError(
          .limitExceeded, "there are more than \(budget.limits.maximumFrameCount) pages", format: TIFFDecoder.type,
          byteOffset: Int(clamping: offset))
      }
      try budget.chargeWork(workPerPage)
      try budget.allocate(MemoryLayout<UInt64>.stride * 2)
      visited.insert(offset)
      offset = layout.nextOffset(in: bytes)
    }
    return visited.count
  }

  /// The name of the compression; its code if the name is unknown.
  public var compressionName: String {
    switch compression {
    case 1: "uncompressed"
    case 2: "CCITT modified Huffman"
    case 3: "CCITT Group 3"
    case 4: "CCITT Group 4"
    case 5: "LZW"
    case 6: "old-style JPEG"
    case 7: "JPEG"
    case 8, 32946: "Deflate"
    case 32773: "PackBits"
    case 32809: "ThunderScan"
    case 34661: "JBIG"
    case 34676, 34677: "SGI LogLuv"
    case 34712: "JPEG 2000"
    case 34887: "LERC"
    case 34925: "LZMA"
    case 50000: "Zstandard"
    case 50001: "WebP"
    case 50002, 52546: "JPEG XL"
    default: "compression \(compression)"
    }
  }

  private var colorModel: ImageInfo.ColorModel? {
    switch photometricInterpretation {
    case 0, 1: .gray
    case 2: .rgb
    case 3: .palette
    case 5: .cmyk
    case 6: .yCbCr
    default: nil
    }
  }

  /// Returns the properties that are common to all formats.
  func info(_ bytes: Span<UInt8>, budget: inout ResourceBudget) -> ImageInfo {
    var info = ImageInfo(
      type: TIFFDecoder.type, width: size.width, height: size.height, bitDepth: bitsPerSample.first,
      colorModel: colorModel, hasAlpha: hasAlpha, orientation: orientation,
      colorSpace: block(34675, bytes, budget: &budget).map { .icc($0) } ?? .unspecified,
      coding: compressionName)
    info.imageCount = pageCount
    return info
  }

  /// Returns the bytes of a metadata field; `nil` if they are not in the input or exceed a limit.
  private func block(_ tag: UInt16, _ bytes: Span<UInt8>, budget: inout ResourceBudget) -> [UInt8]? {
    guard let values = blockRange(tag, bytes), budget.admitMetadata(values.count) else { return nil }
    return Array(copying: bytes.extracting(values))
  }

  private func blockRange(_ tag: UInt16, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard let field = directory[tag], field.values.count > 4, field.isContained(in: bytes) else { return nil }
    return field.values
  }

  /// Returns the metadata of the first page.
  func metadata(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> ImageMetadata {
    var metadata = ImageMetadata()
    metadata.iccProfile = block(34675, bytes, budget: &budget)
    metadata.xmp = block(700, bytes, budget: &budget)
    metadata.iptc = block(33723, bytes, budget: &budget)
    if metadata.iptc == nil, let resources = blockRange(34377, bytes),
      let records = iptcRecords(inImageResources: bytes.extracting(resources)), budget.admitMetadata(records.count)
    {
      let start = resources.lowerBound + records.lowerBound
      metadata.iptc = Array(copying: bytes.extracting(start..<start + records.count))
    }
    metadata.exif = try exifBlock(ofTIFF: bytes, header: header, directory: directory, budget: &budget)
    metadata.density = density(bytes)
    return metadata
  }

  private func density(_ bytes: Span<UInt8>) -> ImageMetadata.PixelDensity? {
    func quotient(_ tag: UInt16) -> Double? {
      guard let field = directory[tag], field.type == .rational, field.isContained(in: bytes) else { return nil }
      var reader = ByteReader(bytes.extracting(field.values))
      guard let numerator = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian),
        let denominator = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian), denominator > 0
      else { return nil }
      return Double(numerator) / Double(denominator)
    }
    guard let x = quotient(282), let y = quotient(283), x > 0, y > 0 else { return nil }
    switch directory[296]?.integer(in: bytes, header: header) ?? 2 {
    case 1: return .init(x: x, y: y, unit: .aspectRatio)
    case 3: return .init(x: x * 100, y: y * 100, unit: .perMeter)
    default: return .init(x: x, y: y, unit: .perInch)
    }
  }
}
