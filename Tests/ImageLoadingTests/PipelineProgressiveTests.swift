// Previews: when decoders are asked for them, and that the final image is never lost.

import Foundation
import ImageLoading
import TestSupport
import Testing
import Threading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A decoder whose calls are recorded and whose results the test determines.
private final class RecordingDecoder: ImageDecoding {
  enum Call: Equatable {
    case partial(Int), final(Int)
  }

  let calls = Log<Call>()
  let partialCount = Counter()
  private let preview: @Sendable (Data) -> PlatformImage?

  init(preview: @escaping @Sendable (Data) -> PlatformImage? = { _ in PlatformImage() }) {
    self.preview = preview
  }

  func decode(_ data: Data) throws -> ImageContainer {
    calls.append(.final(data.count))
    return ImageContainer(image: PlatformImage())
  }

  func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
    calls.append(.partial(data.count))
    partialCount.increment()
    return preview(data).map { ImageContainer(image: $0, isPreview: true) }
  }
}

private final class PolicyDelegate: ImagePipeline.Delegate {
  let byteCounts = Log<Int>()
  private let policy: @Sendable (Int) -> ImagePipeline.PreviewPolicy

  init(_ policy: @escaping @Sendable (Int) -> ImagePipeline.PreviewPolicy) {
    self.policy = policy
  }

  func previewPolicy(for context: ImageDecodingContext, pipeline: ImagePipeline) -> ImagePipeline.PreviewPolicy {
    byteCounts.append(context.data.count)
    return policy(context.data.count)
  }
}

@Suite struct PipelineProgressiveTests {
  /// Sends data in parts; each part after the first one follows when the closure returns.
  private func send(
    _ data: Data, in partCount: Int, to load: ScriptedLoader.Load, after: @Sendable (Int) async -> Void
  ) async {
    for part in 0..<partCount {
      let range = data.count * part / partCount..<data.count * (part + 1) / partCount
      load.send(data[range], total: data.count)
      await after(part)
    }
    load.finish()
  }

