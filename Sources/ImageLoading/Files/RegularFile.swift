// The calls of the file system that Foundation does not offer in this form, or that are slower. Foundation is used where
// the system's are not known.

internal import Foundation
internal import Platform

/// The properties of a regular file.
struct RegularFile: Sendable {
  /// The length in bytes.
  let byteCount: Int
  /// The space on the disk in bytes.
  let allocatedByteCount: Int
  /// The time of the last modification, in seconds since 1970.
  let modificationTime: Double

  /// Reads the properties of a file, or returns `nil` if there is none or it is not regular.
  init?(atPath path: String) {
    guard FileSystem.isSupported else {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular, let byteCount = attributes[.size] as? Int
      else { return nil }
      (self.byteCount, allocatedByteCount) = (byteCount, byteCount)
      modificationTime = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      return
    }
    guard let status = try? FileStatus(path: Array(path.utf8), followsLinks: false), status.kind == .regular else {
      return nil
    }
    byteCount = Int(clamping: status.byteCount)
    allocatedByteCount = Int(clamping: status.allocatedByteCount)
    modificationTime = status.modificationTime
  }

  /// Moves a file, and replaces the file at its destination. At any time there is either the old file or the new one.
  static func replace(atPath destination: String, withFileAtPath source: String) -> Bool {
    guard FileSystem.isSupported else {
      try? FileManager.default.removeItem(atPath: destination)
      return (try? FileManager.default.moveItem(atPath: source, toPath: destination)) != nil
    }
    return (try? FileReplacement.move(Array(source.utf8), to: Array(destination.utf8))) != nil
  }

  /// Sets the time of the last modification to the current time.
  static func touch(atPath path: String) {
    guard FileSystem.isSupported else {
      try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
      return
    }
    FileStatus.touch(path: Array(path.utf8))
  }
}
