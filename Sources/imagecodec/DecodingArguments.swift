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

  enum Rendering: String, CaseIterable, ExpressibleByArgument {
    case neutral
    case toned

    var value: RawRendering {
      switch self {
      case .neutral: .neutral
      case .toned: .toned
      }
    }
  }

  @Option(
    help: "The rendering of camera raw files: proportional to light, or with the stated exposure and a tone curve.")
  var rawRendering = Rendering.neutral

  @Flag(help: "Decode camera raw files from the data of the sensor only, not from embedded pictures.")
  var sensor = false

  @OptionGroup var limits: LimitArguments

  var options: DecodingOptions {
    DecodingOptions(
      orientation: orientation == .apply ? .apply : .report, tolerance: strict ? .strict : .lenient,
      limits: limits.value, rawRendering: rawRendering.value, requiresSensorData: sensor)
  }
}
