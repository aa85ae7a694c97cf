// The storage of interrupted responses on disk by a pipeline, and its thread.

import Foundation
import ImageLoading
import Testing
import Threading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A disk cache that stores nothing, and waits for a gate first.
private final class WaitingDataCache: DataCaching {
  let stores = Counter()
  let mayStore = Gate()

  func cachedData(for key: String) -> Data? { nil }
  func containsData(for key: String) -> Bool { false }
  func storeData(_ data: Data, for key: String) {
    stores.increment()
    mayStore.block()
  }
  func removeData(for key: String) {}
  func removeAll() {}
}

@Suite struct ServerStorageTests {
  /// The framing of the body of a response.
  enum Framing: CaseIterable {
    case length, chunks, connection
  }

  private func makeServer(_ data: Data, _ framing: Framing) throws -> LoopbackServer {
    try LoopbackServer { exchange in
      switch framing {
      case .length: exchange.respond(body: data)
      case .chunks: exchange.respondChunked(body: data)
      case .connection:
        exchange.head(length: nil)
        exchange.send(data)
      }
    }
  }

  private func stored(_ data: Data, _ framing: Framing, decoding: Bool) async throws -> [String] {
    let server = try makeServer(data, framing)
    let cache = RecordingDataCache()
    let pipeline = ImagePipeline.forServer { $0.dataCache = cache }
    if decoding {
      _ = try? await pipeline.image(for: server.url)
    } else {
      #expect(try await pipeline.data(for: server.url).0 == data)
    }
    return cache.keys
  }

  private static func files() throws -> [Data] {
    [
      try TestImages.png(), try TestImages.jpeg(), try TestImages.progressiveJPEG(), try TestImages.gif(),
      TestImages.svg,
      // Complete, although its letters are missing without a font.
      Data(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text font-family='none'>a</text></svg >\n".utf8),
    ]
  }

  @Test(arguments: Framing.allCases) func completeFilesAreStored(framing: Framing) async throws {
    for data in try Self.files() {
      #expect(try await stored(data, framing, decoding: true).count == 1)
      #expect(try await stored(data, framing, decoding: false).count == 1)
    }
  }

  @Test(arguments: Framing.allCases) func filesThatWereCutAreNotStored(framing: Framing) async throws {
    for data in try Self.files() {
      let cut = data.prefix(data.count * 3 / 4)
      // Most are decoded leniently, as by browsers.
      #expect(try await stored(cut, framing, decoding: true).isEmpty, "\(String(describing: AssetType(data)))")
      if framing == .connection { #expect(try await stored(cut, framing, decoding: false).isEmpty) }
    }
  }

  @Test func whatIsNoImageIsStoredForDataTasksIfItsLengthIsKnown() async throws {
    let text = Data("no image".utf8)
    for framing in Framing.allCases {
      #expect(try await stored(text, framing, decoding: false).count == (framing == .connection ? 0 : 1))
    }
  }

  @Test func lengthsThatAreTooLargeAreErrorsAndNothingIsStored() async throws {
    let data = try TestImages.png()
    let server = try LoopbackServer { exchange in
      exchange.head(length: data.count + 1)
      exchange.send(data)
    }
    let cache = RecordingDataCache()
    let pipeline = ImagePipeline.forServer { $0.dataCache = cache }
    await expectError(pipeline, server.url) { $0.dataLoadingError != nil }
    #expect(cache.keys.isEmpty)
  }

  @Test(arguments: [true, false]) func thePipelineWorksWhileDataIsBeingStored(isAsynchronous: Bool) async throws {
    let cache = WaitingDataCache()
    let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png())) {
      $0.dataCache = cache
      if !isAsynchronous { $0.makeImageDecoder = { _ in ImageDecoders.Empty() } }
    }
    let image = Task { try await pipeline.image(for: testURL) }
    await cache.stores.wait(for: 1)
    let data = Task { try await pipeline.data(for: testURL.appendingPathComponent("data")) }
    await cache.stores.wait(for: 2)
    // An image in memory is returned although the cache has not stored anything yet.
    let other = testURL.appendingPathComponent("other")
    pipeline.cache[other] = ImageContainer(image: try TestImages.bitmap())
    #expect(try await pipeline.imageTask(with: other).response.cacheType == .memory)
    #expect(!cache.mayStore.isOpen)
    cache.mayStore.open()
    _ = try await image.value
    _ = try await data.value
    #expect(cache.stores.value == 2)
  }
}
