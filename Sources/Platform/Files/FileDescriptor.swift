// Files that are open for reading or writing.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// An open file, which is closed at the end of its life unless it is a standard stream.
package struct FileDescriptor: ~Copyable {
  /// The number of the descriptor.
  package let number: Int32
  private let isStandardStream: Bool

  /// The standard streams.
  package enum StandardStream: Int32 {
    /// Standard input.
    case input
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// A standard stream.
  package init(_ stream: StandardStream) {
    number = stream.rawValue
    isStandardStream = true
  }

  init(owning number: Int32) {
    self.number = number
    isStandardStream = false
  }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    deinit {
      if !isStandardStream { _ = close(number) }
    }

    /// Opens a file for reading.
    ///
    /// - Parameter waits: whether to wait until another program opens a pipe for writing.
    package init(reading path: [UInt8], waits: Bool = true) throws(SystemError) {
      let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
      // SAFETY: the call reads a path that ends with a zero byte.
      let number = try unsafe withPath(path) { name in unsafe open(name, flags) }
      guard number >= 0 else { throw .last }
      self.init(owning: number)
    }

    /// The properties of the file.
    package var status: FileStatus {
      get throws(SystemError) { try FileStatus(descriptor: number) }
    }

    /// Whether the file is a terminal.
    package var isTerminal: Bool { isatty(number) == 1 }

    /// Waits until there are bytes, and returns those that have arrived. Empty at the end of the file.
    package func readArrived(maximumByteCount: Int) throws(SystemError) -> [UInt8] {
      while true {
        var result = 0
        // SAFETY: read writes at most as many bytes as the buffer has, and returns their number.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(0, maximumByteCount)) { buffer, count in
          result = unsafe read(number, buffer.baseAddress, buffer.count)
          count = max(0, result)
        }
        if result >= 0 { return bytes }
        guard errno == EINTR else { throw .last }
      }
    }

    /// Returns the bytes in a range of a file that is not a pipe, and leaves the position of other reads unchanged. The
    /// result is shorter if the file ends within the range.
    package func bytes(in range: Range<Int>) throws(SystemError) -> [UInt8] {
      var result = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        // Android's declaration accepts no null pointer.
        guard let start = buffer.baseAddress else { return }
        repeat {
          // SAFETY: pread writes at most as many bytes as the rest of the buffer has, and returns their number.
          result = unsafe pread(number, start + count, range.count - count, off_t(range.lowerBound + count))
          count += max(0, result)
        } while count < range.count && (result > 0 || result < 0 && errno == EINTR)
      }
      guard result >= 0 else { throw .last }
      return bytes
    }

    /// Reads the rest of the file.
    ///
    /// - Returns: the bytes; `nil` if there are more than `maximumByteCount`, of which no more than one part is read in
    ///   addition.
    package func readToEnd(maximumByteCount: Int) throws(SystemError) -> [UInt8]? {
      let status = try status
      var bytes: [UInt8] = []
      if status.kind == .regular {
        guard status.byteCount <= maximumByteCount else { return nil }
        // A sparse file may state any size.
        bytes.reserveCapacity(Int(clamping: min(status.byteCount, 1 << 28)))
      }
      while true {
        let part = try readArrived(maximumByteCount: 1 << 16)
        if part.isEmpty { return bytes }
        guard part.count <= maximumByteCount - bytes.count else { return nil }
        bytes += part
      }
    }

    /// Writes all bytes.
    package func write(_ bytes: Span<UInt8>) throws(SystemError) {
      var start = 0
      while start < bytes.count {
        let rest = bytes.extracting(start...)
        // SAFETY: write reads no more than the bytes that are left.
        let count = unsafe rest.withUnsafeBufferPointer { buffer in
          #if canImport(Darwin)
            unsafe Darwin.write(number, buffer.baseAddress, buffer.count)
          #elseif canImport(Glibc)
            unsafe Glibc.write(number, buffer.baseAddress, buffer.count)
          #elseif canImport(Musl)
            unsafe Musl.write(number, buffer.baseAddress, buffer.count)
          #else
            unsafe Android.write(number, buffer.baseAddress, buffer.count)
          #endif
        }
        if count < 0 {
          guard errno == EINTR else { throw .last }
        } else {
          start += count
        }
      }
    }

    /// Writes all bytes at an offset from the start of the file, and leaves the position of other writes unchanged.
    package func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
      var start = 0
      while start < bytes.count {
        let rest = bytes.extracting(start...)
        // SAFETY: pwrite reads no more than the bytes that are left.
        let count = unsafe rest.withUnsafeBufferPointer { buffer in
          // Android's declaration accepts no null pointer; only an empty buffer has one.
          guard let bytes = buffer.baseAddress else { return 0 }
          return unsafe pwrite(number, bytes, buffer.count, off_t(offset + start))
        }
        if count < 0 {
          guard errno == EINTR else { throw .last }
        } else {
          start += count
        }
      }
    }

    /// Closes the file. An error means that bytes written before are lost.
    consuming func finish() throws(SystemError) {
      let code = close(number)
      let error = SystemError.last
      discard self
      guard code == 0 else { throw error }
    }
  #else
    /// This platform has no files.
    package init(reading path: [UInt8], waits: Bool = true) throws(SystemError) {
      throw .unsupported
    }

    /// The properties of the file.
    package var status: FileStatus {
      get throws(SystemError) { throw .unsupported }
    }

    /// Whether the file is a terminal.
    package var isTerminal: Bool { false }

    /// This platform has no files.
    package func readArrived(maximumByteCount: Int) throws(SystemError) -> [UInt8] { throw .unsupported }

    /// This platform has no files.
    package func bytes(in range: Range<Int>) throws(SystemError) -> [UInt8] { throw .unsupported }

    /// This platform has no files.
    package func readToEnd(maximumByteCount: Int) throws(SystemError) -> [UInt8]? { throw .unsupported }

    /// This platform has no files.
    package func write(_ bytes: Span<UInt8>) throws(SystemError) { throw .unsupported }

    /// This platform has no files.
    package func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) { throw .unsupported }

    /// This platform has no files.
    consuming func finish() throws(SystemError) { throw .unsupported }
  #endif
}
