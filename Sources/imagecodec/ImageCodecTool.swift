// The command-line tool: its subcommands and the mapping of errors to exit codes.
//
// Exit codes: 0 success; 1 an image cannot be processed, with one line for each on standard error; 2 incorrect usage,
// or a file that cannot be read or written.

internal import ArgumentParser

@main
struct ImageCodecTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "imagecodec",
    abstract: "Identifies, decodes, converts and checks images.",
    subcommands: [
      Identify.self, Convert.self, MakeThumbnail.self, Batch.self, Transform.self, Caption.self, Frames.self,
      Sheet.self, Previews.self, Placeholder.self, Metadata.self, Check.self,
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

  /// Joins the lines of a message into one. List items start with hyphens.
  private static func line(_ message: String) -> String {
    let lines = message.split(whereSeparator: \.isNewline)
    let items = lines.filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    let others = lines.filter { !$0.hasPrefix("  - ") }.map { String($0) }
    return (others + (items.isEmpty ? [] : [items.joined(separator: ", ")])).joined(separator: " ")
  }
}
