// The disk cache: files, limits, and what remains after a crash.

import Foundation
import ImageLoading
import Testing

/// A folder that is removed with the value that holds it.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "image-loading-\(UUID())", isDirectory: true)

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }
}

@Suite struct DataCacheTests {
  private let folder = TemporaryFolder()

  private func makeCache() throws -> DataCache {
    try DataCache(path: folder.url, filenameGenerator: { $0 })
  }

  @Test func dataIsStoredAndRemoved() throws {
    let cache = try makeCache()
    cache.storeData(Data([1]), for: "a")
    cache["b"] = Data([2, 2])
    #expect(cache.cachedData(for: "a") == Data([1]) && cache["b"] == Data([2, 2]))
    #expect(cache.containsData(for: "a") && !cache.containsData(for: "c") && cache["c"] == nil)
    cache.flush()
    #expect(folder.names == ["a", "b"] && cache["a"] == Data([1]) && cache.containsData(for: "b"))
    #expect(try Data(contentsOf: #require(cache.url(for: "b"))) == Data([2, 2]))
    #expect(cache.totalCount == 2 && cache.totalSize == 3 && cache.totalAllocatedSize >= 0)
    cache.removeData(for: "a")
    #expect(cache["a"] == nil && !cache.containsData(for: "a"))
    cache.flush(for: "a")
    #expect(folder.names == ["b"])
    cache["b"] = Data([3])
    cache["b"] = nil
    cache.flush()
    #expect(folder.names.isEmpty)
  }

  @Test func removingEverythingKeepsWhatIsStoredAfterwards() throws {
    let cache = try makeCache()
    cache["a"] = Data([1])
    cache.flush()
    cache["b"] = Data([2])
    cache.removeAll()
    cache["c"] = Data([3])
    #expect(cache["a"] == nil && cache["b"] == nil && cache["c"] == Data([3]))
    cache.flush(for: "c")
    cache.flush()
    #expect(folder.names == ["c"])
  }

  @Test func dataIsWrittenEvenIfTheCacheIsReleased() throws {
    for index in 0..<20 {
      try makeCache()["\(index)"] = Data([UInt8(index)])
    }
    let cache = try makeCache()
    // The queues of the released caches have finished when the files exist.
    let deadline = Date() + 30
    while cache.totalCount < 20, Date() < deadline {}
    #expect(cache.totalCount == 20)
  }

  @Test func sweepsRemoveTheLeastRecentlyUsedFiles() throws {
    let cache = try makeCache()
    for index in 0..<10 {
      cache["\(index)"] = Data(repeating: 0, count: 100)
    }
    cache.flush()
    for index in 0..<10 {
      let date = Date(timeIntervalSince1970: 1_000_000 + Double(index))
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: folder.url.appendingPathComponent("\(index)").path)
    }
    cache.sizeLimit = 1000
    cache.sweep()
    #expect(cache.totalCount == 10)
    // Reading makes a file the most recently used one.
    _ = cache["0"]
    #if canImport(Dispatch)
      cache.queue.sync {}
    #endif
    cache.sizeLimit = 800
    cache.sweep()
    #expect(folder.names == ["0", "6", "7", "8", "9"])
    #expect(cache.totalSize == 500)
  }

  @Test func filesOfAProcessThatEndedWhileWritingAreIgnoredAndSwept() throws {
    let cache = try makeCache()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let abandoned = folder.url.appendingPathComponent(".1F0E4B0C-9F2D-4D57-8C4E-3B0A5D6E7F80")
    let current = folder.url.appendingPathComponent(".\(UUID())")
    // Files of other programs, which are as old.
    let foreign = [".keep", ".nomedia", ".1F0E4B0C", "..1F0E4B0C-9F2D-4D57-8C4E-3B0A5D6E7F80"]
    let old = [abandoned] + foreign.map { folder.url.appendingPathComponent($0) }
    for file in old + [current] { try Data(repeating: 1, count: 50).write(to: file) }
    for file in old {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: file.path)
    }
    cache["a"] = Data([1])
    #expect(cache.totalCount == 1 && cache.totalSize == 1)
    #expect(
      cache[abandoned.lastPathComponent] == nil && cache.filename(for: "../a") == nil && cache.filename(for: "") == nil)
    cache.sweep()
    #expect(folder.names == ([current.lastPathComponent, "a"] + foreign).sorted())
  }

  @Test func aFileIsEitherTheOldOrTheNewOne() async throws {
    let values = (0..<4).map { Data(repeating: UInt8($0), count: 100_000) }
    // Two caches on one folder are like two processes.
    let caches = [try makeCache(), try makeCache()]
    let reader = try makeCache()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, cache) in caches.enumerated() {
        group.addTask {
          for step in 0..<100 {
            cache["a"] = values[index * 2 + step % 2]
            if step % 10 == 9 { cache.removeAll() }
            cache.flush()
            if step % 20 == 19 { cache.sweep() }
          }
        }
      }
      group.addTask {
        for _ in 0..<400 {
          if let data = reader["a"] { #expect(values.contains(data)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(folder.names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func theFolderIsMadeAgain() throws {
    let cache = try makeCache()
    try FileManager.default.removeItem(at: folder.url)
    cache["a"] = Data([1])
    cache.flush()
    #expect(folder.names == ["a"])
    try FileManager.default.removeItem(at: folder.url)
    #expect(cache["a"] == nil && cache.totalCount == 0)
    cache.sweep()
  }

  @Test func foldersThatCannotBeMadeAreErrors() {
    #expect(throws: (any Error).self) { try DataCache(path: URL(fileURLWithPath: "/proc/nonexistent/cache")) }
  }

  @Test func filesAreNamedByDigests() {
    #expect(DataCache.filename(for: "") == nil)
    #expect(DataCache.filename(for: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
