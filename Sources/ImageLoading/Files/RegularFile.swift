// The calls of the file system that Foundation does not offer in this form. No other file here calls C.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Foundation
#endif

/// The properties of a regular file.
struct FileStatus: Sendable {
  /// The length in bytes.
  let byteCount: Int
  /// The space on the disk in bytes.
  let allocatedByteCount: Int
  /// The time of the last modification, in seconds since 1970.
  let modificationTime: Double
}

enum FileSystemCalls {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// Moves a file, and replaces the file at its destination. At any time there is either the old file or the new one.
    static func replaceFile(atPath destination: String, withFileAtPath source: String) -> Bool {
      // SAFETY: the strings are converted to C strings for the duration of the call.
      unsafe rename(source, destination) == 0
    }

    /// Returns the properties of a regular file, or `nil` if there is none.
    static func status(ofFileAtPath path: String) -> FileStatus? {
      var status = stat()
      // SAFETY: the call writes one structure.
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      return FileStatus(
        byteCount: Int(status.st_size), allocatedByteCount: Int(status.st_blocks) * 512,
        modificationTime: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// Sets the time of the last modification to the current time.
    static func touchFile(atPath path: String) {
      // SAFETY: without times the call reads no memory but the path.
      _ = unsafe utimes(path, nil)
    }
  #else
    static func replaceFile(atPath destination: String, withFileAtPath source: String) -> Bool {
      try? FileManager.default.removeItem(atPath: destination)
      return (try? FileManager.default.moveItem(atPath: source, toPath: destination)) != nil
    }

    static func status(ofFileAtPath path: String) -> FileStatus? {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular, let byteCount = attributes[.size] as? Int
      else { return nil }
      let date = attributes[.modificationDate] as? Date
      return FileStatus(
        byteCount: byteCount, allocatedByteCount: byteCount, modificationTime: date?.timeIntervalSince1970 ?? 0)
    }

    static func touchFile(atPath path: String) {
      try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
    }
  #endif
}
