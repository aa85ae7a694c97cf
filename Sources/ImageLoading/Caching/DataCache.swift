// The default disk cache: a folder with a file for each key.

public import Foundation
internal import ImageCoding
internal import Threading

#if canImport(Dispatch)
  public import Dispatch
#endif

/// A cache that stores data in the files of a folder.
///
/// Data is written in the background; until then it is read from memory. A file is written under another name and then
/// renamed, so that it is always complete: the cache survives the end of the program, and several processes can use one
/// folder. When the files exceed ``sizeLimit``, those that have not been used for the longest time are removed.
public final class DataCache: DataCaching {
  /// Returns the name of the file for a key, or `nil` to store nothing for it.
  public typealias FilenameGenerator = @Sendable (String) -> String?

  /// The folder.
  public let path: URL

  struct Settings: Sendable {
    var sizeLimit = 150 << 20
    var sweepInterval: TimeInterval = 3600
    var isSweepEnabled = true
  }

  private let filenameGenerator: FilenameGenerator
  let settings = Mutex(Settings())
  private let staging = Mutex(DataCacheStaging())
  /// Held while the folder is changed, so that changes take effect in order.
  let folderAccess = Mutex(())

  #if canImport(Dispatch)
    /// The queue on which data is written and removed.
    public let queue = DispatchQueue(label: "swift-image-codecs.data-cache", qos: .utility)
  #endif

  /// The number of bytes that wait to be written, above which storing waits for the disk.
  private static let maximumStagedByteCount = 64 << 20

  /// Creates a cache in a folder of the user's caches.
  ///
  /// - Parameters:
  ///   - name: the name of the folder.
  ///   - filenameGenerator: names the files; by default by the SHA-256 digests of keys.
  /// - Throws: an error of the file system if the folder cannot be created.
  public convenience init(
    name: String, filenameGenerator: @escaping FilenameGenerator = DataCache.filename(for:)
  ) throws {
    let folder = try FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    try self.init(
      path: folder.appendingPathComponent(name, isDirectory: true), filenameGenerator: filenameGenerator)
  }

  /// Creates a cache in a folder, which is created if it does not exist.
  ///
  /// - Parameters:
  ///   - path: the folder of the cache, which is created if it does not exist.
  ///   - filenameGenerator: names the files; by default by the SHA-256 digests of keys.
  /// - Throws: an error of the file system if the folder cannot be created.
  public init(path: URL, filenameGenerator: @escaping FilenameGenerator = DataCache.filename(for:)) throws {
    self.path = path
    self.filenameGenerator = filenameGenerator
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    scheduleSweep(after: Self.timeBeforeFirstSweep)
  }

  /// The maximum sum of the lengths of all files after a sweep, in bytes. Default 150 MiB.
  public var sizeLimit: Int {
    get { settings.withLock { $0.sizeLimit } }
    set { settings.withLock { $0.sizeLimit = newValue } }
  }

  /// The time between two sweeps, in seconds. Default one hour. The first one takes place a few seconds after the cache is
  /// created. Values below 1 have the effect of 1, those above 10⁹, infinity included, of 10⁹, and NaN that of the default.
  public var sweepInterval: TimeInterval {
    get { settings.withLock { $0.sweepInterval } }
    set { settings.withLock { $0.sweepInterval = newValue } }
  }

  /// Whether sweeps take place at intervals. Default `true`.
  public var isSweepEnabled: Bool {
    get { settings.withLock { $0.isSweepEnabled } }
    set { settings.withLock { $0.isSweepEnabled = newValue } }
  }

  /// The data for a key.
  public subscript(key: String) -> Data? {
    get { cachedData(for: key) }
    set {
      if let newValue { storeData(newValue, for: key) } else { removeData(for: key) }
    }
  }

  /// Returns the data for a key. May read a file.
  public func cachedData(for key: String) -> Data? {
    guard let name = filename(for: key) else { return nil }
    switch staging.withLock({ $0.state(of: name) }) {
    case .stored(let data): return data
    case .removed: return nil
    case .unchanged: break
    }
    let file = file(named: name)
    guard let data = try? Data(contentsOf: file) else { return nil }
    performInOrder { RegularFile.touch(atPath: file.path) }
    return data
  }

