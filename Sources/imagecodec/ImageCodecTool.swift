// The command-line tool: its subcommands and the mapping of errors to exit codes.
//
// Exit codes: 0 success; 1 an image cannot be processed, with one line for each on standard error; 2 incorrect usage,
// or a file or standard output that cannot be read or written.

internal import ArgumentParser

@main
struct ImageCodecTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "imagecodec",
    abstract: "Identifies, decodes, converts and checks images.",
    discussion: """
      An output file is replaced once it is complete, with the permissions of the old file; of a symbolic link, the file \
      to which it leads. If the command is killed, a hidden file .imagecodecs-….partial may be left next to it.
      Exit codes: 0 success; 1 an image cannot be processed; 2 incorrect usage, or a file or standard output that cannot \
      be read or written.
      """,
    version: "imagecodec \(version)",
    subcommands: [
      Identify.self, Convert.self, MakeThumbnail.self, Batch.self, Transform.self, Caption.self, Frames.self,
      Embedded.self, Sheet.self, Previews.self, Placeholder.self, Metadata.self, Check.self, BatchWorker.self,
    ])

  /// The version of the tool.
  private static let version = "0.1.0"

  static func main() {
    let arguments = ToolArguments.current
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let failure as ToolFailure {
      failure.report()
      exit(withError: ExitCode(failure.exitCode))
    } catch let lost as LostOutput {
      report(lost)
    } catch {
      switch exitCode(for: error) {
      case .validationFailure:
        StandardStreams.printError(UsageMessage.line(message(for: error), arguments: arguments))
        exit(withError: ExitCode(2))
      case .success:
        // Help and the version.
        do throws(LostOutput) { try StandardStreams.printLine(message(for: error)) } catch { report(error) }
        exit()
      default: exit(withError: error)
      }
    }
  }

  private static func report(_ lost: LostOutput) -> Never {
    StandardStreams.printError("imagecodec: standard output cannot be written: \(lost.reason)")
    exit(withError: ExitCode(2))
  }
}
