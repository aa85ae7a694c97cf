// Files and the three standard streams; `-` stands for input or output.

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
  /// The bytes of a file, or of standard input.
  ///
  /// - Parameter mapped: whether the file may be mapped into memory, for those who read its headers only.
  package static func read(_ file: String, mapped: Bool = false) throws -> Data {
    do {
      if file == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: file), options: mapped ? [.mappedIfSafe] : [])
    } catch {
      throw ToolFailure(file: file, usage: "cannot be read: \(reason(error))")
    }
  }

  /// Writes a file, or to standard output. A file that was there stays as it was if that fails.
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

  /// Makes a directory unless it is there.
  package static func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ToolFailure(file: path, usage: "cannot be made: \(reason(error))")
    }
  }

  /// Whether there is a directory.
  package static func isDirectory(_ path: String) -> Bool {
    let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey])
    return path != "-" && values?.isDirectory == true
  }

  /// The files of a directory and of those within it, hidden ones apart, in the order of their names.
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

  /// Prints on standard error as it is.
  package static func writeError(_ text: String) {
    // There is nowhere to tell of a standard error that is closed.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Whether someone watches standard error.
  package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: return "there is no such file or directory"
    case .fileReadNoPermission?, .fileWriteNoPermission?: return "permission denied"
    default: return (error as NSError).localizedDescription
    }
  }
}
