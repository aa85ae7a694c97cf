// Writes a file while it is made, and replaces an existing one only when it is complete.

internal import Foundation
package import ImageCodecs

/// The destination of a command's output. A regular file is written next to its final place, part by part; standard
/// output, devices and pipes cannot be taken back, so that they receive the file when it is complete.
package final class FileOutput {
  private let path: String
  private var temporary: (path: String, handle: FileHandle)?
  private var isFinished = false

  /// - Parameter path: the file; `-` means standard output.
  package init(path: String) {
    self.path = path
  }

  deinit {
    guard !isFinished, let temporary else { return }
    try? temporary.handle.close()
    try? FileManager.default.removeItem(atPath: temporary.path)
  }

  /// Whether parts can be written before the file is complete.
  private var isReplaceable: Bool {
    guard path != "-" else { return false }
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type == nil || type == .typeRegular
  }

  /// What an encoder writes to.
  package func makeOutput() -> EncodedOutput {
    guard isReplaceable else { return EncodedOutput() }
    return EncodedOutput { (part) throws(CodecError) in
      do {
        try self.append(part)
      } catch {
        throw CodecError(.fileAccessFailed, "\(self.path) cannot be written: \(error.localizedDescription)")
      }
    }
  }

  private func append(_ part: [UInt8]) throws {
    if temporary == nil {
      let place = path + "." + UUID().uuidString.prefix(8) + ".part"
      guard FileManager.default.createFile(atPath: place, contents: nil),
        let handle = FileHandle(forWritingAtPath: place)
      else { throw CocoaError(.fileWriteNoPermission) }
      temporary = (place, handle)
    }
    try temporary?.handle.write(contentsOf: part)
  }

  /// Completes the file. An existing one is unchanged if that fails.
  ///
  /// - Parameter rest: the file, unless an encoder has written it to ``makeOutput()``.
  package func finish(_ rest: [UInt8]) throws {
    guard let temporary else { return try StandardStreams.write(rest, to: path) }
    do {
      if !rest.isEmpty { try temporary.handle.write(contentsOf: rest) }
      try temporary.handle.close()
      if let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: temporary.path)
      }
      guard replaceFile(path, with: temporary.path) else { throw CocoaError(.fileWriteUnknown) }
      isFinished = true
    } catch {
      throw ToolFailure(file: path, usage: "cannot be written: \(error.localizedDescription)")
    }
  }
}
