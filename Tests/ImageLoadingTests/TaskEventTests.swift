// Streams of events whose readers are slow.

import Foundation
import ImageLoading
import Testing

@Suite struct TaskEventTests {
  /// Returns a task whose decoder makes a preview of each part, after all events were delivered to its streams.
  private func finishedTask(
    partCount: Int, streams: (ImageTask) -> Void
  ) async throws -> ImageTask {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.makeImageDecoder = { _ in ImageDecoders.Empty(isProgressive: true) }
    }
    let task = pipeline.imageTask(with: testURL)
    streams(task)
    await loader.count.wait(for: 1)
    for part in 1...partCount {
      loader.loads.values[0].send(Data([UInt8(truncatingIfNeeded: part)]), total: -1)
      await settle { task.currentProgress.completed == part }
    }
    loader.loads.values[0].finish()
    _ = try await task.response
    return task
  }

  @Test func slowReadersReceiveTheLatestPreviewAndTheResult() async throws {
    var previews: AsyncStream<ImageResponse>?
    var events: AsyncStream<ImageTask.Event>?
    var progress: AsyncStream<ImageTask.Progress>?
    _ = try await finishedTask(partCount: 20) { task in
      (previews, events, progress) = (task.previews, task.events, task.progress)
    }
    let seen = await previews?.reduce(into: []) { $0.append($1.container.data?.count) }
    #expect(seen == [20])
    let completed = await progress?.reduce(into: []) { $0.append($1.completed) }
    #expect(completed == (1...20).map(Int64.init))
    var kinds: [String] = []
    for await event in try #require(events) {
      switch event {
      // Sent before or after the stream is requested.
      case .started: break
      case .progress(let progress): kinds.append("\(progress.completed)")
      case .preview(let response): kinds.append("preview \(response.container.data?.count ?? 0)")
      case .finished(.success): kinds.append("finished")
      case .finished(.failure): kinds.append("failed")
      }
    }
    #expect(kinds == (1...20).map { "\($0)" } + ["preview 20", "finished"])
  }

  /// Streams begin with the state that the task has reached before they are requested.
  @Test func streamsBeginWithTheCurrentState() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.makeImageDecoder = { _ in ImageDecoders.Empty(isProgressive: true) }
    }
    let task = pipeline.imageTask(with: testURL)
    let early = task.previews
    await loader.count.wait(for: 1)
    loader.loads.values[0].send(Data([1, 2, 3]), total: 5)
    for await _ in early { break }
    var progress = task.progress.makeAsyncIterator()
    #expect(await progress.next() == ImageTask.Progress(completed: 3, total: 5))
    var previews = task.previews.makeAsyncIterator()
    #expect(await previews.next()?.container.data?.count == 3)
    var events = task.events.makeAsyncIterator()
    if case .progress(let value)? = await events.next() {
      #expect(value.completed == 3)
    } else {
      Issue.record("no progress")
    }
    if case .preview? = await events.next() {} else { Issue.record("no preview") }
    task.cancel()
  }

  @Test func theLastEventIsNeverLost() async throws {
    var events: AsyncStream<ImageTask.Event>?
    _ = try await finishedTask(partCount: 300) { events = $0.events }
    var count = 0
    var last: ImageTask.Event?
    for await event in try #require(events) {
      count += 1
      last = event
    }
    #expect(count <= 256)
    if case .finished(.success)? = last {} else { Issue.record("\(String(describing: last))") }
  }

  @Test func streamsEndWithTheTaskThatReadsThem() async {
    let task = ImagePipeline.forTest(ScriptedLoader()).imageTask(with: testURL)
    let events = task.events
    let reader = Task {
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    reader.cancel()
    #expect(await reader.value == 0)
    task.cancel()
  }

  @Test(arguments: [.infinity, 1e300, .nan, -.infinity, -1, 0, .greatestFiniteMagnitude] as [Double])
  func timesMayHaveAnyValue(seconds: Double) async throws {
    let cache = ImageCache()
    cache.ttl = seconds
    let key = ImageCacheKey(key: "key")
    cache[key] = ImageContainer(image: try TestImages.bitmap(width: 2, height: 2))
    #expect((cache[key] != nil) == !(seconds <= 0))
    cache.ttl = nil
    cache.entryCostLimit = seconds
    cache[key] = ImageContainer(image: try TestImages.bitmap(width: 2, height: 2))
    #expect((cache[key] != nil) == !(seconds <= 0))
    let folder = TemporaryFolder()
    try DataCache(path: folder.url).sweepInterval = seconds
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.progressiveDecodingInterval = seconds
      $0.makeImageDecoder = { _ in ImageDecoders.Empty(isProgressive: true) }
    }
    let task = pipeline.imageTask(with: testURL)
    await loader.count.wait(for: 1)
    for part in 1...3 {
      loader.loads.values[0].send(Data([1]), total: -1)
      await settle { task.currentProgress.completed == part }
    }
    loader.loads.values[0].finish()
    _ = try await task.response
  }
}
