// Prefetching: what is loaded, in which order, and when it ends.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct PrefetcherTests {
  private let urls = (0..<5).map { testURL.appendingPathComponent("\($0)") }

  @Test func imagesAreLoadedIntoTheCache() async throws {
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader)
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let completion = Gate()
    prefetcher.didComplete = { completion.open() }
    prefetcher.startPrefetching(with: urls + [urls[0]])
    await completion.wait()
    #expect(loader.count.value == 5)
    #expect(urls.allSatisfy { pipeline.cache[$0]?.image.width == 96 })
    #expect(loader.loads.values.allSatisfy { urls.contains($0.request.url ?? testURL) })
  }

  @Test func imagesInTheCacheAreNotLoaded() async throws {
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader)
    _ = try await pipeline.image(for: urls[0])
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let completion = Gate()
    prefetcher.didComplete = { completion.open() }
    prefetcher.startPrefetching(with: [urls[0]])
    await completion.wait()
    #expect(loader.count.value == 1)
  }

  @Test func dataIsLoadedWithoutDecoding() async throws {
    let folder = TemporaryFolder()
    let cache = try DataCache(path: folder.url)
    let data = Data("no image".utf8)
    let pipeline = ImagePipeline.forTest(ScriptedLoader(data)) { $0.dataCache = cache }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
    let completion = Gate()
    prefetcher.didComplete = { completion.open() }
    prefetcher.startPrefetching(with: urls)
    await completion.wait()
    #expect(urls.allSatisfy { cache[$0.absoluteString] == data && pipeline.cache[$0] == nil })
  }

  @Test func aLimitedNumberOfRequestsRuns() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 3)
    prefetcher.startPrefetching(with: urls)
    await loader.count.wait(for: 3)
    // A request of later is loaded before the other two.
    let later = Task { try await pipeline.data(for: testURL) }
    await loader.count.wait(for: 4)
    #expect(loader.loads.values.last?.request.url == testURL)
    loader.loads.values[0].finish(TestError())
    await loader.count.wait(for: 5)
    later.cancel()
    prefetcher.stopPrefetching()
    for load in loader.loads.values.dropFirst() { await load.cancellation.wait() }
    #expect(loader.count.value == 5)
  }

  @Test func pausedPrefetchersStartNothing() async throws {
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader)
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.isPaused = true
    #expect(prefetcher.isPaused)
    prefetcher.startPrefetching(with: urls)
    // A request of later is loaded before those of the prefetcher.
    _ = try await pipeline.image(for: testURL)
    #expect(loader.count.value == 1)
    prefetcher.isPaused = false
    await loader.count.wait(for: 6)
  }

  @Test func requestsCanBeStopped() async throws {
    let loader = ScriptedLoader()
    let prefetcher = ImagePrefetcher(pipeline: ImagePipeline.forTest(loader), maxConcurrentRequestCount: 1)
    prefetcher.startPrefetching(with: urls)
    await loader.count.wait(for: 1)
    prefetcher.stopPrefetching(with: Array(urls[0...3]))
    await loader.loads.values[0].cancellation.wait()
    await loader.count.wait(for: 2)
    #expect(loader.loads.values[1].request.url == urls[4])
  }

  @Test func releasedPrefetchersCancelTheirRequests() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    do {
      let prefetcher = ImagePrefetcher(pipeline: pipeline)
      prefetcher.startPrefetching(with: [urls[0]])
      await loader.count.wait(for: 1)
    }
    await loader.loads.values[0].cancellation.wait()
  }

  @Test func thePriorityIsThatOfThePrefetcher() async throws {
    let tasks = Log<ImageTask>()
    final class Delegate: ImagePipeline.Delegate {
      let tasks: Log<ImageTask>
      init(_ tasks: Log<ImageTask>) { self.tasks = tasks }
      func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) { tasks.append(task) }
    }
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader, delegate: Delegate(tasks))
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 1)
    #expect(prefetcher.priority == .low)
    prefetcher.startPrefetching(with: [urls[0], urls[1]])
    await loader.count.wait(for: 1)
    #expect(tasks.values.map(\.priority) == [.low])
    prefetcher.priority = .veryHigh
    await settle { tasks.values[0].priority == .veryHigh }
    loader.loads.values[0].finish(TestError())
    await loader.count.wait(for: 2)
    #expect(tasks.values.map(\.priority) == [.veryHigh, .veryHigh])
  }
}
