// The parts of loading that need no network: data URLs, the rate of requests, queues.

import Foundation
import ImageLoading
import Testing

@Suite struct LoadingPartsTests {
  @Test(
    arguments: [
      ("data:,A%20brief%20note", "", "A brief note"), ("data:text/plain;charset=utf-8,a,b", "text/plain", "a,b"),
      ("DATA:image/png;base64,aGk=", "image/png", "hi"), ("data:;BASE64,aGk%3D", "", "hi"), ("data:,", "", ""),
    ])
  func dataURLs(text: String, mimeType: String, contents: String) throws {
    let url = try #require(URL(string: text))
    let contentsOfURL = try #require(DataURL(url))
    #expect(contentsOfURL.mimeType == mimeType && contentsOfURL.data == Data(contents.utf8))
  }

  @Test(arguments: ["data:image/png;base64", "data:;base64,a", "http://example.com/,", "dat"])
  func malformedDataURLs(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(DataURL(url) == nil)
  }

  @Test func tokensAreAddedAtARate() {
    var bucket = TokenBucket(rate: 10, burst: 3, time: .zero)
    for _ in 0..<3 { #expect(bucket.take(at: .zero) == nil) }
    #expect(bucket.take(at: .zero) == .milliseconds(100))
    #expect(bucket.take(at: .milliseconds(60)) == .milliseconds(40))
    #expect(bucket.take(at: .milliseconds(100)) == nil)
    // No more than the burst is saved up, and time that goes back counts as none.
    for _ in 0..<3 { #expect(bucket.take(at: .seconds(100)) == nil) }
    #expect(bucket.take(at: .seconds(100)) != nil && bucket.take(at: .seconds(1)) != nil)
  }

  @Test func requestsBeyondTheBurstStartLater() async throws {
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isRateLimiterEnabled = true
      $0.dataLoadingQueue.maxConcurrentOperationCount = 100
    }
    let tasks = (0..<40).map { pipeline.imageTask(with: testURL.appendingPathComponent("\($0)")) }
    for task in tasks { _ = try await task.image }
    #expect(loader.count.value == 40)
  }

  @Test func queuesLimitWhatRuns() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 2)
    #expect(queue.maxConcurrentOperationCount == 2 && !queue.isSuspended)
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) { $0.dataLoadingQueue = queue }
    let tasks = (0..<6).map { pipeline.imageTask(with: testURL.appendingPathComponent("\($0)")) }
    await loader.count.wait(for: 2)
    await settle { @ImagePipelineActor in queue.pendingCount == 4 }
    #expect(await queue.runningCount == 2)
    queue.maxConcurrentOperationCount = 4
    await loader.count.wait(for: 4)
    for task in tasks { task.cancel() }
    await settle { @ImagePipelineActor in queue.runningCount == 0 && queue.pendingCount == 0 }
    #expect(await queue.runningCount == 0)
    #expect(loader.count.value == 4)
  }

  @Test func requestsThatSkipTheQueue() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) { $0.dataLoadingQueue = queue }
    let task = pipeline.imageTask(with: ImageRequest(url: testURL, options: [.skipDataLoadingQueue]))
    await loader.count.wait(for: 1)
    task.cancel()
  }

  @Test func platformsWithoutNetworkingHaveTheirOwnLoader() async {
    let error = DataLoader.Error.unsupported
    #expect("\(error)" == "the platform has no URL loading system")
    #expect("\(DataLoader.Error.dataIncomplete(received: 3, expected: 5))" == "the response ended after 3 of 5 bytes")
  }
}
