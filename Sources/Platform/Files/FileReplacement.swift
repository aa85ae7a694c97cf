// Replaces files as a whole: the bytes are written to a temporary file in the same directory, which is then renamed.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Writes whole files.
package enum FileReplacement {
  /// The start and the end of the names of temporary files. They are hidden; a file with such a name is left if the
  /// process is killed, and can be removed.
  package static let temporaryName = (prefix: ".imagecodecs-", suffix: ".partial")

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// Replaces a file, or creates it. After an error an existing file is unchanged.
    ///
    /// A symbolic link is followed, and kept. The new file has the permissions of the old one, and its owner and group
    /// if the system permits. Devices, pipes and open descriptors such as `/dev/stdout` are written in place.
    package static func write(_ bytes: Span<UInt8>, toPath path: [UInt8]) throws(SystemError) {
      guard let draft = try draft(ofFileAt: path) else { return try writeInPlace(bytes, path) }
      try draft.write(bytes)
      try draft.finish()
    }

    /// Creates the temporary file that is to replace a file. Returns `nil` if the path is that of a device, a pipe or an
    /// open descriptor, which can only be written in place.
    package static func draft(ofFileAt path: [UInt8]) throws(SystemError) -> FileDraft? {
      guard let target = try target(of: path) else { return nil }
      let temporary = directory(of: target.path) + newTemporaryName()
      return FileDraft(try create(temporary, like: target.existing), at: temporary, destination: target.path)
    }

    /// A regular file to replace, or a name without a file.
    private struct Target {
      var path: [UInt8]
      var existing: FileStatus?
    }

    /// Follows symbolic links. Returns `nil` if the path is not that of a file that can be replaced.
    private static func target(of path: [UInt8]) throws(SystemError) -> Target? {
      // The system may refuse to follow a link that another user has left in a shared directory.
      do throws(SystemError) {
        if try FileStatus(path: path).kind != .regular { return nil }
      } catch {
        guard error.isNoEntry else { throw error }
      }
      let processes = try? FileStatus(path: Array("/proc/self".utf8), followsLinks: false)
      var path = path
      for _ in 0..<40 {
        if path.starts(with: "/dev/fd/".utf8) { return nil }
        let status: FileStatus
        do throws(SystemError) {
          status = try FileStatus(path: path, followsLinks: false)
        } catch {
          guard error.isNoEntry else { throw error }
          return Target(path: path, existing: nil)
        }
        guard status.kind == .link else { return Target(path: path, existing: status) }
        // The links of this file system are open descriptors, whose names may belong to other files.
        if let processes, processes.device == status.device { return nil }
        let destination = try destination(ofLink: path)
        path = destination.first == UInt8(ascii: "/") ? destination : directory(of: path) + destination
      }
      throw .linkLoop
    }

    private static func destination(ofLink path: [UInt8]) throws(SystemError) -> [UInt8] {
      let capacity = 4096
      var characters = [CChar](repeating: 0, count: capacity)
      // SAFETY: readlink reads a path that ends with a zero byte, writes at most as many bytes as the buffer has, and
      // returns their number.
      let count = try unsafe withPath(path) { name in unsafe readlink(name, &characters, capacity) }
      guard count >= 0 else { throw .last }
      return characters.prefix(count).map { UInt8(bitPattern: $0) }
    }

    /// The path up to the last slash; empty for the current directory.
    private static func directory(of path: [UInt8]) -> [UInt8] {
      path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? []
    }

    private static func newTemporaryName() -> [UInt8] {
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return Array((temporaryName.prefix + digits + temporaryName.suffix).utf8)
    }

    /// Creates a file for writing that has the permissions of an existing one. At no time has it others.
    private static func create(_ path: [UInt8], like existing: FileStatus?) throws(SystemError) -> FileDescriptor {
      let mode = mode_t(existing?.permissions ?? 0o666)
      // SAFETY: the call reads a path that ends with a zero byte.
      let number = try unsafe withPath(path) { name in
        unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      }
      guard number >= 0 else { throw .last }
      let file = FileDescriptor(owning: number)
      guard let existing else { return file }
      var permissions = existing.permissions
      if let status = try? file.status, status.owner != existing.owner || status.group != existing.group,
        fchown(number, existing.owner, existing.group) != 0
      {
        // Another group gets no more than all others.
        permissions = permissions & 0o707 | (permissions & 0o070 & (permissions & 0o007) << 3)
      }
      // The permissions of a new file are reduced by the process's mask. Some file systems have no permissions.
      _ = fchmod(number, mode_t(permissions))
      return file
    }

    /// Moves a file, and replaces the file at its destination. At any time there is either the old file or the new one.
    package static func move(_ path: [UInt8], to destination: [UInt8]) throws(SystemError) {
      let destination = destination.map { CChar(bitPattern: $0) } + [0]
      // SAFETY: the call reads paths that end with a zero byte.
      guard try unsafe withPath(path, { unsafe rename($0, destination) }) == 0 else { throw .last }
    }

    fileprivate static func remove(_ path: [UInt8]) {
      // SAFETY: the call reads a path that ends with a zero byte.
      _ = try? unsafe withPath(path) { name in unsafe unlink(name) }
    }

    private static func writeInPlace(_ bytes: Span<UInt8>, _ path: [UInt8]) throws(SystemError) {
      // SAFETY: the call reads a path that ends with a zero byte.
      let number = try unsafe withPath(path) { name in unsafe open(name, O_WRONLY | O_TRUNC | O_CLOEXEC) }
      guard number >= 0 else { throw .last }
      let file = FileDescriptor(owning: number)
      try file.write(bytes)
      try file.finish()
    }
  #else
    /// This platform has no files.
    package static func write(_ bytes: Span<UInt8>, toPath path: [UInt8]) throws(SystemError) { throw .unsupported }

    /// This platform has no files.
    package static func draft(ofFileAt path: [UInt8]) throws(SystemError) -> FileDraft? { throw .unsupported }

    /// This platform has no files.
    package static func move(_ path: [UInt8], to destination: [UInt8]) throws(SystemError) { throw .unsupported }

    fileprivate static func remove(_ path: [UInt8]) {}
  #endif
}

/// A temporary file that replaces another one when it is complete. It is removed unless it is finished.
package final class FileDraft {
  private var file: FileDescriptor?
  private let path: [UInt8]
  private let destination: [UInt8]
  private var isFinished = false

  fileprivate init(_ file: consuming FileDescriptor, at path: [UInt8], destination: [UInt8]) {
    self.file = consume file
    self.path = path
    self.destination = destination
  }

  /// Appends bytes.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) {
    switch file {
    case .some(let file): try file.write(bytes)
    case .none: break
    }
  }

  /// Replaces bytes that have been written. The next ones are appended as before.
  package func replace(at offset: Int, with bytes: Span<UInt8>) throws(SystemError) {
    switch file {
    case .some(let file): try file.write(bytes, at: offset)
    case .none: break
    }
  }

  /// Puts the file in its place.
  package func finish() throws(SystemError) {
    guard let file = file.take() else { return }
    try file.finish()
    try FileReplacement.move(path, to: destination)
    isFinished = true
  }

  deinit {
    if !isFinished { FileReplacement.remove(path) }
  }
}
