// The stage of requests whose image is supplied by a closure.

/// Calls the closure that supplies an image.
final class SuppliedImageJob: Job<ImageResponse> {
  private let request: ImageRequest
  private let closure: @Sendable () async throws -> ImageContainer

  init(
    request: ImageRequest, pipeline: ImagePipeline, closure: @escaping @Sendable () async throws -> ImageContainer
  ) {
    self.request = request
    self.closure = closure
    super.init(pipeline: pipeline)
  }

  override func start() {
    let queue = request.dataLoadingQueue(of: pipeline)
    operation = queue.add(priority: priority) { [weak self, closure] in
      do {
        let container = try await closure()
        guard let self else { return }
        send(.final(ImageResponse(container: container, request: request)))
      } catch {
        self?.send(.failure(.dataLoadingFailed(error: error)))
      }
    }
  }
}

extension ImageRequest {
  /// Returns the queue that limits how many requests load at once.
  @ImagePipelineActor func dataLoadingQueue(of pipeline: ImagePipeline) -> TaskQueue {
    guard options.contains(.skipDataLoadingQueue) else { return pipeline.configuration.dataLoadingQueue }
    return TaskQueue(maxConcurrentOperationCount: 1)
  }
}
