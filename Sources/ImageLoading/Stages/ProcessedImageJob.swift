// The stage that looks an image up in the caches, or else applies its last processor.

internal import Foundation
internal import Threading

/// Finds an image in the caches, or makes it: by its last processor from the image of the others, or by decoding.
final class ProcessedImageJob: Job<ImageResponse> {
  private let request: ImageRequest
  private let cancellation = CancellationFlag()
  /// Whether the operation is for the final image.
  private var isFinishing = false

  init(request: ImageRequest, pipeline: ImagePipeline) {
    self.request = request
    super.init(pipeline: pipeline)
  }

  override func start() {
    if let container = pipeline.cache[request] {
      let response = ImageResponse(container: container, request: request, cacheType: .memory)
      guard container.isPreview else { return send(.final(response)) }
      send(.partial(response))
      if hasEnded { return }
    }
    let canBeOnDisk =
      !request.options.contains(.disableDiskCacheReads)
      && pipeline.delegate.dataCache(for: request, pipeline: pipeline) != nil
    if canBeOnDisk { readFromDisk() } else { makeImage() }
  }

  override func cancelWork() {
    cancellation.set()
  }

  private func readFromDisk() {
    let (request, pipeline) = (request, pipeline)
    operation = pipeline.dataCacheQueue.add(priority: priority) { [weak self] in
      let data = await BackgroundThreads.unlimited.perform {
        pipeline.cache.cachedData(for: request) ?? request.original.flatMap { pipeline.cache.cachedData(for: $0) }
      }
      guard let self, !hasEnded else { return }
      operation = nil
      if let data { decode(data) } else { makeImage() }
    }
  }

  /// Decodes data from the disk cache. If that fails, the image is made again.
  private func decode(_ data: Data) {
    var context = ImageDecodingContext(request: request, data: data, cacheType: .disk)
    context.shouldCancel = { [cancellation] in cancellation.value }
    guard let decoder = pipeline.delegate.imageDecoder(for: context, pipeline: pipeline) else { return makeImage() }
    operation = pipeline.configuration.imageDecodingQueue.add(priority: priority) { [weak self] in
      let container = await BackgroundThreads.unlimited.perform { try? await decoder.decodeFinal(data) }
      guard let self, !hasEnded else { return }
      operation = nil
      guard let container else { return makeImage() }
      deliver(ImageResponse(container: container, request: request, cacheType: .disk), isFinal: true)
    }
  }

  private func makeImage() {
    guard !request.options.contains(.returnCacheDataDontLoad) else { return send(.failure(.dataMissingInCache)) }
    guard let processor = request.processors.last else {
      return depend(on: pipeline.decodedImage(request: request)) { [self] event in
        forward(event) { deliver($0, isFinal: $1) }
      }
    }
    var unprocessed = request
    unprocessed.processors.removeLast()
    depend(on: pipeline.image(request: unprocessed)) { [self] event in
      forward(event) { process($0, by: processor, isFinal: $1) }
    }
  }

  private func forward(
    _ event: JobEvent<ImageResponse>, _ receive: (ImageResponse, _ isFinal: Bool) -> Void
  ) {
    switch event {
    case .progress(let progress): send(.progress(progress))
    case .partial(let response): receive(response, false)
    case .final(let response): receive(response, true)
    case .failure(let error): send(.failure(error))
    }
  }

  /// Processes an image. While one is being processed, previews are dropped; the final image replaces a preview that
  /// waits.
  private func process(_ response: ImageResponse, by processor: any ImageProcessing, isFinal: Bool) {
    let context = ImageProcessingContext(request: request, response: response, isCompleted: isFinal)
    perform(in: pipeline.configuration.imageProcessingQueue, isFinal: isFinal) {
      Result { try processor.process(response.container, context: context) }
    } completion: { [self] result in
      switch result {
      case .success(let container):
        var response = response
        response.container = container
        response.request = request
        deliver(response, isFinal: isFinal)
      case .failure(let error):
        if isFinal { send(.failure(.processingFailed(processor: processor, context: context, error: error))) }
      }
    }
  }

  /// Runs work in a queue, unless it is for a preview and other work has not ended.
  private func perform<Value: Sendable>(
    in queue: TaskQueue, isFinal: Bool, _ work: @escaping @Sendable () -> Value,
    completion: @escaping @ImagePipelineActor @Sendable (Value) -> Void
  ) {
    guard isFinal || operation == nil else { return }
    operation?.cancel()
    isFinishing = isFinal
    operation = queue.add(priority: priority) { [weak self] in
      let value = await BackgroundThreads.unlimited.perform { work() }
      guard let self, !hasEnded, isFinishing == isFinal else { return }
      operation = nil
      completion(value)
    }
  }

  /// Stores an image in the caches and passes it on, after the delegate has prepared it.
  private func deliver(_ response: ImageResponse, isFinal: Bool) {
    var response = response
    response.request = request
    let pipeline = pipeline
    guard isFinal, hasTaskSubscriber, !request.options.contains(.skipDecompression),
      pipeline.delegate.shouldDecompress(response: response, for: request, pipeline: pipeline)
    else { return store(response, isFinal: isFinal) }
    perform(in: pipeline.configuration.imageDecompressingQueue, isFinal: true) { [request, response] in
      pipeline.delegate.decompress(response: response, request: request, pipeline: pipeline)
    } completion: { [self] in
      store($0, isFinal: true)
    }
  }

  private func store(_ response: ImageResponse, isFinal: Bool) {
    // Intermediate results of other requests are not stored.
    if hasTaskSubscriber {
      // Even if the image that this one was processed from comes from a cache: images that are in memory already are
      // delivered before they get here.
      pipeline.cache[request] = response.container
      if isFinal, isStoredOnDisk(response) { storeOnDisk(response) }
    }
    send(isFinal ? .final(response) : .partial(response))
  }

  private func isStoredOnDisk(_ response: ImageResponse) -> Bool {
    // The key of a `data:` URL is as long as the image.
    guard !response.isPreview, response.cacheType != .disk, !request.isDataURL,
      !request.options.contains(.disableDiskCacheWrites)
    else { return false }
    return switch pipeline.configuration.dataCachePolicy {
    case .automatic, .storeAll: !request.processors.isEmpty || request.thumbnail != nil
    case .storeOriginalData: false
    case .storeEncodedImages: true
    }
  }

  private func storeOnDisk(_ response: ImageResponse) {
    let (request, pipeline) = (request, pipeline)
    guard let cache = pipeline.delegate.dataCache(for: request, pipeline: pipeline) else { return }
    let context = ImageEncodingContext(request: request, image: response.image, urlResponse: response.urlResponse)
    let encoder = pipeline.delegate.imageEncoder(for: context, pipeline: pipeline)
    let key = pipeline.cache.makeDataCacheKey(for: request)
    // Not cancelled with the job, which ends before.
    pipeline.configuration.imageEncodingQueue.add(priority: priority) {
      await BackgroundThreads.unlimited.perform {
        guard let data = encoder.encode(response.container, context: context), !data.isEmpty else { return }
        pipeline.delegate.willCache(data: data, image: response.container, for: request, pipeline: pipeline) {
          if let data = $0, !data.isEmpty { cache.storeData(data, for: key) }
        }
      }
    }
  }
}
