// Requests that share work, and what their priorities and cancellation mean for it.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct PipelineCoalescingTests {
  /// Returns a loader that delivers data once the gate is open.
  private func heldLoader(_ data: Data, _ gate: Gate) -> ScriptedLoader {
    ScriptedLoader { load in
      Task {
        await gate.wait()
        load.send(data, total: data.count)
        load.finish()
      }
    }
  }

  @Test func equalRequestsShareAllWork() async throws {
    let gate = Gate()
    let loader = heldLoader(try TestImages.png(), gate)
    let decodings = Counter()
    let processings = Counter()
    let pipeline = ImagePipeline.forTest(loader) {
      $0.makeImageDecoder = { context in
        decodings.increment()
        return ImageDecoders.Default(context: context)
      }
    }
    let processor = ImageProcessors.Anonymous(id: "counting") { image in
      processings.increment()
      return image
    }
    let tasks = (0..<5).map { _ in
      pipeline.imageTask(with: ImageRequest(url: testURL, processors: [processor]))
    }
    await loader.count.wait(for: 1)
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == 5 }
    #expect(await pipeline.runningJobCount == 4)
    gate.open()
    for task in tasks { #expect(try await task.image.width == 96) }
    #expect(loader.count.value == 1 && decodings.value == 1 && processings.value == 1)
  }

  /// The identifier tells where an image is stored, the URL what is loaded.
  @Test func urlsOfOneIdentifierAreLoadedSeparately() async throws {
    let gate = Gate()
    let loader = heldLoader(try TestImages.png(), gate)
    let pipeline = ImagePipeline.forTest(loader)
    let requests = ["first", "second"].map { query in
      var request = ImageRequest(url: URL(string: "http://example.com/image?\(query)"))
      request.imageID = "image"
      return request
    }
    let tasks = requests.map { pipeline.imageTask(with: $0) }
    await loader.count.wait(for: 2)
    gate.open()
    for task in tasks { #expect(try await task.image.width == 96) }
    #expect(Set(loader.loads.values.map(\.request.url)) == Set(requests.map(\.url)))
    #expect(requests.allSatisfy { pipeline.cache[$0] != nil })
    #expect(try await pipeline.imageTask(with: requests[0]).response.cacheType == .memory)
  }

  /// The response may be meant for the sender of the request only.
  @Test func requestsWithDifferentHeadersOrBodiesAreLoadedSeparately() async throws {
    let gate = Gate()
    let loader = heldLoader(try TestImages.png(), gate)
    let pipeline = ImagePipeline.forTest(loader)
    var requests = [URLRequest(url: testURL)]
    for token in ["first", "second", "first"] {
      var request = URLRequest(url: testURL)
      request.setValue(token, forHTTPHeaderField: "Authorization")
      requests.append(request)
    }
    for body in ["first", "second"] {
      var request = URLRequest(url: testURL)
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
      requests.append(request)
    }
    let tasks = requests.map { pipeline.imageTask(with: ImageRequest(urlRequest: $0)) }
    await loader.count.wait(for: 5)
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == requests.count }
    gate.open()
    for task in tasks { _ = try await task.image }
    let tokens = loader.loads.values.compactMap { $0.request.value(forHTTPHeaderField: "Authorization") }
    #expect(tokens.sorted() == ["first", "second"])
    #expect(Set(loader.loads.values.compactMap(\.request.httpBody)) == Set(requests.compactMap(\.httpBody)))
    #expect(loader.count.value == 5)
  }

  @Test func aURLAndItsRequestShareTheDownload() async throws {
    let gate = Gate()
    let loader = heldLoader(try TestImages.png(), gate)
    let pipeline = ImagePipeline.forTest(loader)
    let plain = URLRequest(url: testURL)
    var custom = plain
    custom.cachePolicy = .reloadIgnoringLocalCacheData
    let requests = [ImageRequest(url: testURL), ImageRequest(urlRequest: plain), ImageRequest(urlRequest: custom)]
    #expect(requests[1].urlRequest == plain && requests[2].urlRequest == custom)
    let tasks = requests.map { pipeline.imageTask(with: $0) }
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == 3 }
    gate.open()
    for task in tasks { _ = try await task.image }
    #expect(
      loader.loads.values.map(\.request.cachePolicy).sorted { $0.rawValue < $1.rawValue }
        == [.useProtocolCachePolicy, .reloadIgnoringLocalCacheData])
  }

  @Test func commonProcessorsRunOnce() async throws {
    let gate = Gate()
    let loader = heldLoader(try TestImages.png(), gate)
    let pipeline = ImagePipeline.forTest(loader)
    let calls = Log<String>()
    func processor(_ id: String) -> ImageProcessors.Anonymous {
      ImageProcessors.Anonymous(id: id) { image in
        calls.append(id)
        return image
      }
    }
    let requests = [["a"], ["a", "b"], ["a", "c"]].map { ids in
      ImageRequest(url: testURL, processors: ids.map(processor))
    }
    let tasks = requests.map { pipeline.imageTask(with: $0) }
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == 3 }
    gate.open()
    for task in tasks { _ = try await task.image }
    #expect(calls.values.sorted() == ["a", "b", "c"])
    // Only what was asked for is cached.
    #expect(pipeline.cache[testURL] == nil)
    #expect(requests.allSatisfy { pipeline.cache[$0] != nil })
  }

  @Test func thumbnailsShareTheDataOnly() async throws {
    let gate = Gate()
    let loader = heldLoader(try TestImages.png(), gate)
    let pipeline = ImagePipeline.forTest(loader)
    var small = ImageRequest(url: testURL)
    small.thumbnail = .init(maxPixelSize: 12)
    let first = pipeline.imageTask(with: small)
    let second = pipeline.imageTask(with: testURL)
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == 2 }
    gate.open()
    #expect(try await first.image.width == 12)
    #expect(try await second.image.width == 96)
    #expect(loader.count.value == 1)
    #expect(pipeline.cache[small]?.image.width == 12 && pipeline.cache[testURL]?.image.width == 96)
  }

  @Test func sizesOfVectorImagesAreDistinguished() async throws {
    let loader = ScriptedLoader(TestImages.svg)
    let pipeline = ImagePipeline.forTest(loader) {
      $0.makeImageDecoder = { ImageDecoders.VectorImage(context: $0) }
    }
    func request(_ width: Double) -> ImageRequest {
      ImageRequest(url: testURL, userInfo: [.svgTargetSizeKey: ImageSize(width: width, height: width)])
    }
    #expect(try await pipeline.image(for: request(40)).pixelSize == PixelSize(width: 40, height: 20))
    #expect(try await pipeline.image(for: request(60)).pixelSize == PixelSize(width: 60, height: 30))
    #expect(pipeline.cache.makeDataCacheKey(for: request(40)) != pipeline.cache.makeDataCacheKey(for: request(60)))
  }

  @Test func coalescingCanBeDisabled() async throws {
    let gate = Gate()
    let loader = heldLoader(try TestImages.png(), gate)
    let pipeline = ImagePipeline.forTest(loader) { $0.isTaskCoalescingEnabled = false }
    let tasks = (0..<3).map { _ in pipeline.imageTask(with: testURL) }
    await loader.count.wait(for: 3)
    gate.open()
    for task in tasks { _ = try await task.image }
  }

  @Test func sharedWorkContinuesUntilTheLastTaskIsCancelled() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    let tasks = (0..<3).map { _ in pipeline.imageTask(with: testURL) }
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == 3 }
    await loader.count.wait(for: 1)
    let load = loader.loads.values[0]
    tasks[0].cancel()
    tasks[1].cancel()
    await settle { @ImagePipelineActor in pipeline.runningTaskCount == 1 }
    #expect(!load.cancellation.isOpen)
    #expect(tasks.map(\.state) == [.cancelled, .cancelled, .running])
    tasks[2].cancel()
    await load.cancellation.wait()
    #expect(await pipeline.runningJobCount == 0)
  }

  @Test func theHighestPriorityCounts() async throws {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let order = Log<String>()
    let pipeline = ImagePipeline.forTest(ScriptedLoader()) { $0.dataLoadingQueue = queue }
    func request(_ id: String, _ priority: ImageRequest.Priority) -> ImageRequest {
      ImageRequest(
        id: id,
        image: {
          order.append(id)
          return ImageContainer(image: PlatformImage())
        }, priority: priority)
    }
    var tasks = [
      request("normal", .normal), request("low", .low), request("high", .high), request("raised", .veryLow),
      request("normal", .low), request("shared", .low), request("shared", .veryHigh),
    ].map { pipeline.imageTask(with: $0) }
    await settle { @ImagePipelineActor in queue.pendingCount == 5 && pipeline.runningTaskCount == 7 }
    tasks[3].priority = .veryHigh
    #expect(tasks[3].priority == .veryHigh)
    // The priority is changed on the actor, after what was enqueued there before.
    for _ in 0..<50 { await Task { @ImagePipelineActor in await Task.yield() }.value }
    queue.isSuspended = false
    for task in tasks { _ = try await task.response }
    #expect(order.values == ["shared", "raised", "high", "normal", "low"])
    tasks.removeAll()
  }

  @Test func aCancelledTaskFailsAtOnce() async throws {
    let pipeline = ImagePipeline.forTest(ScriptedLoader())
    let task = pipeline.imageTask(with: testURL)
    let events = task.events
    task.cancel()
    task.cancel()
    #expect(task.state == .cancelled)
    var count = 0
    for await event in events {
      count += 1
      guard case .finished(.failure(.cancelled)) = event else {
        Issue.record("\(event)")
        continue
      }
    }
    #expect(count == 1)
  }

  @Test func cancellingTheSwiftTaskCancelsTheRequest() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    let waiting = Task { () async -> ImagePipeline.Error? in
      do throws(ImagePipeline.Error) {
        _ = try await pipeline.image(for: testURL)
        return nil
      } catch {
        return error
      }
    }
    await loader.count.wait(for: 1)
    waiting.cancel()
    if case .cancelled? = await waiting.value {} else { Issue.record("the error is not `cancelled`") }
    await loader.loads.values[0].cancellation.wait()
  }

  @Test func cancellationReachesADecoderAtItsNextCheck() async throws {
    let checks = Counter()
    let isCancelled = Gate()
    let pipeline = ImagePipeline.forTest(ScriptedLoader(try TestImages.png(width: 600, height: 600))) {
      $0.makeImageDecoder = { context in
        ImageDecoders.Default(
          context: context,
          options: DecodingOptions(shouldCancel: {
            // The decoder stops here until the task is cancelled.
            checks.increment()
            isCancelled.block()
            return false
          }))
      }
    }
    let task = pipeline.imageTask(with: testURL)
    await checks.wait(for: 1)
    task.cancel()
    await settle { @ImagePipelineActor in pipeline.runningJobCount == 0 }
    isCancelled.open()
    await settle { @ImagePipelineActor in pipeline.configuration.imageDecodingQueue.runningCount == 0 }
    #expect(await pipeline.configuration.imageDecodingQueue.runningCount == 0)
    #expect(checks.value == 1)
  }

  @Test func cancellationReachesAnSVGFilter() async throws {
    let svg = """
      <svg xmlns='http://www.w3.org/2000/svg' width='900' height='900'>
      <filter id='f'><feTurbulence baseFrequency='.1' numOctaves='8'/><feGaussianBlur stdDeviation='9'/></filter>
      <rect width='900' height='900' filter='url(#f)'/></svg>
      """
    let checks = Counter()
    let isCancelled = Gate()
    let pipeline = ImagePipeline.forTest(ScriptedLoader(Data(svg.utf8))) {
      $0.makeImageDecoder = { context in
        var context = context
        let shouldCancel = context.shouldCancel
        context.shouldCancel = {
          checks.increment()
          isCancelled.block()
          return shouldCancel?() ?? false
        }
        return ImageDecoders.VectorImage(context: context)
      }
    }
    let task = pipeline.imageTask(with: testURL)
    await checks.wait(for: 1)
    task.cancel()
    await settle { @ImagePipelineActor in pipeline.runningJobCount == 0 }
    isCancelled.open()
    await settle { @ImagePipelineActor in pipeline.configuration.imageDecodingQueue.runningCount == 0 }
    #expect(checks.value == 1)
  }
}