  private func load(
    _ data: Data, in partCount: Int, request: ImageRequest = ImageRequest(url: testURL),
    delegate: (any ImagePipeline.Delegate)? = nil, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) async throws -> (previews: [ImageResponse], final: ImageResponse, pipeline: ImagePipeline) {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader, delegate: delegate) {
      $0.isProgressiveDecodingEnabled = true
      configure(&$0)
    }
    let previews = Log<ImageResponse>()
    let isCompleted = Gate()
    // The stream of previews would have only the latest one if it is read late.
    let task = pipeline.loadImage(with: request) { preview, _, _ in
      if let preview { previews.append(preview) }
    } completion: { _ in
      isCompleted.open()
    }
    await loader.count.wait(for: 1)
    // The next part arrives when the pipeline has received the last one and is idle.
    await send(data, in: partCount, to: loader.loads.values[0]) { part in
      await settle { task.currentProgress.completed == data.count * (part + 1) / partCount }
      await settle { @ImagePipelineActor in
        pipeline.configuration.imageDecodingQueue.runningCount == 0
          && pipeline.configuration.imageProcessingQueue.runningCount == 0
      }
    }
    let final = try await task.response
    await isCompleted.wait()
    return (previews.values, final, pipeline)
  }

  @Test func scansOfAProgressiveJPEGBecomePreviews() async throws {
    let data = try TestImages.progressiveJPEG(width: 160, height: 120)
    let (previews, final, pipeline) = try await load(data, in: 40)
    #expect(previews.count >= 2)
    for (index, preview) in previews.enumerated() {
      #expect(preview.isPreview && preview.container.type == .jpeg)
      #expect(preview.container.userInfo[.scanNumberKey] as? Int == index + 1)
      #expect(preview.image.pixelSize == final.image.pixelSize)
    }
    #expect(!final.isPreview)
    #expect(final.container.userInfo[.scanNumberKey] as? Int == previews.count)
    #expect(try final.image.packedPixels == TestImages.decoded(data).packedPixels)
    // The final image has replaced the previews in the cache.
    #expect(pipeline.cache[testURL]?.isPreview == false)
  }

  @Test func previewsAreProcessedToo() async throws {
    let data = try TestImages.progressiveJPEG(width: 160, height: 120)
    let request = ImageRequest(url: testURL, processors: [.resize(width: 40)])
    let (previews, final, pipeline) = try await load(data, in: 40, request: request)
    #expect(previews.count >= 2 && previews.allSatisfy { $0.isPreview && $0.image.width == 40 })
    #expect(final.image.width == 40)
    #expect(pipeline.cache[request]?.isPreview == false && pipeline.cache[testURL] == nil)
  }

  @Test func onlyProgressiveFilesHavePreviewsByDefault() async throws {
    for data in [try TestImages.jpeg(width: 160, height: 120), try TestImages.png(width: 160, height: 120)] {
      #expect(try await load(data, in: 20).previews.isEmpty)
    }
    // Forced, rows are shown as they arrive.
    let delegate = PolicyDelegate { _ in .incremental }
    #expect(try await load(TestImages.png(width: 160, height: 120), in: 20, delegate: delegate).previews.count >= 2)
    #expect(delegate.byteCounts.values.count == 1)
  }

  @Test func aGIFHasOnePreviewAndItsDataIsAttached() async throws {
    let data = try TestImages.gif()
    let (previews, final, _) = try await load(data, in: 10)
    #expect(previews.count == 1 && previews.first?.container.data == nil)
    #expect(final.container.data == data && final.container.type == .gif)
    #expect(try await load(data, in: 10, delegate: PolicyDelegate { _ in .disabled }).previews.isEmpty)
  }

  @Test func previewsAreOffByDefault() async throws {
    let data = try TestImages.progressiveJPEG()
    #expect(try await load(data, in: 10) { $0.isProgressiveDecodingEnabled = false }.previews.isEmpty)
  }

  @Test func previewsCanBeKeptOutOfTheCache() async throws {
    let loader = ScriptedLoader()
    for isStoring in [true, false] {
      let pipeline = ImagePipeline.forTest(loader) {
        $0.isProgressiveDecodingEnabled = true
        $0.isStoringPreviewsInMemoryCache = isStoring
      }
      let data = try TestImages.gif()
      let task = pipeline.imageTask(with: testURL)
      let previews = task.previews
      await loader.count.wait(for: isStoring ? 1 : 2)
      let load = try #require(loader.loads.values.last)
      load.send(data.dropLast(), total: data.count)
      for await _ in previews { break }
      #expect(pipeline.cache[testURL]?.isPreview == (isStoring ? true : nil))
      load.finish(TestError())
      await #expect(throws: ImagePipeline.Error.self) { try await task.image }
    }
  }

  @Test func theIntervalIsRespected() async throws {
    let decoder = RecordingDecoder()
    let (previews, _, _) = try await load(Data(repeating: 1, count: 1000), in: 10) {
      $0.makeImageDecoder = { _ in decoder }
      $0.progressiveDecodingInterval = 3600
    }
    #expect(previews.count == 1)
    #expect(decoder.calls.values == [.partial(100), .final(1000)])
  }

  @Test func theLibrarysDecoderTakesEachByteOnceAndDoesNotWaitForTheInterval() async throws {
    let toy = ToyDecoder()
    let formats = ImageFormatRegistry()
    formats.register(toy)
    let file = ToyDecoder.file(width: 30, height: 30)
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader, delegate: PolicyDelegate { _ in .incremental }) {
      $0.isProgressiveDecodingEnabled = true
      $0.makeImageDecoder = { ImageDecoders.Default(context: $0, options: DecodingOptions(), formats: formats) }
      $0.progressiveDecodingInterval = 3600
    }
    let previewCount = Counter()
    let isCompleted = Gate()
    let task = pipeline.loadImage(with: ImageRequest(url: testURL)) { preview, _, _ in
      if preview != nil { previewCount.increment() }
    } completion: { _ in
      isCompleted.open()
    }
    await loader.count.wait(for: 1)
    let load = loader.loads.values[0]
    for start in stride(from: 0, to: file.count, by: 100) {
      let end = min(start + 100, file.count)
      load.send(Data(file[start..<end]), total: file.count)
      if end < file.count { await settle { toy.log.counts.appendedBytes == end } }
    }
    load.finish()
    #expect(try await task.response.image.packedPixels == ToyDecoder.pixels(width: 30, height: 30))
    await isCompleted.wait()
    #expect(previewCount.value == 1)
    #expect(toy.log.counts == ToyLog.Counts(sessions: 1, appendedBytes: file.count, finishes: 1, oneShots: 0))
  }

  @Test func chunksThatArriveWhileADecoderIsBusyAreDroppedExceptTheLast() async throws {
    let isBusy = Gate()
    let maySucceed = Gate()
    let decoder = RecordingDecoder { _ in
      isBusy.open()
      maySucceed.block()
      return PlatformImage()
    }
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.makeImageDecoder = { _ in decoder }
    }
    let task = pipeline.imageTask(with: testURL)
    await loader.count.wait(for: 1)
    let load = loader.loads.values[0]
    load.send(Data(repeating: 1, count: 100), total: 1000)
    await isBusy.wait()
    for _ in 0..<9 { load.send(Data(repeating: 1, count: 100), total: 1000) }
    load.finish()
    // All data has arrived while the first part is being decoded.
    await settle { task.currentProgress.completed == 1000 }
    #expect(decoder.calls.values == [.partial(100)])
    maySucceed.open()
    _ = try await task.response
    #expect(decoder.calls.values == [.partial(100), .final(1000)])
  }

  @Test func aPreviewThatWaitsIsReplacedByTheFinalImage() async throws {
    let decoder = RecordingDecoder()
    let loader = ScriptedLoader()
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.makeImageDecoder = { _ in decoder }
      $0.imageDecodingQueue = queue
    }
    let task = pipeline.imageTask(with: testURL)
    await loader.count.wait(for: 1)
    let load = loader.loads.values[0]
    for _ in 0..<10 { load.send(Data(repeating: 1, count: 100), total: 1000) }
    await settle { @ImagePipelineActor in queue.pendingCount == 1 && task.currentProgress.completed == 1000 }
    load.finish()
    queue.isSuspended = false
    _ = try await task.response
    let calls = decoder.calls.values
    #expect(calls.last == .final(1000) && calls.count <= 2)
  }

  @Test func failedPreviewsAreIgnored() async throws {
    let decoder = RecordingDecoder { _ in nil }
    let (previews, final, _) = try await load(Data(repeating: 1, count: 1000), in: 5) {
      $0.makeImageDecoder = { _ in decoder }
    }
    #expect(previews.isEmpty && !final.isPreview)
    #expect(decoder.calls.values == [.partial(200), .partial(400), .partial(600), .partial(800), .final(1000)])
  }

  @Test func theDecoderIsCreatedOnceAndReceivesPrefixes() async throws {
    let contexts = Log<ImageDecodingContext>()
    let decoder = RecordingDecoder()
    _ = try await load(Data(repeating: 1, count: 1000), in: 4) {
      $0.makeImageDecoder = { context in
        contexts.append(context)
        return decoder
      }
    }
    // Created for the first part; replaced by none, since the policy stays `disabled`.
    #expect(contexts.values.map(\.isCompleted) == [false])
    #expect(contexts.values.map(\.data.count) == [250])
  }

  @Test func decodersThatNeedAllDataAreAskedAgain() async throws {
    let contexts = Log<Bool>()
    let decoder = RecordingDecoder()
    _ = try await load(Data(repeating: 1, count: 1000), in: 4) {
      $0.makeImageDecoder = { context in
        contexts.append(context.isCompleted)
        return context.isCompleted ? decoder : nil
      }
    }
    #expect(contexts.values == [false, false, false, true])
    #expect(decoder.calls.values == [.final(1000)])
  }

  @Test func thePolicyIsEvaluatedAtMostSixTimesAndWhenTheDataHasDoubled() async throws {
    let delegate = PolicyDelegate { _ in .disabled }
    _ = try await load(Data(repeating: 1, count: 20_000), in: 200, delegate: delegate) {
      $0.makeImageDecoder = { _ in RecordingDecoder() }
    }
    #expect(delegate.byteCounts.values == [100, 200, 400, 800, 1600, 3200])
  }

  @Test func aDecoderWithoutPreviewsIsReplacedWhenThePolicyChanges() async throws {
    let policies = Log<ImagePipeline.PreviewPolicy>()
    let decoder = RecordingDecoder()
    let delegate = PolicyDelegate { $0 < 400 ? .disabled : .incremental }
    _ = try await load(Data(repeating: 1, count: 1000), in: 10, delegate: delegate) {
      $0.makeImageDecoder = { context in
        policies.append(context.previewPolicy)
        return decoder
      }
    }
    #expect(policies.values == [.disabled, .incremental])
    #expect(delegate.byteCounts.values == [100, 200, 400])
  }

  @Test func emptyDecodersPassPartialDataOn() async throws {
    let data = TestImages.svg
    let (previews, final, _) = try await load(data, in: 3) {
      $0.makeImageDecoder = { _ in ImageDecoders.Empty(assetType: .svg, isProgressive: true) }
    }
    #expect(previews.map(\.container.data?.count) == [data.count / 3, data.count * 2 / 3])
    #expect(final.container.data == data && final.image.isEmpty)
  }

  @Test func pendingProcessingIsCancelledWhenTheTaskFails() async throws {
    let loader = ScriptedLoader()
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let processed = Counter()
    let pipeline = ImagePipeline.forTest(loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.makeImageDecoder = { _ in RecordingDecoder() }
      $0.imageProcessingQueue = queue
    }
    let processor = ImageProcessors.Anonymous(id: "counting") { image in
      processed.increment()
      return image
    }
    let task = pipeline.imageTask(with: ImageRequest(url: testURL, processors: [processor]))
    await loader.count.wait(for: 1)
    loader.loads.values[0].send(Data(repeating: 1, count: 100), total: 1000)
    await settle { @ImagePipelineActor in queue.pendingCount == 1 }
    loader.loads.values[0].finish(TestError())
    await #expect(throws: ImagePipeline.Error.self) { try await task.image }
    #expect(await queue.pendingCount == 0)
    queue.isSuspended = false
    #expect(processed.value == 0)
  }
}
