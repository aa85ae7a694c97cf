// The layout of an image's pixels: the tags of a directory, validated.

internal import ImageCoding
internal import MetadataFormats

/// Everything needed to decode the blocks of an image. Valid by construction.
struct ImageLayout {
  /// The filter that was applied to rows before compression.
  enum Predictor: Int {
    case none = 1
    case horizontal = 2
    case floatingPoint = 3
  }

  let size: PixelSize
  let isBigEndian: Bool
  let compression: Compression
  /// Whether rows of CCITT modified Huffman are aligned to words of 16 bits instead of bytes.
  let alignsRowsToWords: Bool
  /// T4Options or T6Options.
  let faxOptions: Int
  /// Whether the bits of each byte are stored in reverse.
  let reversesBits: Bool
  let photometric: Photometric
  let sampleFormat: StoredSampleFormat
  /// The bits of each sample of a pixel; one value if all are equal.
  let bitsPerSample: [Int]
  let samplesPerPixel: Int
  let isPlanar: Bool
  let grid: BlockGrid
  let predictor: Predictor
  /// The index of the alpha sample, if there is one.
  let alphaSample: Int?
  /// Whether colour is multiplied by alpha.
  let isPremultiplied: Bool
  /// The horizontal and vertical subsampling of chroma in data that is not JPEG.
  let subsampling: (horizontal: Int, vertical: Int)
  let orientation: ImageOrientation
  /// The position of the tables shared by all JPEG streams.
  let jpegTables: Range<Int>?
  /// The fields that hold the position and the length of each block.
  let offsets: TIFFField
  let byteCounts: TIFFField?
  let header: TIFFHeader

  /// The bits of a sample if all samples have equally many.
  var uniformBits: Int? { bitsPerSample.count == 1 ? bitsPerSample[0] : nil }
  /// The largest number of bits of a sample.
  var maximumBits: Int { bitsPerSample.max() ?? 8 }
  /// The number of samples of a pixel that are adjacent in a block.
  var samplesPerBlockPixel: Int { isPlanar ? 1 : samplesPerPixel }
  /// The samples of a pixel that are decoded: its colours and alpha.
  var neededSamples: [Int] {
    Array(0..<photometric.colorSampleCount) + (alphaSample.map { [$0] } ?? [])
  }
  /// The coding of a pixel of logarithms; `nil` if samples are not logarithms.
  var logarithmicCoding: LogLuvRow.Coding? {
    switch photometric {
    case .logLuminance: .luminance16
    case .logLuv: compression == .sgiLog24 ? .luv24 : .luv32
    default: nil
    }
  }
  /// Whether chroma has fewer samples than luma.
  var isSubsampled: Bool { subsampling.horizontal > 1 || subsampling.vertical > 1 }

  /// Validates the directory of an image.
  ///
  /// - Throws: `CodecError.Kind.unsupported`, naming the feature, or `CodecError.Kind.malformed`.
  init(_ container: TIFFContainer, _ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) {
    let values = DirectoryValues(container.directory, in: bytes, header: container.header)
    func failure(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
      CodecError(kind, reason, format: TIFFDecoder.type)
    }
    size = container.size
    header = container.header
    isBigEndian = container.isBigEndian
    guard let compression = Compression(code: container.compression) else {
      throw failure(.unsupported, "TIFF images are identified but not decoded (\(container.compressionName))")
    }
    self.compression = compression
    alignsRowsToWords = container.compression == 32771
    faxOptions = values.integer(compression == .group4 ? .group4Options : .group3Options) ?? 0
    reversesBits = values.integer(.fillOrder) == 2 && !compression.isEmbeddedImage
    samplesPerPixel = container.samplesPerPixel
    isPlanar = container.isPlanar && samplesPerPixel > 1
    orientation = container.orientation

    let extraSamples = values.integers(.extraSamples, maximumCount: 64)
    photometric = try Self.photometric(
      container, compression, extraSampleCount: extraSamples.count, hasInks: values.integer(.inkSet) != nil)
    let colorCount = photometric.colorSampleCount
    guard samplesPerPixel >= colorCount else {
      throw failure(.malformed, "there are \(samplesPerPixel) samples per pixel for \(colorCount) colours")
    }
    let alpha = Self.alpha(extraSamples, samplesPerPixel: samplesPerPixel, photometric)
    alphaSample = alpha?.index
    isPremultiplied = alpha?.isPremultiplied ?? false

    (bitsPerSample, sampleFormat) = try Self.samples(container, values, photometric, compression, &context)
    if photometric == .cmyk, values.integer(.inkSet) == 2 {
      throw failure(.unsupported, "inks other than cyan, magenta, yellow and black are not supported")
    }
    let factors = values.integers(.yCbCrSubsampling, maximumCount: 2)
    if photometric == .yCbCr, !compression.isEmbeddedImage {
      subsampling = factors.count == 2 ? (factors[0], factors[1]) : (2, 2)
      guard [1, 2, 4].contains(subsampling.horizontal), [1, 2, 4].contains(subsampling.vertical) else {
        throw failure(.malformed, "a subsampling factor of chroma is not 1, 2 or 4")
      }
    } else {
      subsampling = (1, 1)
    }
    if subsampling != (1, 1), isPlanar || samplesPerPixel != 3 {
      throw failure(.unsupported, "subsampled chroma in separate planes or with further samples is not supported")
    }

    predictor = try Self.predictor(values, compression, bitsPerSample, sampleFormat, &context)
    if predictor != .none, isSubsampledPair(subsampling) {
      throw failure(.unsupported, "a predictor with subsampled chroma is not supported")
    }
    grid = try Self.grid(container, values, subsampling.vertical)
    jpegTables = compression == .jpeg ? values.range(.jpegTables) : nil
    (offsets, byteCounts) = try Self.blockFields(container)
  }

  /// The coded bytes of a block: `nil` if its offset is not in the file.
  ///
  /// - Parameters:
  ///   - expectedByteCount: the length of a block that is not compressed, in files that omit it.
  ///   - end: returns where a compressed block ends in such a file, at the latest.
  func codedRange(
    ofBlock index: Int, in bytes: Span<UInt8>, expectedByteCount: Int,
    end: (_ offset: Int) throws(CodecError) -> Int?
  ) throws(CodecError) -> Range<Int>? {
    guard let offset = offsets.integer(at: index, in: bytes, header: header), offset >= 0, offset < bytes.count else {
      return nil
    }
    let stated = byteCounts?.integer(at: index, in: bytes, header: header) ?? 0
    let available = bytes.count - offset
    if stated > 0 { return offset..<offset + min(stated, available) }
    if compression == .stored { return offset..<offset + min(available, expectedByteCount) }
    return offset..<min(bytes.count, try end(offset) ?? .max)
  }
}

private func isSubsampledPair(_ factors: (horizontal: Int, vertical: Int)) -> Bool {
  factors.horizontal > 1 || factors.vertical > 1
}
