import Testing
import Threading

@Suite struct BackgroundWorkTests {
  @Test func jobsRunOnce() {
    for _ in 0..<200 {
      let calls = Mutex(0)
      let job = BackgroundJob { calls.withLock { $0 += 1 } }
      job.value()
      job.value()
      #expect(calls.withLock { $0 } == 1)
    }
  }

  @Test func abandonedJobsEnd() async {
    let done = CountingSemaphore()
    _ = BackgroundJob { done.signal() }
    if ParallelRows.isSupported { done.wait() }
  }

  @Test(arguments: [1, 3, 8]) func pipelinesProcessItemsInOrder(_ itemCount: Int) throws {
    for count in [0, 1, 2, 500] {
      let pipeline = ProcessingPipeline([Int](), items: [Int](repeating: 0, count: itemCount)) {
        (work: inout [Int], item: inout Int) in work.append(item)
      }
      pipeline.start()
      var next = 0
      while next < count, var item = pipeline.takeFreeItem() {
        item = next
        pipeline.submit(item)
        next += 1
      }
      var work = try #require(pipeline.takeBack())
      while next < count {
        work.append(next)
        next += 1
      }
      #expect(work == Array(0..<count))
    }
  }

  @Test func pipelinesThatWereNotStartedProcessOnTheCallersThread() throws {
    let pipeline = ProcessingPipeline(0, items: [0, 0]) { (work: inout Int, item: inout Int) in work += item }
    for value in [5, 7] {
      var item = try #require(pipeline.takeFreeItem())
      item = value
      pipeline.submit(item)
    }
    #expect(pipeline.takeFreeItem() == nil)
    #expect(pipeline.takeBack() == 12)
  }
}
