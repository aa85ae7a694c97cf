// Many tasks at once: the images equal those that are decoded one after another.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct PipelineConcurrencyTests {
  private static func files() throws -> [Data] {
    var files: [Data] = [TestImages.svg, try TestImages.gif()]
    for seed in 0..<4 {
      files += [
        try TestImages.png(width: 60 + seed, seed: seed), try TestImages.jpeg(width: 80 + seed, seed: seed),
        try TestImages.progressiveJPEG(width: 90 + seed, seed: seed),
        Data(try TestImages.bitmap(seed: seed).encoded(as: .tiff)),
        Data(try TestImages.bitmap(seed: seed).encoded(as: .bmp)),
      ]
    }
    return files
  }

  @Test func sixtyFourTasksYieldTheSamePixelsAsOneAfterAnother() async throws {
    let files = try Self.files()
    let expected = try files.map { try TestImages.decoded($0).packedPixels }
    let loader = ScriptedLoader { load in
      let index = Int(load.request.url?.lastPathComponent ?? "") ?? 0
      let data = files[index % files.count]
      Task {
        for start in stride(from: 0, to: data.count, by: 1000) {
          load.send(data[start..<min(start + 1000, data.count)], total: data.count)
          await Task.yield()
        }
        load.finish()
      }
    }
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.imageCache = nil
    }
    let cancelled = Counter()
    try await withThrowingTaskGroup(of: (Int, [UInt8]?).self) { group in
      for index in 0..<64 {
        group.addTask {
          let task = pipeline.imageTask(with: testURL.appendingPathComponent("\(index)"))
          // Some are cancelled, at any stage.
          if index % 8 == 7 {
            for await _ in task.events { task.cancel() }
            cancelled.increment()
            return (index, nil)
          }
          task.priority = [.low, .normal, .high][index % 3]
          return (index, try await task.image.packedPixels)
        }
      }
      for try await (index, pixels) in group {
        if let pixels { #expect(pixels == expected[index % files.count]) }
      }
    }
    #expect(cancelled.value == 8)
    await settle { @ImagePipelineActor in pipeline.runningJobCount == 0 && pipeline.runningTaskCount == 0 }
    #expect(await pipeline.runningJobCount == 0)
    #expect(await pipeline.runningTaskCount == 0)
  }

  @Test func cachesAreSharedByThreads() async throws {
    let cache = ImageCache(costLimit: 50_000)
    let image = ImageContainer(image: try TestImages.bitmap(width: 20, height: 20))
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for step in 0..<500 {
            let key = ImageCacheKey(key: "\(step % 60)")
            switch (step + thread) % 4 {
            case 0: cache[key] = image
            case 1: _ = cache[key]
            case 2: cache[key] = nil
            default: cache.trim(toCount: 20)
            }
          }
        }
      }
    }
    #expect(cache.totalCost == cache.totalCount * 20 * 20 * 3)
  }

  @Test func tasksAreCancelledFromManyThreads() async throws {
    let pipeline = ImagePipeline.forTest(ScriptedLoader())
    let tasks = (0..<16).map { _ in pipeline.imageTask(with: testURL) }
    await withTaskGroup(of: Void.self) { group in
      for task in tasks {
        for _ in 0..<4 {
          group.addTask {
            task.cancel()
            task.priority = .high
          }
        }
        group.addTask { for await _ in task.events {} }
      }
    }
    #expect(tasks.allSatisfy { $0.state == .cancelled })
    await settle { @ImagePipelineActor in pipeline.runningJobCount == 0 }
    #expect(await pipeline.runningJobCount == 0)
  }
}
