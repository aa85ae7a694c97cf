// The errors of system calls.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A system call failed.
package struct SystemError: Error, Equatable {
  /// The number of the error, `errno`.
  package let code: Int32

  /// Creates the error with a number.
  package init(code: Int32) {
    self.code = code
  }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// The error of the last call on this thread.
    static var last: SystemError { SystemError(code: errno) }

    /// The description of the error, as the end of a sentence such as “a.png cannot be read: …”.
    package var reason: String {
      switch code {
      case ENOENT: "there is no such file or directory"
      case EACCES, EPERM: "permission denied"
      case EISDIR: "it is a directory"
      case ENOTDIR: "a part of the path is not a directory"
      case EEXIST: "it exists"
      case ENOSPC: "no space is left on the device"
      case EDQUOT: "the disk quota is exceeded"
      case EFBIG: "the file is too large for the system"
      case EROFS: "the file system is read-only"
      case ENAMETOOLONG: "the name is too long"
      case ELOOP: "there are too many symbolic links"
      case EINVAL: "the name or the operation is not valid"
      case ENXIO, ENODEV: "there is no such device"
      case EMFILE, ENFILE: "too many files are open"
      case ENOMEM, EAGAIN: "the system is out of memory or processes"
      case EPIPE: "the reader has closed it"
      case EBADF: "it is not open"
      case EIO: "input or output failed"
      case ENOSYS: "the platform does not support it"
      default: "error \(code) of the system"
      }
    }

    /// The path is not that of a file: it is empty or contains a zero byte.
    static let invalidPath = SystemError(code: EINVAL)
    /// There is no file.
    static let noEntry = SystemError(code: ENOENT)
    /// There are too many symbolic links.
    static let linkLoop = SystemError(code: ELOOP)
    /// The platform does not support the operation.
    static let unsupported = SystemError(code: ENOSYS)
    /// Whether there is no file with the name.
    var isNoEntry: Bool { code == ENOENT }
  #else
    /// The description of the error, as the end of a sentence such as “a.png cannot be read: …”.
    package var reason: String { "the platform does not support it" }

    /// The platform does not support the operation.
    static let unsupported = SystemError(code: -1)
  #endif
}
