// The loading of images by a pipeline: their sources, and the errors that it reports.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct PipelineLoadingTests {
  @Test func dataFromALoaderBecomesTheImageThatADecoderYields() async throws {
    let data = try TestImages.png()
    let loader = ScriptedLoader(data)
    let pipeline = ImagePipeline.forTest(loader)
    let task = pipeline.imageTask(with: testURL)
    let response = try await task.response
    #expect(try response.image.packedPixels == TestImages.decoded(data).packedPixels)
    #expect(response.container.type == .png && !response.isPreview && response.cacheType == nil)
    #expect(response.urlResponse?.url == testURL)
    #expect(loader.loads.values.map(\.request.url) == [testURL])
    #expect(task.state == .completed)
  }

  @Test func sourcesWithoutALoader() async throws {
    let data = try TestImages.png()
    let expected = try TestImages.decoded(data).packedPixels
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".png")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let dataURL = try #require(URL(string: "data:image/png;base64," + data.base64EncodedString()))
    let half = data.count / 2
    let chunks: @Sendable () -> AsyncStream<Data> = {
      AsyncStream { continuation in
        continuation.yield(data.prefix(half))
        continuation.yield(data.dropFirst(half))
        continuation.finish()
      }
    }
    let requests = [
      ImageRequest(url: file), ImageRequest(url: dataURL), ImageRequest(data: data),
      ImageRequest(id: "data", data: { data }), ImageRequest(id: "chunks", chunks: chunks),
      ImageRequest(id: "image", image: { ImageContainer(image: try TestImages.decoded(data)) }),
    ]
    for request in requests {
      #expect(try await pipeline.image(for: request).packedPixels == expected)
    }
    #expect(loader.count.value == 0)
  }

  @Test func urlRequestsReachTheLoaderUnchanged() async throws {
    let loader = ScriptedLoader(try TestImages.png())
    let pipeline = ImagePipeline.forTest(loader)
    var urlRequest = URLRequest(url: testURL)
    urlRequest.setValue("token", forHTTPHeaderField: "Authorization")
    let request = ImageRequest(urlRequest: urlRequest)
    #expect(request.url == testURL && request.urlRequest == urlRequest && request.imageID == testURL.absoluteString)
    _ = try await pipeline.image(for: request)
    #expect(loader.loads.values.first?.request.value(forHTTPHeaderField: "Authorization") == "token")
    #expect(ImageRequest(url: testURL).urlRequest == URLRequest(url: testURL))
  }

  @Test func errorsSayWhatFailed() async throws {
    let failing = ImagePipeline.forTest(ScriptedLoader { $0.finish(TestError()) })
    let error = await #expect(throws: ImagePipeline.Error.self) { try await failing.image(for: testURL) }
    #expect(error?.dataLoadingError as? TestError == TestError())

    let empty = ImagePipeline.forTest(ScriptedLoader { $0.finish() })
    await expectError(empty, testURL) { if case .dataIsEmpty = $0 { true } else { false } }

    let garbage = ImagePipeline.forTest(ScriptedLoader(Data("no image".utf8)))
    await expectError(garbage, testURL) { error in
      guard case .decodingFailed(let decoder, let context, ImageDecodingError.codec(let cause)) = error else {
        return false
      }
      return decoder is ImageDecoders.Default && context.data.count == 8 && cause.kind == .unrecognizedFormat
    }

    let noDecoder = ImagePipeline.forTest(ScriptedLoader(try TestImages.png())) { $0.makeImageDecoder = { _ in nil } }
    await expectError(noDecoder, testURL) { if case .decoderNotRegistered = $0 { true } else { false } }

    await expectError(empty, ImageRequest(url: nil)) { if case .imageRequestMissing = $0 { true } else { false } }
    await expectError(empty, ImageRequest(url: testURL, options: [.returnCacheDataDontLoad])) {
      if case .dataMissingInCache = $0 { true } else { false }
    }
    let malformed = try #require(URL(string: "data:image/png;base64"))
    await expectError(empty, malformed) { $0.dataLoadingError as? DataLoader.Error == .dataURLInvalid }
    await expectError(empty, URL(fileURLWithPath: "/nonexistent/\(UUID())")) { $0.dataLoadingError != nil }
  }

  @Test func processorsThatFail() async throws {
    let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png()))
    let request = ImageRequest(url: testURL, processors: [.process(id: "failing") { _ in nil }])
    await expectError(pipeline, request) { error in
      guard case .processingFailed(let processor, let context, let cause) = error else { return false }
      return processor.identifier == "failing" && context.isCompleted && cause as? ImageProcessingError == .unknown
    }
  }

  @Test func dataThatExceedsTheLimitIsNotLoaded() async throws {
    let data = try TestImages.png()
    // Once by the announced length, once by what arrives.
    for total in [data.count, -1] {
      let loader = ScriptedLoader { $0.send(data, total: total) }
      let pipeline = ImagePipeline.forTest(loader) { $0.maximumResponseDataSize = data.count - 1 }
      await expectError(pipeline, testURL) { if case .dataDownloadExceededMaximumSize = $0 { true } else { false } }
      await loader.loads.values[0].cancellation.wait()
    }
    let pipeline = ImagePipeline.forTest(ScriptedLoader(data)) { $0.maximumResponseDataSize = data.count }
    _ = try await pipeline.image(for: testURL)
  }

  @Test func dataIsReturnedWithoutDecoding() async throws {
    let data = Data("no image".utf8)
    let loader = ScriptedLoader(data)
    let (loaded, response) = try await ImagePipeline.forTest(loader).data(for: testURL)
    #expect(loaded == data && response?.url == testURL)
  }

  @Test func progressIsReported() async throws {
    let data = try TestImages.png()
    let hasListener = Gate()
    let loader = ScriptedLoader { load in
      hasListener.block()
      load.send(data.prefix(100), total: data.count)
      load.send(data.dropFirst(100), total: data.count)
      load.finish()
    }
    let task = ImagePipeline.forTest(loader).imageTask(with: testURL)
    let progress = task.progress
    hasListener.open()
    let all = await progress.reduce(into: []) { $0.append($1) }
    let total = Int64(data.count)
    #expect(all == [.init(completed: 100, total: total), .init(completed: total, total: total)])
    #expect(task.currentProgress.fraction == 1)
    #expect(ImageTask.Progress(completed: 5, total: 0).fraction == 0)
    #expect(ImageTask.Progress(completed: 5, total: 2).fraction == 1)
  }

  @Test func eventsEndWithTheResult() async throws {
    let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png()))
    let task = pipeline.imageTask(with: testURL)
    var last: ImageTask.Event?
    for await event in task.events { last = event }
    guard case .finished(.success) = last else {
      Issue.record("the last event is \(String(describing: last))")
      return
    }
    // A task that has ended repeats its last event.
    var late = 0
    for await _ in task.events { late += 1 }
    #expect(late == 1)
  }

  @Test func invalidatedPipelinesCancelTasksAndRefuseNewOnes() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    let task = pipeline.imageTask(with: testURL)
    await loader.count.wait(for: 1)
    pipeline.invalidate()
    let error = await #expect(throws: ImagePipeline.Error.self) { try await task.image }
    if case .cancelled? = error {} else { Issue.record("\(String(describing: error))") }
    await loader.loads.values[0].cancellation.wait()
    await expectError(pipeline, testURL) { if case .pipelineInvalidated = $0 { true } else { false } }
  }

  @Test func nothingIsRetainedAfterTheEnd() async throws {
    weak var weakPipeline: ImagePipeline?
    weak var weakTask: ImageTask?
    do {
      let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png()))
      let task = pipeline.imageTask(with: ImageRequest(url: testURL, processors: [.circle()]))
      weakPipeline = pipeline
      weakTask = task
      _ = try await task.image
      await settle { @ImagePipelineActor in pipeline.runningJobCount == 0 && pipeline.runningTaskCount == 0 }
    }
    await settle { weakPipeline == nil && weakTask == nil }
    #expect(weakPipeline == nil)
    #expect(weakTask == nil)
  }
}

/// Expects an error that meets a condition.
func expectError(
  _ pipeline: ImagePipeline, _ request: ImageRequest, _ isExpected: (ImagePipeline.Error) -> Bool,
  location: SourceLocation = #_sourceLocation
) async {
  do throws(ImagePipeline.Error) {
    _ = try await pipeline.image(for: request)
    Issue.record("there is no error", sourceLocation: location)
  } catch {
    #expect(isExpected(error), "\(error)", sourceLocation: location)
  }
}

func expectError(
  _ pipeline: ImagePipeline, _ url: URL, _ isExpected: (ImagePipeline.Error) -> Bool,
  location: SourceLocation = #_sourceLocation
) async {
  await expectError(pipeline, ImageRequest(url: url), isExpected, location: location)
}

/// Lets other tasks run until a condition is met, or gives up.
func settle(_ condition: () async -> Bool) async {
  for _ in 0..<10_000 {
    if await condition() { return }
    try? await Task.sleep(for: .milliseconds(1))
  }
}
