// `imagecodec transform`: lossless rotation, cropping and recoding of a JPEG on its coefficients, and its reconstruction
// from JPEG XL.

internal import ArgumentParser
internal import ImageCodecs

/// Transforms a JPEG file.
struct Transform: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Rotate, mirror, crop or recode a JPEG without loss.",
    discussion: """
      Coefficients are moved, not decoded. Edges that end within an MCU (8 or 16 pixels) cannot be mirrored: they \
      remain in place unless --trim or --perfect is given. The files equal those of jpegtran with the same settings.

      Of a JPEG XL file that was made from a JPEG file, that file is written as it was, or transformed.
      """)

  @Argument(help: "The JPEG file, or a JPEG XL file that was made from one; - means standard input.")
  var input: String

  @Argument(help: "The file to write; - means standard output.")
  var output: String

  @Option(help: "Rotate clockwise by 90, 180 or 270 degrees.")
  var rotate: Int?

  @Option(help: "Mirror: horizontal swaps left and right, vertical swaps top and bottom.")
  var flip: Axis?

  @Flag(help: "Mirror across the main diagonal (top left to bottom right).")
  var transpose = false

  @Flag(help: "Mirror across the other diagonal.")
  var transverse = false

  @Flag(help: "Apply the EXIF orientation to the image and reset it.")
  var autoOrient = false

  @Option(
    help: ArgumentHelp(
      "Crop to a region; its left and top edges move outwards to MCU boundaries.", valueName: "WxH+X+Y"))
  var crop: CropArgument?

  @Flag(help: "Crop edges that cannot be mirrored.")
  var trim = false

  @Flag(help: "Fail if there are edges that cannot be mirrored.")
  var perfect = false

  @Flag(help: "Write a progressive file.")
  var progressive = false

  @Flag(help: "Optimise the Huffman tables.")
  var optimize = false

  @Option(help: "Write restart markers at intervals of this number of MCU rows.")
  var restart: Int?

  @Flag(help: "Do not copy application segments and comments.")
  var strip = false

  @OptionGroup var limits: LimitArguments

  /// The direction of mirroring.
  enum Axis: String, ExpressibleByArgument, CaseIterable {
    case horizontal, vertical
  }

  func validate() throws {
    let operations = [rotate != nil, flip != nil, transpose, transverse, autoOrient].filter { $0 }
    guard operations.count <= 1 else {
      throw ValidationError("--rotate, --flip, --transpose, --transverse and --auto-orient are mutually exclusive")
    }
    guard rotate.map({ [90, 180, 270].contains($0) }) ?? true else {
      throw ValidationError("--rotate must be 90, 180 or 270")
    }
    guard !(trim && perfect) else { throw ValidationError("--trim and --perfect are mutually exclusive") }
  }

  func run() throws {
    let options = JPEGTransformer.Options(
      operation: operation, appliesOrientation: autoOrient, edges: perfect ? .reject : trim ? .trim : .keep,
      crop: crop?.region, markers: strip ? .none : .all, isProgressive: progressive, optimizesHuffmanTables: optimize,
      restartInterval: restart.map { .rows($0) } ?? .none)
    let file = try StandardStreams.read(input, limits: limits.value)
    let result = try naming(input) {
      guard AssetType(file) == .jxl else { return try transformed(file, options) }
      let original = try ImageFile(file, options: DecodingOptions(limits: limits.value)).reconstructedJPEG()
      return changesFile ? try transformed(original, options) : original
    }
    try StandardStreams.write(result, to: output)
  }

  private func transformed(_ file: [UInt8], _ options: JPEGTransformer.Options) throws -> [UInt8] {
    try JPEGTransformer(options: options).transform(file.span, limits: limits.value)
  }

  /// Whether any option asks for another file than the one that was recompressed.
  private var changesFile: Bool {
    operation != .none || autoOrient || crop != nil || strip || progressive || optimize || restart != nil
  }

  private var operation: JPEGTransformer.Operation {
    if transpose { return .transpose }
    if transverse { return .transverse }
    if let flip { return flip == .horizontal ? .flipHorizontal : .flipVertical }
    switch rotate {
    case 90: return .rotate90
    case 180: return .rotate180
    case 270: return .rotate270
    default: return .none
    }
  }
}

/// A region of an image as `WxH+X+Y`; `+X+Y` may be omitted.
struct CropArgument: ExpressibleByArgument {
  let region: PixelRegion

  init?(argument: String) {
    let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 3, size.count == 2, let width = Int(size[0]), let height = Int(size[1]),
      let x = Int(parts.count == 3 ? parts[1] : "0"), let y = Int(parts.count == 3 ? parts[2] : "0")
    else { return nil }
    region = PixelRegion(x: x, y: y, width: width, height: height)
  }
}
