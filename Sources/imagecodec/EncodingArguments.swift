// The options of commands that encode: what applies to JPEG, PNG, WebP or TIFF, and what to all.

internal import ArgumentParser
internal import ImageCodecs

/// The options of encoding.
struct EncodingArguments: ParsableArguments {
  @Option(help: "JPEG: the quality, 1…100. Default: 80. WebP: 0…100. Default: 75.")
  var quality: Int?

  @Option(help: "JPEG: the resolution of chroma.")
  var subsampling: NamedValue<JPEGEncoder.Options.Subsampling>?

  @Flag(help: "JPEG: write a progressive file.")
  var progressive = false

  @Flag(help: "JPEG: optimise the Huffman tables.")
  var optimize = false

  @Option(help: "JPEG: restart markers after this number of MCU rows.")
  var restart: Int?

  @Option(help: "JPEG, WebP: lower the quality until the file has at most this number of bytes.")
  var maxBytes: Int?

  @Option(help: "PNG: how much time is spent for a small file.")
  var level: NamedValue<PNGEncoder.Options.Level>?

  @Flag(help: "WebP: code pixels without loss.")
  var lossless = false

  @Flag(help: "WebP: take the smaller one of both codings for each picture.")
  var mixed = false

  @Option(help: "WebP: the time spent for a small file, 0…9. Default: 6.")
  var effort: Int?

  @Option(help: "WebP: round busy parts of a lossless image, 0 (much) … 100 (not at all, the default).")
  var nearLossless: Int?

  @Option(help: "WebP: the quality of alpha in lossy images, 0…100. Default: 100.")
  var alphaQuality: Int?

  @Flag(help: "WebP: keep the colours of fully transparent pixels.")
  var exact = false

  @Flag(help: "WebP: keep the luminance of colours at sharp edges.")
  var sharpYuv = false

  @Option(help: "WebP: the strength of the loop filter, 0…100. Default: 60.")
  var filterStrength: Int?

  @Option(help: "WebP: how much the loop filter spares edges, 0…7. Default: 0.")
  var filterSharpness: Int?

  @Option(help: "WebP: the number of segments with separate quantizers, 1…4. Default: 4.")
  var segments: Int?

  @Option(help: "WebP: how much quantizers follow the texture, 0…100. Default: 50.")
  var noiseShaping: Int?

  @Option(help: "WebP: the number of coefficient partitions: 1, 2, 4 or 8. Default: 1.")
  var partitions: Int?

  @Option(help: "WebP: the greatest number of frames from one complete frame of an animation to the next.")
  var keyFrameInterval: Int?

  @Option(help: "TIFF: the compression. Default: lzw.")
  var compression: TIFFCompression?

  @Option(help: "TIFF: the width and height of tiles, a multiple of 16. Default: strips.")
  var tile: Int?

  @Flag(help: "Write no metadata. The colour profile and the orientation remain.")
  var strip = false

  func validate() throws {
    if let quality, !(0...100).contains(quality) {
      throw ValidationError("--quality must be 1…100 for JPEG, or 0…100 for WebP, not \(quality)")
    }
    try check(effort, "--effort", 0...9)
    try check(nearLossless, "--near-lossless", 0...100)
    try check(alphaQuality, "--alpha-quality", 0...100)
    try check(filterStrength, "--filter-strength", 0...100)
    try check(filterSharpness, "--filter-sharpness", 0...7)
    try check(segments, "--segments", 1...4)
    try check(noiseShaping, "--noise-shaping", 0...100)
    if let partitions, ![1, 2, 4, 8].contains(partitions) {
      throw ValidationError("--partitions must be 1, 2, 4 or 8, not \(partitions)")
    }
    if let keyFrameInterval, keyFrameInterval < 1 {
      throw ValidationError("--key-frame-interval must be positive, not \(keyFrameInterval)")
    }
    if lossless, mixed { throw ValidationError("--lossless and --mixed exclude each other") }
    if let restart, !(1...65_535).contains(restart) {
      throw ValidationError("--restart must be 1…65535, not \(restart)")
    }
    if let tile, tile < 16 || tile > 65_536 || tile % 16 != 0 {
      throw ValidationError("--tile must be a multiple of 16 up to 65536, not \(tile)")
    }
    if let maxBytes, maxBytes < 1 { throw ValidationError("--max-bytes must be positive, not \(maxBytes)") }
  }

  private func check(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError("\(name) must be \(range.lowerBound)…\(range.upperBound), not \(value)")
  }

  /// Returns the format to write, which is stated or that of a file's extension.
  ///
  /// - Throws: ``ToolFailure`` if there is none, or if an option that is given does not apply to it.
  func format(_ stated: OutputFormat?, for file: String) throws -> OutputFormat {
    let format = try OutputFormat(stated, for: file)
    if let problem = optionWithoutMeaning(for: format) { throw ToolFailure(file: file, usage: problem) }
    return format
  }

  /// Returns what is wrong with an option that does not apply to a format; `nil` if every given option applies.
  ///
  /// - Parameter format: `nil` if planes are written, to which no option applies.
  func optionWithoutMeaning(for format: OutputFormat?) -> String? {
    let lossyOptions = [("--quality", quality != nil), ("--max-bytes", maxBytes != nil)]
    if format != .jpeg, format != .webP, let option = lossyOptions.first(where: \.1) {
      return "\(option.0) applies to JPEG and WebP only"
    }
    if format == .jpeg, quality == 0 { return "--quality must be 1…100 for JPEG, not 0" }
    let jpegOptions = [
      ("--subsampling", subsampling != nil), ("--progressive", progressive), ("--optimize", optimize),
      ("--restart", restart != nil),
    ]
    if format != .jpeg, let option = jpegOptions.first(where: \.1) { return "\(option.0) applies to JPEG only" }
    let webPOptions = [
      ("--lossless", lossless), ("--mixed", mixed), ("--effort", effort != nil),
      ("--near-lossless", nearLossless != nil), ("--alpha-quality", alphaQuality != nil), ("--exact", exact),
      ("--sharp-yuv", sharpYuv), ("--filter-strength", filterStrength != nil),
      ("--filter-sharpness", filterSharpness != nil), ("--segments", segments != nil),
      ("--noise-shaping", noiseShaping != nil), ("--partitions", partitions != nil),
      ("--key-frame-interval", keyFrameInterval != nil),
    ]
    if format != .webP, let option = webPOptions.first(where: \.1) { return "\(option.0) applies to WebP only" }
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
    settings.webP = webPOptions
    settings.isStripped = strip
    return settings
  }

  private var webPOptions: WebPEncoder.Options {
    var options = WebPEncoder.Options()
    options.coding = lossless ? .lossless : mixed ? .mixed : .lossy
    options.quality = quality ?? options.quality
    options.effort = effort ?? options.effort
    options.nearLossless = nearLossless ?? options.nearLossless
    options.alphaQuality = alphaQuality ?? options.alphaQuality
    options.keepsInvisibleColors = exact
    options.usesSharpChroma = sharpYuv
    options.filterStrength = filterStrength ?? options.filterStrength
    options.filterSharpness = filterSharpness ?? options.filterSharpness
    options.segmentCount = segments ?? options.segmentCount
    options.noiseShaping = noiseShaping ?? options.noiseShaping
    options.partitionCount = partitions ?? options.partitionCount
    options.maximumByteCount = maxBytes
    options.keyFrameInterval = keyFrameInterval
    return options
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
