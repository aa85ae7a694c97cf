// Files and the three standard streams. `-` means standard input or output.

package import ImageCodecs
internal import Platform

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Reads and writes whole files and streams. Names are those of ``FileName``.
package enum StandardStreams {
  /// Returns the bytes of a file or of standard input.
  ///
  /// - Parameter limits: the limits of decoding; the file may have as many bytes as a decode may take memory.
  package static func read(_ file: String, limits: DecodingLimits = .default) throws -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes =
        if file == "-" {
          try FileDescriptor(.input).readToEnd(maximumByteCount: limits.maximumByteCount)
        } else {
          try FileDescriptor(reading: FileName.bytes(of: file)).readToEnd(maximumByteCount: limits.maximumByteCount)
        }
    } catch {
      throw ToolFailure(file: file, usage: "cannot be read: \(error.reason)")
    }
    guard let bytes else { throw ToolFailure(file: file, tooLarge(limits)) }
    return bytes
  }

  /// Returns the bytes of a file or of standard input, for callers that read only the headers. Regular files of any
  /// size are mapped into memory.
  ///
  /// - Parameter limits: the limits of other files.
  package static func map(_ file: String, limits: DecodingLimits = .default) throws -> Data {
    // Through its descriptor a file of any name can be mapped.
    if isRegularFile(file), let descriptor = try? FileDescriptor(reading: FileName.bytes(of: file), waits: false),
      let data = try? Data(contentsOf: URL(fileURLWithPath: "/dev/fd/\(descriptor.number)"), options: .alwaysMapped)
    {
      return data
    }
    return Data(try read(file, limits: limits))
  }

  /// Opens a video in a regular file, which is mapped into memory: of gigabytes, a frame needs few. Returns `nil` for
  /// other input.
  package static func openVideo(
    _ file: String, options: DecodingOptions, colorConversion: ColorConversion = .keep
  ) -> ImageFile? {
    guard let data = mapVideo(file) else { return nil }
    return try? ImageFile(data, options: options, colorConversion: colorConversion)
  }

  private static func mapVideo(_ file: String) -> Data? {
    guard isRegularFile(file), let data = try? map(file),
      ImageFormatRegistry.shared.type(of: data.span)?.isMovie == true
    else { return nil }
    return data
  }

  /// Returns the bytes of a file or of standard input. A video is mapped into memory.
  ///
  /// - Parameter limits: the limits of decoding; other files may have as many bytes as a decode may take memory.
  package static func data(_ file: String, limits: DecodingLimits) throws -> Data {
    if let video = mapVideo(file) { return video }
    return Data(try read(file, limits: limits))
  }

  /// Returns the bytes of a regular file, which are copied.
  ///
  /// - Parameter limits: the limits of decoding; the file may have as many bytes as a decode may take memory.
  package static func readFile(_ file: String, limits: DecodingLimits) throws -> [UInt8] {
    let bytes: [UInt8]?
    let isSpecial: Bool
    do throws(SystemError) {
      // A pipe must not keep the job waiting for another program.
      let descriptor = try FileDescriptor(reading: FileName.bytes(of: file), waits: false)
      isSpecial = try descriptor.status.kind == .special
      bytes = isSpecial ? [] : try descriptor.readToEnd(maximumByteCount: limits.maximumByteCount)
    } catch {
      throw ToolFailure(file: file, usage: "cannot be read: \(error.reason)")
    }
    if isSpecial { throw ToolFailure(file: file, usage: "cannot be read: it is not a regular file") }
    guard let bytes else { throw tooLarge(limits) }
    return bytes
  }

  private static func tooLarge(_ limits: DecodingLimits) -> CodecError {
    CodecError(.limitExceeded, "the file exceeds the limit of \(limits.maximumByteCount) bytes", limit: .memory)
  }

  /// Prints text on standard output.
  ///
  /// - Throws: ``LostOutput``.
  package static func writeOutput(_ bytes: [UInt8]) throws(LostOutput) {
    do throws(SystemError) {
      try FileDescriptor(.output).write(bytes.span)
    } catch {
      throw LostOutput(reason: error.reason)
    }
  }

  /// Prints a line on standard output.
  ///
  /// - Throws: ``LostOutput``.
  package static func printLine(_ line: String) throws(LostOutput) {
    try writeOutput(Array((line + "\n").utf8))
  }

  /// Writes a file, or to standard output. On failure an existing file is unchanged.
  package static func write(_ bytes: [UInt8], to file: String) throws {
    if file == "-" { return try writeOutput(bytes) }
    do throws(SystemError) {
      try FileReplacement.write(bytes.span, toPath: FileName.bytes(of: file))
    } catch {
      throw ToolFailure(file: file, usage: "cannot be written: \(error.reason)")
    }
  }

  /// Creates a directory unless it exists.
  package static func makeDirectory(_ path: String) throws {
    do throws(SystemError) {
      try Directories.create(FileName.bytes(of: path))
    } catch {
      throw ToolFailure(file: path, usage: "cannot be created: \(error.reason)")
    }
  }

  /// Returns whether two names are those of the same existing file.
  package static func isSameFile(_ first: String, _ second: String) -> Bool {
    guard let first = try? FileStatus(path: FileName.bytes(of: first)),
      let second = try? FileStatus(path: FileName.bytes(of: second))
    else { return false }
    return first.isSameFile(as: second)
  }

  /// Returns whether a name is that of the file, pipe or terminal that standard output is. The null device does not
  /// count: what is written to it does not mix.
  package static func isStandardOutput(_ file: String) -> Bool {
    isSameFile(file, "/dev/stdout") && !isSameFile(file, "/dev/null")
  }

  /// Returns whether a name is that of a regular file.
  package static func isRegularFile(_ file: String) -> Bool {
    file != "-" && (try? FileStatus(path: FileName.bytes(of: file)))?.kind == .regular
  }

  /// Prints a line on standard error. Control characters are escaped.
  package static func printError(_ line: String) {
    writeError(TerminalText.escaped(line) + "\n")
  }

  /// Prints the defects of a file on standard error, each in a line.
  static func report(_ diagnostics: [ImageDiagnostic], of file: String) {
    for diagnostic in diagnostics { printError("imagecodec: \(file): \(diagnostic)") }
  }

  /// Prints text on standard error without a line break.
  package static func writeError(_ text: String) {
    // A closed standard error cannot be reported.
    try? FileDescriptor(.error).write(Array(text.utf8).span)
  }

  /// Whether standard error is a terminal.
  package static var isErrorTerminal: Bool { FileDescriptor(.error).isTerminal }
}

/// Standard output cannot be written, so that results are lost. No command continues after that.
package struct LostOutput: Error {
  /// The description of the system's error.
  package let reason: String
}
