// Reads a file in parts, so that its size does not matter. No other file here calls C.

internal import ImageCoding

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A regular file and the part of it that was read last.
@safe struct FileParts: ~Copyable, PartedInput {
  /// The last part. Empty at the end of the file.
  private(set) var part: [UInt8] = []

  /// The maximum number of bytes of a part.
  private static let maximumByteCount = 1 << 16
  private let path: String

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private let stream: UnsafeMutablePointer<FILE>

    /// Opens a file and reads its first part. `nil` if it cannot be opened or is not a regular file.
    init?(path: String) {
      var status = stat()
      // SAFETY: stat writes one structure; the stream is closed by deinit, and once only, because the type is not
      // copyable.
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        let stream = unsafe fopen(path, "rb")
      else { return nil }
      unsafe setvbuf(stream, nil, _IONBF, 0)
      unsafe self.stream = stream
      self.path = path
      // An error recurs when the next part is read.
      try? readNext()
    }

    deinit {
      unsafe fclose(stream)
    }

    /// Reads the next part.
    ///
    /// - Throws: ``CodecError/Kind/fileAccessFailed``.
    mutating func readNext() throws(CodecError) {
      let stream = unsafe stream
      // SAFETY: fread writes at most as many bytes as the buffer has.
      part = unsafe [UInt8](unsafeUninitializedCapacity: Self.maximumByteCount) { buffer, count in
        count = unsafe fread(buffer.baseAddress, 1, Self.maximumByteCount, stream)
      }
      guard unsafe ferror(stream) == 0 else { throw failure }
    }

    /// Reads the first part again.
    ///
    /// - Throws: ``CodecError/Kind/fileAccessFailed``.
    mutating func rewind() throws(CodecError) {
      guard unsafe fseek(stream, 0, SEEK_SET) == 0 else { throw failure }
      try readNext()
    }

    private var failure: CodecError { CodecError(.fileAccessFailed, "\(path) cannot be read") }
  #else
    /// This platform has no files.
    init?(path: String) {
      return nil
    }

    mutating func readNext() throws(CodecError) {}

    mutating func rewind() throws(CodecError) {}
  #endif
}
