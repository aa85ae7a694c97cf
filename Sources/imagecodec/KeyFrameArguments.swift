// The options that select a frame of a video.

internal import ArgumentParser
internal import ImageCodecs

/// The key frame of a video.
struct KeyFrameArguments: ParsableArguments {
  @Option(help: "The key frame of a video, counted from 0. Default: the first one that is shown.")
  var atKeyFrame: Int?

  @Option(
    help: ArgumentHelp(
      "The time in a video; its key frame at or before it is decoded.", valueName: "seconds"))
  var atTime: Double?

  /// The largest time in seconds, which is three centuries.
  private static let maximumTime = 1e10

  func validate() throws {
    if atKeyFrame != nil, atTime != nil { throw ValidationError("--at-key-frame and --at-time exclude each other") }
    if let atKeyFrame, atKeyFrame < 0 { throw ValidationError("--at-key-frame must not be negative") }
    if let atTime, !(0...Self.maximumTime).contains(atTime) {
      throw ValidationError("--at-time must be a number of seconds that is not negative")
    }
  }

  /// The selected frame; `nil` for the first one.
  var keyFrame: DecodingOptions.KeyFrame? {
    atKeyFrame.map { .index($0) } ?? atTime.map { .time(.seconds($0)) }
  }
}
