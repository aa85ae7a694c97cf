// Whether this module knows the system calls of the platform.

/// The file system.
package enum FileSystem {
  /// Whether files and directories can be used. If not, all calls throw an error.
  package static var isSupported: Bool {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      true
    #else
      false
    #endif
  }
}
