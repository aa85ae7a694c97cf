// The resources that a command may use for a file.

internal import ArgumentParser
internal import ImageCodecs

/// The limits of a command: of decoding, everything done to the image, and encoding together. A command for several files
/// has them for each.
struct LimitArguments: ParsableArguments {
  @Option(help: "The resource limits: memory, work and time of decoding, processing and encoding a file.")
  var limits = DecodingArguments.Limits.default

  @Option(help: "The time in seconds after which the command gives up on a file.")
  var deadline: Double?

  func validate() throws {
    if let deadline, !(deadline > 0 && deadline <= 86_400) {
      throw ValidationError("--deadline must be positive and at most a day")
    }
  }

  var value: DecodingLimits {
    var value = limits.value
    if let deadline { value.deadline = .seconds(deadline) }
    return value
  }
}
