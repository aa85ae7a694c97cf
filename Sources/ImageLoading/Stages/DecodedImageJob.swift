// The stage that decodes data while it arrives. At any time, its decoder handles one call.

internal import Threading

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Decodes an image, and previews of it if the pipeline is progressive.
final class DecodedImageJob: Job<ImageResponse> {
  private let request: ImageRequest
  private let cancellation = CancellationFlag()
  private var session = DecoderSession()
  private var previewRequests = PreviewRequests()
  private var lastPreview: ContinuousClock.Instant?
  /// The complete data, if it arrived while a preview was being decoded.
  private var waitingData: LoadedData?

  init(request: ImageRequest, pipeline: ImagePipeline) {
    self.request = request
    super.init(pipeline: pipeline)
  }

  override func start() {
    depend(on: pipeline.loadedData(request: request)) { [self] event in
      switch event {
      case .progress(let progress): send(.progress(progress))
      case .partial(let loaded): receivePart(loaded)
      case .final(let loaded): receiveAll(loaded)
      case .failure(let error): send(.failure(error))
      }
    }
  }

  override func cancelWork() {
    cancellation.set()
  }

  /// Passes data to the decoder, unless it is busy, and asks for a preview, unless it returned one a short while ago.
  /// Skipped data is a prefix of that which follows.
  private func receivePart(_ loaded: LoadedData) {
    guard pipeline.configuration.isProgressiveDecodingEnabled, operation == nil else { return }
    var context = context(for: loaded, isCompleted: false)
    guard let decoder = session.decoder(for: &context, pipeline: pipeline) else { return }
    // Decoders of other origin may ignore the policy, as `Empty` does.
    if context.previewPolicy == .disabled, decoder is ImageDecoders.Default { return }
    guard let work = previewRequests.next(of: decoder, with: loaded.data, isDue: isPreviewDue) else { return }
    let response = loaded.response
    guard decoder.isAsynchronous else {
      if let container = work() { sendPreview(container, response) }
      return
    }
    operation = pipeline.configuration.imageDecodingQueue.add(priority: priority) { [weak self] in
      let container = await BackgroundThreads.unlimited.perform(work)
      guard let self, !hasEnded else { return }
      operation = nil
      if let container { sendPreview(container, response) }
      if let waiting = waitingData.take() { receiveAll(waiting) }
    }
  }

  private var isPreviewDue: Bool {
    guard let lastPreview else { return true }
    let interval = Duration.seconds(limiting: pipeline.configuration.progressiveDecodingInterval, default: 0.5)
    return ContinuousClock.now - lastPreview >= interval
  }

  private func sendPreview(_ container: ImageContainer, _ urlResponse: URLResponse?) {
    lastPreview = .now
    var container = container
    container.isPreview = true
    send(.partial(response(container, urlResponse)))
  }

  /// Decodes the image. A preview that waits is cancelled; one that is being decoded is awaited.
  private func receiveAll(_ loaded: LoadedData) {
    if let operation, !operation.isPending {
      waitingData = loaded
      return
    }
    operation?.cancel()
    operation = nil
    var context = context(for: loaded, isCompleted: true)
    guard let decoder = session.decoder(for: &context, pipeline: pipeline) else {
      return send(.failure(.decoderNotRegistered(context: context)))
    }
    guard decoder.isAsynchronous || decoder is any AsyncImageDecoding else {
      let result = Result { try decoder.decode(loaded.data) }
      guard loaded.storage != nil, let container = try? result.get() else {
        return finish(result, loaded, decoder, context)
      }
      operation = pipeline.dataCacheQueue.add(priority: priority) { [weak self, context] in
        await BackgroundThreads.unlimited.perform { loaded.storage?.store(loaded.data, decodedTo: container) }
        self?.finish(result, loaded, decoder, context)
      }
      return
    }
    operation = pipeline.configuration.imageDecodingQueue.add(priority: priority) { [weak self, context] in
      let result = await BackgroundThreads.unlimited.perform { () -> Result<ImageContainer, any Error> in
        do {
          let container = try await decoder.decodeFinal(loaded.data)
          loaded.storage?.store(loaded.data, decodedTo: container)
          return .success(container)
        } catch {
          return .failure(error)
        }
      }
      self?.finish(result, loaded, decoder, context)
    }
  }

  private func finish(
    _ result: Result<ImageContainer, any Error>, _ loaded: LoadedData, _ decoder: any ImageDecoding,
    _ context: ImageDecodingContext
  ) {
    switch result {
    case .success(let container): send(.final(response(container, loaded.response)))
    case .failure(let error): send(.failure(.decodingFailed(decoder: decoder, context: context, error: error)))
    }
  }

  private func response(_ container: ImageContainer, _ urlResponse: URLResponse?) -> ImageResponse {
    ImageResponse(container: container, request: request, urlResponse: urlResponse.map(ImageURLResponse.init))
  }

  private func context(for loaded: LoadedData, isCompleted: Bool) -> ImageDecodingContext {
    var context = ImageDecodingContext(
      request: request, data: loaded.data, isCompleted: isCompleted,
      urlResponse: loaded.response.map(ImageURLResponse.init))
    let cancellation = cancellation
    context.shouldCancel = { cancellation.value }
    return context
  }
}

extension ImageDecoding {
  /// Decodes complete data in the way that the decoder supports.
  func decodeFinal(_ data: Data) async throws -> ImageContainer {
    if let decoder = self as? any AsyncImageDecoding { return try await decoder.decode(data) }
    return try decode(data)
  }
}
