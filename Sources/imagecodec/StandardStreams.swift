// Files and the three standard streams. `-` means standard input or output.

package import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads and writes whole files and streams.
package enum StandardStreams {
  /// Returns the bytes of a file or of standard input.
  ///
  /// - Parameter mapped: whether the file may be mapped into memory, for callers that read only its headers.
  package static func read(_ file: String, mapped: Bool = false) throws -> Data {
    do {
      if file == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: file), options: mapped ? [.mappedIfSafe] : [])
    } catch {
      throw ToolFailure(file: file, usage: "cannot be read: \(reason(error))")
    }
  }

  /// Returns the bytes of a regular file, which are copied.
  ///
  /// - Parameter maximumByteCount: the maximum size of the file.
  package static func readFile(_ file: String, maximumByteCount: Int) throws -> Data {
    do {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: file).resolvingSymlinksInPath().path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw ToolFailure(file: file, usage: "cannot be read: it is not a regular file")
      }
      guard let size = attributes[.size] as? Int, size <= maximumByteCount else {
        throw ToolFailure(file: file, usage: "cannot be read: it exceeds \(maximumByteCount) bytes")
      }
      return try Data(contentsOf: URL(fileURLWithPath: file))
    } catch let failure as ToolFailure {
      throw failure
    } catch {
      throw ToolFailure(file: file, usage: "cannot be read: \(reason(error))")
    }
  }

  /// Prints text on standard output.
  package static func writeOutput(_ text: String) {
    // A closed standard output cannot be reported.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Writes a file, or to standard output. On failure an existing file is unchanged.
  package static func write(_ bytes: [UInt8], to file: String) throws {
    do {
      if file == "-" { return try FileHandle.standardOutput.write(contentsOf: Data(bytes)) }
      // Devices and pipes cannot be replaced.
      let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
      let isReplaceable = type == nil || type == .typeRegular
      try Data(bytes).write(to: URL(fileURLWithPath: file), options: isReplaceable ? .atomic : [])
    } catch {
      throw ToolFailure(file: file, usage: "cannot be written: \(reason(error))")
    }
  }

  /// Creates a directory unless it exists.
  package static func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ToolFailure(file: path, usage: "cannot be created: \(reason(error))")
    }
  }

  /// Returns whether a path is that of a directory.
  package static func isDirectory(_ path: String) -> Bool {
    let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey])
    return path != "-" && values?.isDirectory == true
  }

  /// Returns the files of a directory and its subdirectories, except hidden ones, sorted by name.
  package static func files(in directory: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    let prefix = directory.hasSuffix("/") ? directory : directory + "/"
    return names.filter { name in !name.split(separator: "/").contains { $0.hasPrefix(".") } }.sorted()
      .map { prefix + $0 }.filter { !isDirectory($0) }
  }

  /// Prints a line on standard error.
  package static func printError(_ line: String) {
    writeError(line + "\n")
  }

  /// Prints text on standard error without a line break.
  package static func writeError(_ text: String) {
    // A closed standard error cannot be reported.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Whether standard error is a terminal.
  package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: return "there is no such file or directory"
    case .fileReadNoPermission?, .fileWriteNoPermission?: return "permission denied"
    default: return (error as NSError).localizedDescription
    }
  }
}
