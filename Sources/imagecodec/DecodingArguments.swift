// The options that every decoding command has.

internal import ArgumentParser
internal import ImageCodecs

/// How images are decoded.
struct DecodingArguments: ParsableArguments {
  enum Orientation: String, CaseIterable, ExpressibleByArgument {
    case apply
    case keep
  }

  enum Limits: String, CaseIterable, ExpressibleByArgument {
    case server
    case `default`
    case unlimited

    var value: DecodingLimits {
      switch self {
      case .server: .server
      case .default: .default
      case .unlimited: .unlimited
      }
    }
  }

  @Option(help: "Whether pixels are turned upright or stay as they are stored.")
  var orientation = Orientation.apply

  @Flag(help: "Fail on damage that browsers live with.")
  var strict = false

  @Option(help: "What an image may cost.")
  var limits = Limits.default

  var options: DecodingOptions {
    DecodingOptions(
      orientation: orientation == .apply ? .apply : .report, tolerance: strict ? .strict : .lenient,
      limits: limits.value)
  }
}
