// Directories, and paths without symbolic links.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Lists and creates directories. Paths and names are bytes, since they need not be UTF-8.
package enum Directories {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// Returns the names in a directory, without `.` and `..`, in no particular order.
    package static func names(in path: [UInt8]) throws(SystemError) -> [[UInt8]] {
      // SAFETY: the listing is used and closed within the call; an entry's name ends with a zero byte and is copied
      // before the next entry is read.
      guard let listing = try unsafe withPath(path, { unsafe opendir($0) }) else { throw .last }
      defer { unsafe closedir(listing) }
      var names: [[UInt8]] = []
      while let entry = unsafe readdir(listing) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe [UInt8](bytes.prefix { $0 != 0 })
        }
        if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
      }
      return names
    }

    /// Creates a directory and its parents unless they exist.
    package static func create(_ path: [UInt8]) throws(SystemError) {
      let slash = UInt8(ascii: "/")
      for end in path.indices.dropFirst() where path[end] == slash && path[end - 1] != slash {
        try createOne(Array(path[..<end]))
      }
      try createOne(path)
    }

    private static func createOne(_ path: [UInt8]) throws(SystemError) {
      // SAFETY: the call reads a path that ends with a zero byte.
      guard try unsafe withPath(path, { unsafe mkdir($0, 0o777) }) != 0 else { return }
      let error = SystemError.last
      // The directory may exist, or be the root of a file system that cannot be written.
      guard (try? FileStatus(path: path))?.kind == .directory else { throw error }
    }

    /// Returns the absolute path of an existing file without symbolic links and `..`.
    package static func realPath(_ path: [UInt8]) throws(SystemError) -> [UInt8] {
      // SAFETY: the call reads a path that ends with a zero byte, and returns a string, which is copied and freed.
      guard let result = try unsafe withPath(path, { unsafe realpath($0, nil) }) else { throw .last }
      defer { unsafe free(result) }
      return unsafe UnsafeBufferPointer(start: result, count: strlen(result)).map { UInt8(bitPattern: $0) }
    }
  #else
    /// This platform has no directories.
    package static func names(in path: [UInt8]) throws(SystemError) -> [[UInt8]] { throw .unsupported }

    /// This platform has no directories.
    package static func create(_ path: [UInt8]) throws(SystemError) { throw .unsupported }

    /// This platform has no directories.
    package static func realPath(_ path: [UInt8]) throws(SystemError) -> [UInt8] { throw .unsupported }
  #endif
}
