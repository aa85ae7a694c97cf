// Queues with many operations: the number of steps grows linearly, in whichever order they are cancelled.

import Foundation
import ImageLoading
import TestSupport
import Testing
import Threading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A key that counts how often it is compared and hashed.
private struct CountingKey: Hashable, Sendable {
  static let steps = Mutex(0)
  let value: Int

  static func == (lhs: CountingKey, rhs: CountingKey) -> Bool {
    steps.withLock { $0 += 1 }
    return lhs.value == rhs.value
  }

  func hash(into hasher: inout Hasher) {
    Self.steps.withLock { $0 += 1 }
    hasher.combine(value)
  }
}

@Suite struct TaskQueueTests {
  @Test func entriesOfAListAreRemovedInConstantTime() {
    var random = TestRandom(7)
    let count = 20_000
    var list = RecencyList<CountingKey, Int>()
    for value in 0..<count { list.insert(value, for: CountingKey(value: value), cost: 1) }
    let before = CountingKey.steps.withLock { $0 }
    for value in (0..<count).shuffled(using: &random) { list.remove(CountingKey(value: value)) }
    let steps = CountingKey.steps.withLock { $0 } - before
    #expect(list.count == 0)
    #expect(steps < 10 * count)
  }

  @Test func waitingTasksAreCancelledInAnyOrder() async {
    var random = TestRandom(9)
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) { $0.dataLoadingQueue = queue }
    let count = 5000
    let tasks = (0..<count).map { index in
      pipeline.imageTask(
        with: ImageRequest(
          url: testURL.appendingPathComponent("\(index)"), priority: index % 2 == 0 ? .normal : .low))
    }
    await settle { await queue.pendingCount == count }
    for task in tasks.dropLast().shuffled(using: &random) { task.cancel() }
    await settle { await queue.pendingCount == 1 }
    queue.isSuspended = false
    await loader.count.wait(for: 1)
    #expect(loader.loads.values.map(\.request.url) == [tasks.last?.request.url])
    tasks.last?.cancel()
    await settle { @ImagePipelineActor in pipeline.runningJobCount == 0 && queue.runningCount == 0 }
    #expect(await queue.runningCount == 0)
  }

  @Test func operationsOfEqualPriorityStartInTheirOrder() async throws {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let loader = ScriptedLoader(try TestImages.png(width: 4, height: 4))
    let pipeline = ImagePipeline.forTest(loader) { $0.dataLoadingQueue = queue }
    var tasks: [ImageTask] = []
    for index in 0..<30 {
      tasks.append(pipeline.imageTask(with: testURL.appendingPathComponent("\(index)")))
      await settle { await queue.pendingCount == index + 1 }
    }
    for index in stride(from: 0, to: 30, by: 3) { tasks[index].cancel() }
    await settle { await queue.pendingCount == 20 }
    queue.isSuspended = false
    for task in tasks where task.state != .cancelled { _ = try await task.image }
    #expect(
      loader.loads.values.map { $0.request.url?.lastPathComponent }
        == (0..<30).filter { $0 % 3 != 0 }.map { "\($0)" })
  }

  @Test func manyEqualRequestsShareAJob() async throws {
    var random = TestRandom(11)
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    let count = 3000
    let tasks = (0..<count).map {
      pipeline.imageTask(with: ImageRequest(url: testURL, priority: $0 == 7 ? .high : .low))
    }
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == count }
    for task in tasks.dropLast().shuffled(using: &random) { task.cancel() }
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == 1 }
    let data = try TestImages.png()
    loader.loads.values[0].send(data, total: data.count)
    loader.loads.values[0].finish()
    #expect(try await tasks[count - 1].image.width == 96)
    #expect(loader.count.value == 1)
  }
}
