// Errors that end a command, as a line on standard error and an exit code.

internal import ArgumentParser
package import ImageCodecs

/// The reason a command cannot process a file.
package struct ToolFailure: Error, CustomStringConvertible {
  /// The file, as in ``FileName``; `-` for standard input or output.
  package let file: String
  /// The line after the file name.
  package let message: String
  /// 1 for an image that cannot be processed, 2 for incorrect usage and for errors of the system.
  package let exitCode: Int32

  /// Creates the failure for an image that cannot be decoded or encoded: kind, reason and byte offset.
  package init(file: String, _ error: CodecError) {
    self.file = file
    var message = "\(error.kind.rawValue): \(error.reason)"
    if let byteOffset = error.byteOffset { message += " (byte \(byteOffset))" }
    self.message = message
    exitCode = error.kind == .invalidArgument ? 2 : 1
  }

  /// Creates the failure for a file that cannot be read or written, or for an option that does not apply to it.
  package init(file: String, usage message: String) {
    self.file = file
    self.message = message
    exitCode = 2
  }

  /// File and message in one line, without control characters.
  package var description: String { TerminalText.escaped("\(file): \(message)") }

  /// Prints the line.
  package func report() {
    StandardStreams.printError("imagecodec: \(description)")
  }
}

/// Calls `body` for each file. Continues after a failure, and ends with the highest exit code.
func forEachFile(_ files: [String], _ body: (String) throws -> Void) throws {
  var worst: Int32 = 0
  for file in files {
    do {
      try body(file)
    } catch let failure as ToolFailure {
      failure.report()
      worst = max(worst, failure.exitCode)
    } catch let error as CodecError {
      let failure = ToolFailure(file: file, error)
      failure.report()
      worst = max(worst, failure.exitCode)
    }
  }
  if worst != 0 { throw ExitCode(worst) }
}

/// Adds the name of the file concerned to the library's errors.
func naming<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as CodecError {
    throw ToolFailure(file: file, error)
  }
}
