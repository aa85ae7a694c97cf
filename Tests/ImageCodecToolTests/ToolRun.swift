// The built tool as a shell sees it.

import Foundation

/// Runs the tool in a directory of its own.
struct ToolRun {
  let output: Data
  let errors: String
  let exitCode: Int32

  init(_ arguments: String..., input: Data? = nil, in directory: URL) throws {
    try self.init(arguments, input: input, in: directory)
  }

  init(_ arguments: [String], input: Data? = nil, in directory: URL) throws {
    let process = Process()
    // SwiftPM puts the tool beside the test executable.
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("imagecodec")
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
