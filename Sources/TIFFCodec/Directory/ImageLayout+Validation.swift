// The rules by which single tags become parts of an image's layout.

internal import ImageCoding
internal import MetadataFormats

extension ImageLayout {
  private static func failure(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
    CodecError(kind, reason, format: TIFFDecoder.type)
  }

  /// Determines the colour model. If it is not stated, it is inferred from the number of samples, as in TwelveMonkeys.
  static func photometric(
    _ container: TIFFContainer, _ compression: Compression, extraSampleCount: Int, hasInks: Bool
  ) throws(CodecError) -> Photometric {
    if let code = container.photometricInterpretation {
      guard let photometric = Photometric(code: code) else {
        throw failure(.unsupported, "photometric interpretation \(code) is not supported")
      }
      return photometric
    }
    switch container.samplesPerPixel - min(extraSampleCount, container.samplesPerPixel - 1) {
    case 1: return compression.isFax ? .whiteIsZero : .blackIsZero
    case 2: return .blackIsZero
    case 3: return .rgb
    case 4: return hasInks ? .cmyk : .rgb
    default: throw failure(.malformed, "the photometric interpretation is missing")
    }
  }

  /// Finds the alpha sample among the extra samples. A fourth sample of RGB that is not described is taken as
  /// associated alpha, as in libtiff.
  static func alpha(
    _ extraSamples: [Int], samplesPerPixel: Int, _ photometric: Photometric
  ) -> (index: Int, isPremultiplied: Bool)? {
    let colorCount = photometric.colorSampleCount
    let extraCount = samplesPerPixel - colorCount
    guard extraCount > 0 else { return nil }
    for (index, kind) in extraSamples.prefix(extraCount).enumerated() where kind == 1 || kind == 2 {
      return (colorCount + index, kind == 1)
    }
    if extraSamples.isEmpty, photometric == .rgb, extraCount == 1 { return (colorCount, true) }
    return nil
  }

  /// The largest number of samples of which some may lack a depth.
  private static let maximumUndescribedSampleCount = 8

  /// Determines the depth and the numeric type of samples.
  static func samples(
    _ container: TIFFContainer, _ values: borrowing DirectoryValues, _ photometric: Photometric,
    _ compression: Compression, _ context: inout DecodingContext
  ) throws(CodecError) -> ([Int], StoredSampleFormat) {
    var bits = container.bitsPerSample
    if bits.isEmpty { bits = [1] }
    let count = container.samplesPerPixel
    if bits.count != 1, bits.count < min(count, 64) {
      guard count <= maximumUndescribedSampleCount else {
        throw failure(.malformed, "BitsPerSample has \(bits.count) values for \(count) samples")
      }
      try context.tolerate(
        failure(.malformed, "BitsPerSample has \(bits.count) values for \(count) samples"), as: .warning)
    }
    try checkLogarithms(container, photometric, compression)
    if photometric.isLogarithmic { return ([32], .floatingPoint) }
    bits = Array(bits.prefix(count))
    if Set(bits).count == 1 || bits.count < min(count, 64) { bits = [bits[0]] }
    guard bits.allSatisfy({ (1...64).contains($0) }) else {
      throw failure(.unsupported, "samples of \(bits.max() ?? 0) bits are not supported")
    }
    guard bits.count == 1 || (count <= 64 && !container.isPlanar && bits.allSatisfy { $0 <= 16 }) else {
      throw failure(.unsupported, "samples of different depths are not supported in this layout")
    }
    let formats = Set(values.integers(.sampleFormat, maximumCount: min(count, 64)))
    let format: StoredSampleFormat
    switch formats.count {
    case 0: format = .integer
    case 1 where formats.contains(3): format = .floatingPoint
    case _ where formats.isDisjoint(with: [3, 5, 6]): format = .integer
    default: throw failure(.unsupported, "samples of complex or different types are not supported")
    }
    if format == .floatingPoint, bits.count > 1 || ![16, 24, 32, 64].contains(bits[0]) {
      throw failure(.unsupported, "floating-point samples of \(bits[0]) bits are not supported")
    }
    try checkDepth(bits, format, photometric, compression)
    let blockSampleCount = container.isPlanar ? 1 : count
    if compression.isEmbeddedImage, ![1, 3, 4].contains(blockSampleCount) {
      throw failure(.unsupported, "embedded images with \(blockSampleCount) samples are not supported")
    }
    return (bits, format)
  }

