// The options of commands that encode: what applies to JPEG, PNG or TIFF, and what to all.

internal import ArgumentParser
internal import ImageCodecs

/// How images are encoded.
struct EncodingArguments: ParsableArguments {
  @Option(help: "JPEG: the quality, 1…100. Default: 80.")
  var quality: Int?

  @Option(help: "JPEG: the resolution of chroma.")
  var subsampling: NamedValue<JPEGEncoder.Options.Subsampling>?

  @Flag(help: "JPEG: write a progressive file.")
  var progressive = false

  @Flag(help: "JPEG: optimise the Huffman tables.")
  var optimize = false

  @Option(help: "JPEG: restart markers after this number of MCU rows.")
  var restart: Int?

  @Option(help: "JPEG: lower the quality until the file has at most this number of bytes.")
  var maxBytes: Int?

  @Option(help: "PNG: how much time is spent for a small file.")
  var level: NamedValue<PNGEncoder.Options.Level>?

  @Option(help: "TIFF: the compression. Default: lzw.")
  var compression: TIFFCompression?

  @Option(help: "TIFF: the width and height of tiles, a multiple of 16. Default: strips.")
  var tile: Int?

  @Flag(help: "Write no metadata. The colour profile and the orientation remain.")
  var strip = false

  func validate() throws {
    if let quality, !(1...100).contains(quality) { throw ValidationError("--quality must be 1…100, not \(quality)") }
    if let restart, !(1...65_535).contains(restart) {
      throw ValidationError("--restart must be 1…65535, not \(restart)")
    }
    if let tile, tile < 16 || tile > 65_536 || tile % 16 != 0 {
      throw ValidationError("--tile must be a multiple of 16 up to 65536, not \(tile)")
    }
    if let maxBytes, maxBytes < 1 { throw ValidationError("--max-bytes must be positive, not \(maxBytes)") }
  }

  /// The options that a format has, for error messages about all others; `nil` if every given option applies.
  func optionWithoutMeaning(for format: OutputFormat) -> String? {
    let jpegOptions = [
      ("--quality", quality != nil), ("--subsampling", subsampling != nil), ("--progressive", progressive),
      ("--optimize", optimize), ("--restart", restart != nil), ("--max-bytes", maxBytes != nil),
    ]
    if format != .jpeg, let option = jpegOptions.first(where: \.1) { return "\(option.0) applies to JPEG only" }
    let tiffOptions = [("--compression", compression != nil), ("--tile", tile != nil)]
    if format != .tiff, let option = tiffOptions.first(where: \.1) { return "\(option.0) applies to TIFF only" }
    if format != .png, level != nil { return "--level applies to PNG only" }
    return nil
  }

  /// The settings of all formats.
  ///
  /// - Parameter background: the colour onto which JPEG flattens transparency.
  func settings(background: RGBA8?) -> EncodingSettings {
    var settings = EncodingSettings()
    settings.jpeg.quality = quality ?? settings.jpeg.quality
    settings.jpeg.subsampling = subsampling?.value ?? settings.jpeg.subsampling
    settings.jpeg.isProgressive = progressive
    settings.jpeg.optimizesHuffmanTables = optimize
    settings.jpeg.restartInterval = restart.map { .rows($0) } ?? .none
    settings.jpeg.maximumByteCount = maxBytes
    settings.jpeg.background = background ?? settings.jpeg.background
    settings.png = PNGEncoder.Options(level: level?.value ?? .default)
    settings.tiff.compression = compression?.value ?? settings.tiff.compression
    settings.tiff.tileSize = tile.map { PixelSize(width: $0, height: $0) }
    settings.isStripped = strip
    return settings
  }
}

/// The compressions of the TIFF encoder, by name.
enum TIFFCompression: String, CaseIterable, ExpressibleByArgument {
  case none, packbits, lzw, deflate, g4

  /// The option of the encoder.
  var value: TIFFEncoder.Options.Compression {
    switch self {
    case .none: .none
    case .packbits: .packBits
    case .lzw: .lzw
    case .deflate: .deflate(level: 6)
    case .g4: .group4
    }
  }
}

/// A value of an enumeration of the library, named by its raw value.
struct NamedValue<Value: RawRepresentable<String> & CaseIterable>: ExpressibleByArgument {
  let value: Value

  init?(argument: String) {
    guard let value = Value(rawValue: argument) else { return nil }
    self.value = value
  }

  static var allValueStrings: [String] { Value.allCases.map(\.rawValue) }
}
