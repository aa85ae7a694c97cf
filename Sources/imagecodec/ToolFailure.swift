// What ends a command early, as a line on standard error and an exit code.

internal import ArgumentParser
package import ImageCodecs

/// Why a command cannot go on with a file.
package struct ToolFailure: Error, CustomStringConvertible {
  /// The file, `-` for standard input or output.
  package let file: String
  /// The line behind the file's name.
  package let message: String
  /// 1 for a bad image, 2 for everything that is the caller's or the system's fault.
  package let exitCode: Int32

  /// An image that cannot be decoded or encoded: kind, reason and byte offset.
  package init(file: String, _ error: CodecError) {
    self.file = file
    var message = "\(error.kind.rawValue): \(error.reason)"
    if let byteOffset = error.byteOffset { message += " (byte \(byteOffset))" }
    self.message = message
    exitCode = error.kind == .invalidArgument ? 2 : 1
  }

  /// A file that cannot be read or written, or an option that does not fit it.
  package init(file: String, usage message: String) {
    self.file = file
    self.message = message
    exitCode = 2
  }

  /// One line: file and message.
  package var description: String { "\(file): \(message)" }

  /// Prints the line.
  package func report() {
    StandardStreams.printError("imagecodec: \(description)")
  }
}

/// Does something with each file; goes on after a failure and ends with the worst exit code.
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

/// Files, and for directories the files within, hidden ones apart, in the order of their names.
func expandingDirectories(_ files: [String]) -> [String] {
  files.flatMap { StandardStreams.isDirectory($0) ? StandardStreams.files(in: $0) : [$0] }
}

/// Gives errors of the library the name of the file that they are about.
func naming<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as CodecError {
    throw ToolFailure(file: file, error)
  } catch ImageDecodingError.codec(let error) {
    throw ToolFailure(file: file, error)
  }
}
