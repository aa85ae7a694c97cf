// The built tool as a shell sees it.

import Foundation

/// A run of the tool in a given directory.
struct ToolRun {
  let output: Data
  let errors: String
  let exitCode: Int32

  /// The built tool. SwiftPM puts it next to the test executable.
  static var tool: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("imagecodec")
  }

  init(_ arguments: String..., input: Data? = nil, in directory: URL) throws {
    try self.init(arguments, input: input, in: directory)
  }

  init(_ arguments: [String], input: Data? = nil, in directory: URL) throws {
    try self.init(executable: Self.tool, arguments, input: input, in: directory)
  }

  /// Runs a script in which `$tool` is the tool, for names and streams that a process cannot pass.
  init(script: String, in directory: URL) throws {
    try self.init(
      executable: URL(fileURLWithPath: "/bin/sh"), ["-c", "tool='\(Self.tool.path)'\n" + script], input: nil,
      in: directory)
  }

  private init(executable: URL, _ arguments: [String], input: Data?, in directory: URL) throws {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let (outputPipe, errorPipe, inputPipe) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    process.standardInput = inputPipe
    try process.run()
    // All that the tests send and receive fits into the pipes.
    try inputPipe.fileHandleForWriting.write(contentsOf: input ?? Data())
    try inputPipe.fileHandleForWriting.close()
    output = try outputPipe.fileHandleForReading.readToEnd() ?? Data()
    errors = String(decoding: try errorPipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    exitCode = process.terminationStatus
  }

  var text: String { String(decoding: output, as: UTF8.self) }
}
