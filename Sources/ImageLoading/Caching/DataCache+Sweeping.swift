// The size of a disk cache, and the removal of its oldest files.

internal import Foundation
internal import Threading

extension DataCache {
  /// The fraction of the size limit that a sweep leaves.
  private static let trimRatio = 0.7
  /// The time after the creation of a cache until its first sweep, in seconds.
  static let timeBeforeFirstSweep: TimeInterval = 5
  /// The age in seconds from which an incomplete file is one of a process that ended while it wrote.
  private static let ageOfAbandonedFiles: Double = 600

  /// The number of files, those that are about to be written included.
  public var totalCount: Int {
    flush()
    return statuses().count
  }

  /// The sum of the lengths of all files in bytes, those that are about to be written included.
  public var totalSize: Int {
    flush()
    return statuses().reduce(0) { $0 + $1.status.byteCount }
  }

  /// The space that all files take on the disk in bytes, those that are about to be written included.
  public var totalAllocatedSize: Int {
    flush()
    return statuses().reduce(0) { $0 + $1.status.allocatedByteCount }
  }

  /// Removes files if the size limit is exceeded, in the order of their last use, until seven tenths of it are left.
  public func sweep() {
    flush()
    folderAccess.withLock { _ in
      removeAbandonedFiles()
      let files = statuses().sorted { $0.status.modificationTime < $1.status.modificationTime }
      var byteCount = files.reduce(0) { $0 + $1.status.byteCount }
      let limit = sizeLimit
      guard byteCount > limit else { return }
      for file in files where Double(byteCount) > Double(limit) * Self.trimRatio {
        try? FileManager.default.removeItem(at: file.url)
        byteCount -= file.status.byteCount
      }
    }
  }

  func scheduleSweep(after delay: TimeInterval) {
    #if canImport(Dispatch)
      queue.asyncAfter(deadline: .now() + delay) { [weak self] in
        guard let self else { return }
        if isSweepEnabled { sweep() }
        scheduleSweep(after: max(TimeInterval.limiting(sweepInterval, default: 3600), 1))
      }
    #endif
  }

  /// The complete files of the folder.
  func files() -> [URL] {
    contents().filter { !$0.lastPathComponent.hasPrefix(".") }
  }

  private func contents() -> [URL] {
    (try? FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)) ?? []
  }

  /// Files that another process removes meanwhile are left out.
  private func statuses() -> [(url: URL, status: RegularFile)] {
    files().compactMap { url in RegularFile(atPath: url.path).map { (url, $0) } }
  }

  /// Removes incomplete files of processes that have ended. Other hidden files in the folder, such as `.nomedia`, are not
  /// the cache's.
  private func removeAbandonedFiles() {
    let now = Date().timeIntervalSince1970
    for url in contents() where Self.isNameOfIncompleteFile(url.lastPathComponent) {
      guard let status = RegularFile(atPath: url.path),
        now - status.modificationTime > Self.ageOfAbandonedFiles
      else { continue }
      try? FileManager.default.removeItem(at: url)
    }
  }

  /// Returns a name for a file that is being written: a dot and a UUID.
  static func makeNameOfIncompleteFile() -> String { ".\(UUID().uuidString)" }

  private static func isNameOfIncompleteFile(_ name: String) -> Bool {
    name.hasPrefix(".") && UUID(uuidString: String(name.dropFirst())) != nil
  }
}
