// The command-line tool: the list of commands, and what an error is to the shell.
//
// Exit codes: 0 done, 1 an image is bad (one line each on standard error), 2 wrong usage or a file that cannot be
// read or written.

internal import ArgumentParser

@main
struct ImageCodecTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "imagecodec",
    abstract: "Identifies, decodes, converts and checks images.",
    subcommands: [
      Identify.self, Convert.self, Transform.self, Frames.self, Sheet.self, Previews.self, Metadata.self, Check.self,
    ])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as ToolFailure {
      failure.report()
      exit(withError: ExitCode(failure.exitCode))
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      StandardStreams.printError("imagecodec: \(line(message(for: error)))")
      exit(withError: ExitCode(2))
    }
  }

  /// Joins the lines of a message; those of a list start with hyphens.
  private static func line(_ message: String) -> String {
    let lines = message.split(whereSeparator: \.isNewline)
    let items = lines.filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    let others = lines.filter { !$0.hasPrefix("  - ") }.map { String($0) }
    return (others + (items.isEmpty ? [] : [items.joined(separator: ", ")])).joined(separator: " ")
  }
}
