// The status of a file, as reported by the system. Paths are bytes, since names need not be UTF-8.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The properties of a file.
package struct FileStatus: Equatable, Sendable {
  /// The kinds of files.
  package enum Kind: Sendable {
    /// A regular file.
    case regular
    /// A directory.
    case directory
    /// A symbolic link.
    case link
    /// A device, a pipe or a socket.
    case special
  }

  /// The kind.
  package let kind: Kind
  /// The length in bytes. Zero for most files that are not regular.
  package let byteCount: Int64
  /// The space on the disk in bytes.
  package let allocatedByteCount: Int64
  /// The time of the last modification, in seconds since 1970.
  package let modificationTime: Double
  /// The permissions of owner, group and others: 0…0o777.
  package let permissions: UInt32
  /// The number of the owner.
  package let owner: UInt32
  /// The number of the group.
  package let group: UInt32
  /// The device that contains the file.
  package let device: UInt64
  /// The number of the file on the device.
  package let number: UInt64

  /// Whether two names are those of the same file.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// Reads the properties of a file.
    ///
    /// - Parameter followsLinks: whether the properties are those of the file to which a symbolic link leads.
    package init(path: [UInt8], followsLinks: Bool = true) throws(SystemError) {
      var status = stat()
      // SAFETY: the calls read a path that ends with a zero byte, and write one structure.
      let code = try unsafe withPath(path) { name in
        unsafe followsLinks ? stat(name, &status) : lstat(name, &status)
      }
      guard code == 0 else { throw .last }
      self.init(status)
    }

    /// Reads the properties of an open file.
    init(descriptor: Int32) throws(SystemError) {
      var status = stat()
      // SAFETY: the call writes one structure.
      guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
      self.init(status)
    }

    /// Sets the time of a file's last modification to the current time, if that is permitted.
    package static func touch(path: [UInt8]) {
      // SAFETY: without times the call reads no memory but a path that ends with a zero byte.
      _ = try? unsafe withPath(path) { name in unsafe utimes(name, nil) }
    }

    private init(_ status: stat) {
      let mode = UInt32(status.st_mode)
      kind =
        switch mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): .regular
        case UInt32(S_IFDIR): .directory
        case UInt32(S_IFLNK): .link
        default: .special
        }
      byteCount = Int64(status.st_size)
      allocatedByteCount = Int64(status.st_blocks) * 512
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      modificationTime = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
      permissions = mode & 0o777
      owner = UInt32(status.st_uid)
      group = UInt32(status.st_gid)
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  #else
    /// This platform has no files.
    package init(path: [UInt8], followsLinks: Bool = true) throws(SystemError) {
      throw .unsupported
    }

    /// This platform has no files.
    package static func touch(path: [UInt8]) {}
  #endif
}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// Calls `body` with a path as a C string.
  func withPath<Result>(
    _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) throws(SystemError) -> Result {
    guard !path.isEmpty else { throw .noEntry }
    guard !path.contains(0) else { throw .invalidPath }
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let result: Result? = unsafe name.withUnsafeBufferPointer { characters in
      // SAFETY: the array ends with a zero byte, and is not empty, so that it has an address.
      guard let start = characters.baseAddress else { return nil }
      return unsafe body(start)
    }
    guard let result else { throw .invalidPath }
    return result
  }
#endif
