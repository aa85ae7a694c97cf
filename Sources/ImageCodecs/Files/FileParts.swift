// Reads a file in parts, so that its size does not matter.

internal import ImageCoding
internal import Platform

/// A regular file and the part of it that was read last.
struct FileParts: ~Copyable, PartedInput {
  /// The last part. Empty at the end of the file.
  private(set) var part: [UInt8] = []

  /// The maximum number of bytes of a part.
  private static let maximumByteCount = 1 << 16
  private let path: String
  private let file: FileDescriptor
  private var position = 0

  /// Opens a file and reads its first part. `nil` if it cannot be opened or is not a regular file.
  init?(path: String) {
    let name = Array(path.utf8)
    guard (try? FileStatus(path: name))?.kind == .regular, let file = try? FileDescriptor(reading: name) else {
      return nil
    }
    self.path = path
    self.file = file
    // An error recurs when the next part is read.
    try? readNext()
  }

  /// Reads the next part.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed`.
  mutating func readNext() throws(CodecError) {
    do throws(SystemError) {
      part = try file.bytes(in: position..<position + Self.maximumByteCount)
      position += part.count
    } catch {
      throw CodecError(.fileAccessFailed, "\(path) cannot be read")
    }
  }

  /// Reads the first part again.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed`.
  mutating func rewind() throws(CodecError) {
    position = 0
    try readNext()
  }
}