  /// Checks that logarithms have the compression made for them, and that it has them.
  private static func checkLogarithms(
    _ container: TIFFContainer, _ photometric: Photometric, _ compression: Compression
  ) throws(CodecError) {
    let isCoding = compression == .sgiLog || compression == .sgiLog24
    guard isCoding || photometric.isLogarithmic else { return }
    guard compression == .sgiLog ? photometric.isLogarithmic : compression == .sgiLog24 && photometric == .logLuv,
      container.samplesPerPixel == photometric.colorSampleCount, !container.isPlanar || photometric == .logLuminance
    else {
      throw failure(
        .unsupported,
        "SGI LogLuv with \(container.compressionName) and \(container.samplesPerPixel) samples is not supported")
    }
  }

  private static func checkDepth(
    _ bits: [Int], _ format: StoredSampleFormat, _ photometric: Photometric, _ compression: Compression
  ) throws(CodecError) {
    if compression.isFax, bits != [1] {
      throw failure(.malformed, "CCITT compression of samples of \(bits[0]) bits")
    }
    let hasDepth = bits == [8] || (compression.embedsDeepSamples && bits == [16])
    if compression.isEmbeddedImage, !hasDepth || format != .integer {
      throw failure(.unsupported, "embedded images with samples of \(bits[0]) bits are not supported")
    }
    let isValid =
      switch photometric {
      case .palette: bits[0] <= 16 && format == .integer
      case .yCbCr: bits == [8] && format == .integer
      case .cieLab, .iccLab: (bits == [8] || bits == [16]) && format == .integer
      default: true
      }
    guard isValid else {
      throw failure(.unsupported, "samples of \(bits[0]) bits are not supported in this colour model")
    }
  }

  static func predictor(
    _ values: borrowing DirectoryValues, _ compression: Compression, _ bits: [Int], _ format: StoredSampleFormat,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Predictor {
    guard compression.usesPredictor, let code = values.integer(.predictor) else { return .none }
    guard let predictor = Predictor(rawValue: code) else {
      throw failure(.malformed, "predictor \(code) does not exist")
    }
    switch predictor {
    case .none: break
    case .horizontal:
      guard bits.count == 1, bits[0] <= 16 || bits[0] % 8 == 0 else {
        throw failure(.unsupported, "differences of samples of \(bits[0]) bits are not supported")
      }
    case .floatingPoint:
      guard format == .floatingPoint else {
        throw failure(.malformed, "the floating-point predictor is applied to integers")
      }
    }
    return predictor
  }

  /// The largest width of a tile, apart from images that are wider themselves.
  private static let maximumTileWidth = 65_536

  static func grid(
    _ container: TIFFContainer, _ values: borrowing DirectoryValues, _ verticalSubsampling: Int
  ) throws(CodecError) -> BlockGrid {
    let size = container.size
    let grid: BlockGrid
    if container.isTiled {
      guard let width = values.integer(.tileWidth), let height = values.integer(.tileLength), width > 0, height > 0
      else { throw failure(.malformed, "TileWidth or TileLength is missing or 0") }
      guard width <= max(maximumTileWidth, size.width), height <= 1 << 30 else {
        throw failure(.limitExceeded, "tiles of \(width) × \(height) pixels exceed the limit")
      }
      grid = BlockGrid(imageSize: size, blockWidth: width, blockHeight: height, isTiled: true)
    } else {
      let stated = values.integer(.rowsPerStrip) ?? size.height
      let height = stated <= 0 ? size.height : min(stated, size.height)
      grid = BlockGrid(imageSize: size, blockWidth: size.width, blockHeight: height, isTiled: false)
    }
    guard grid.blockCount != nil,
      verticalSubsampling == 1 || grid.rowCount == 1 || grid.blockHeight % verticalSubsampling == 0
    else { throw failure(.malformed, "the height of a strip is no multiple of the subsampling factor") }
    return grid
  }

  /// Finds the fields with the positions of the blocks. Some writers use the tags of strips for tiles.
  static func blockFields(_ container: TIFFContainer) throws(CodecError) -> (TIFFField, TIFFField?) {
    let directory = container.directory
    let pairs: [(Tag, Tag)] = [(.tileOffsets, .tileByteCounts), (.stripOffsets, .stripByteCounts)]
    for (offsets, counts) in container.isTiled ? pairs : pairs.reversed() {
      if let field = directory[offsets.rawValue] { return (field, directory[counts.rawValue]) }
    }
    throw failure(.malformed, "the positions of the strips or tiles are missing")
  }
}
