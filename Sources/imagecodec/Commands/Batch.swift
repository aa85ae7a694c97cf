// `imagecodec batch`: makes thumbnails for jobs that arrive on standard input.

internal import ArgumentParser
internal import ImageCodecs

/// Runs jobs, one per line.
struct Batch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the thumbnails that lines of JSON on standard input describe.",
    discussion: """
      A job is an object with the members input and output, and as wanted id, format, size (or width and height), fit, \
      gravity, enlarge, filter, light, color, background, sharpen, frames, gainMap, quality, progressive, level and \
      deadline. They mean the same as the options of 'thumbnail'. A job whose output is the file of its input is an error \
      unless overwriteInput is true.
      For each job a line is printed on standard output as soon as it is done: an object with line, id, input, output \
      and status, which is ok or error. A failure is the kind and the reason, and does not end the run. Files are \
      replaced when they are complete. The exit code is 1 if a job failed, and 2 if results cannot be written.
      """)

  @Option(help: "The number of jobs that run at the same time.")
  var jobs = 1

  @Option(help: "The resource limits of a job.")
  var limits = DecodingArguments.Limits.server

  @Option(help: "The time in seconds after which a job fails. Default: that of the limits.")
  var deadline: Double?

  @OptionGroup var isolation: IsolationArguments

  func validate() throws {
    guard (1...1024).contains(jobs) else { throw ValidationError("--jobs must be between 1 and 1024") }
    if let deadline, !(deadline > 0 && deadline <= 86_400) {
      throw ValidationError("--deadline must be positive and at most a day")
    }
  }

  func run() throws {
    var limits = limits.value
    if let deadline { limits.deadline = .seconds(deadline) }
    let runner = BatchRunner(
      options: BatchRunner.options(limits: limits),
      isolation: isolation.isolation(limits: self.limits, deadline: deadline))
    guard try runner.run(threadCount: jobs) == 0 else { throw ExitCode.failure }
  }
}
