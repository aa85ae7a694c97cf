// The options shared by the decoding commands.

internal import ArgumentParser
internal import ImageCodecs

/// The options of decoding.
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

  @Option(help: "Whether the stored orientation is applied to the pixels or kept.")
  var orientation = Orientation.apply

  @Flag(help: "Fail on damage that browsers tolerate.")
  var strict = false

  @OptionGroup var limits: LimitArguments

  var options: DecodingOptions {
    DecodingOptions(
      orientation: orientation == .apply ? .apply : .report, tolerance: strict ? .strict : .lenient,
      limits: limits.value)
  }
}
