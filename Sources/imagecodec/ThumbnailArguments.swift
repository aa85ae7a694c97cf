// The options that describe a thumbnail.

internal import ArgumentParser
internal import ImageCodecs

/// The options of a thumbnail: its size, fit, colours and format.
struct ThumbnailArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The size to fit: 320x240, or 320x and x240 for one side.", valueName: "size"))
  var size: SizeArgument

  @Option(
    help: """
      How the image fills the size: inside and outside keep all of it, cover crops, padded adds a background, exact \
      stretches.
      """)
  var fit = FitArgument.inside

  @Option(help: "The part that cover keeps, or the place of the image if it is padded.")
  var gravity: NamedValue<Thumbnail.Gravity>?

  @Flag(help: "Enlarge images that are smaller than the size.")
  var enlarge = false

  @Option(help: "The filter; Pillow's names are understood too.")
  var filter = FilterArgument(filter: .lanczos3)

  @Option(help: "How colour is averaged: as stored, or as linear light.")
  var light: NamedValue<ResamplingLight>?

  @Option(help: "The colour space: sRGB with 8 bits per sample, or that of the source.")
  var color: NamedValue<Thumbnail.Color>?

  @Option(help: "The colour behind transparent pixels: a CSS colour or RRGGBB. Without it they stay transparent.")
  var background: ColorArgument?

  @Option(help: "How much edges are sharpened, 0…4.")
  var sharpen = 0.0

  @Option(help: "The frames of an animation to keep in GIF, PNG and WebP.")
  var frames: NamedValue<Thumbnail.Frames>?

  @Flag(help: "Keep the gain map of the image in JPEG, resized along with it.")
  var keepGainMap = false

  func validate() throws {
    if gravity != nil, fit != .cover, fit != .padded {
      throw ValidationError("--gravity applies to --fit cover and --fit padded only")
    }
    guard (0...4).contains(sharpen) else { throw ValidationError("--sharpen must be between 0 and 4") }
  }

  /// The request.
  var request: Thumbnail {
    Thumbnail(
      width: size.width, height: size.height, fit: fit.value(gravity: gravity?.value ?? .center), enlarges: enlarge,
      filter: filter.filter, light: light?.value ?? .encoded, color: color?.value ?? .sRGB,
      background: background?.color, sharpening: sharpen, frames: frames?.value ?? .first,
      keepsGainMap: keepGainMap)
  }
}

/// A size of which one side may be missing.
struct SizeArgument: ExpressibleByArgument {
  let width: Int?
  let height: Int?

  init?(argument: String) {
    let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, !sides.allSatisfy(\.isEmpty) else { return nil }
    let numbers = sides.map { $0.isEmpty ? nil : Int($0) }
    for (side, number) in zip(sides, numbers) where !side.isEmpty {
      guard let number, (1...PixelArgument.maximum).contains(number) else { return nil }
    }
    (width, height) = (numbers[0], numbers[1])
  }
}

/// A way to fill a size.
enum FitArgument: String, CaseIterable, ExpressibleByArgument {
  case inside, outside, cover, padded, exact

  func value(gravity: Thumbnail.Gravity) -> Thumbnail.Fit {
    switch self {
    case .inside: .inside
    case .outside: .outside
    case .cover: .cover(gravity)
    case .padded: .padded(gravity)
    case .exact: .exact
    }
  }
}

/// A filter by its name.
struct FilterArgument: ExpressibleByArgument {
  let filter: ResamplingFilter

  init(filter: ResamplingFilter) {
    self.filter = filter
  }

  init?(argument: String) {
    guard let filter = ResamplingFilter(name: argument) else { return nil }
    self.filter = filter
  }

  var defaultValueDescription: String { filter.rawValue }
  static var allValueStrings: [String] { ResamplingFilter.allCases.map(\.rawValue) }
}

/// A colour in CSS notation. Hexadecimal digits are accepted without `#`, which starts a comment in a shell.
struct ColorArgument: ExpressibleByArgument {
  let color: RGBA8

  init?(argument: String) {
    guard let color = RGBA8(css: argument) ?? RGBA8(css: "#" + argument) else { return nil }
    self.color = color
  }
}