  /// Returns whether there is data for a key. May access the file system.
  public func containsData(for key: String) -> Bool {
    guard let name = filename(for: key) else { return false }
    return switch staging.withLock({ $0.state(of: name) }) {
    case .stored: true
    case .removed: false
    case .unchanged: RegularFile(atPath: file(named: name).path) != nil
    }
  }

  /// Stores data, which is written soon afterwards. If more than 64 MiB wait to be written, this waits for the disk.
  public func storeData(_ data: Data, for key: String) {
    guard let name = filename(for: key) else { return }
    let stagedByteCount = staging.withLock { staging in
      staging.store(data, name: name)
      return staging.byteCount
    }
    if stagedByteCount > Self.maximumStagedByteCount { flush() } else { scheduleFlush() }
  }

  /// Removes the data for a key.
  public func removeData(for key: String) {
    guard let name = filename(for: key) else { return }
    staging.withLock { $0.remove(name: name) }
    scheduleFlush()
  }

  /// Removes all data.
  public func removeAll() {
    staging.withLock { $0.removeAll() }
    scheduleFlush()
  }

  /// Returns the name of the file for a key, or `nil` if data for this key is not stored.
  public func filename(for key: String) -> String? {
    // Names of hidden files are those of incomplete ones.
    guard let name = filenameGenerator(key), !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else {
      return nil
    }
    return name
  }

  /// Returns the default name of the file for a key: its SHA-256 digest in hexadecimal digits; `nil` for the empty key.
  @Sendable public static func filename(for key: String) -> String? {
    key.isEmpty ? nil : SHA256.hexDigest(of: Array(key.utf8).span)
  }

  /// Returns the URL of the file for a key, which may not exist.
  public func url(for key: String) -> URL? {
    filename(for: key).map(file(named:))
  }

  private func file(named name: String) -> URL {
    path.appendingPathComponent(name, isDirectory: false)
  }

  /// Writes and removes files until the folder has the state of the cache.
  public func flush() {
    folderAccess.withLock { _ in
      let changes = staging.withLock { $0.changes }
      if changes.removesAll { removeFiles() }
      for (name, change) in changes.files { apply(change, name: name) }
      staging.withLock { $0.remove(applied: changes) }
    }
  }

  /// Writes or removes the file for a key, if the folder does not have the state of the cache.
  public func flush(for key: String) {
    guard let name = filename(for: key) else { return }
    let removesAll = staging.withLock { $0.changes.removesAll }
    if removesAll { return flush() }
    folderAccess.withLock { _ in
      let change = staging.withLock { $0.changes.files[name] }
      guard let change else { return }
      apply(change, name: name)
      staging.withLock { $0.remove(applied: change, name: name) }
    }
  }

  private func apply(_ change: DataCacheStaging.Change, name: String) {
    let file = file(named: name)
    if let data = change.data {
      write(data, to: file)
    } else {
      try? FileManager.default.removeItem(at: file)
    }
  }

  /// Writes a file. Failure is ignored, as if the data had been swept.
  private func write(_ data: Data, to file: URL) {
    let incomplete = path.appendingPathComponent(Self.makeNameOfIncompleteFile(), isDirectory: false)
    var isWritten = (try? data.write(to: incomplete)) != nil
    if !isWritten {
      // Another process may have removed the folder.
      try? FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      isWritten = (try? data.write(to: incomplete)) != nil
    }
    if !isWritten || !RegularFile.replace(atPath: file.path, withFileAtPath: incomplete.path) {
      try? FileManager.default.removeItem(at: incomplete)
    }
  }

  private func removeFiles() {
    for file in files() { try? FileManager.default.removeItem(at: file) }
  }

  private func scheduleFlush() {
    let isScheduled = staging.withLock { staging in
      defer { staging.isFlushScheduled = true }
      return staging.isFlushScheduled
    }
    if isScheduled { return }
    performInOrder { [self] in
      staging.withLock { $0.isFlushScheduled = false }
      flush()
    }
  }

  /// Runs a closure in the background, or at once on platforms without threads.
  private func performInOrder(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Dispatch)
      queue.async { body() }
    #else
      body()
    #endif
  }
}
