// The stage of tasks that load data without decoding it.

internal import Threading

/// Finds data in the disk cache, or loads it. The response has the data and no image.
final class RequestedDataJob: Job<ImageResponse> {
  private let request: ImageRequest

  init(request: ImageRequest, pipeline: ImagePipeline) {
    self.request = request
    super.init(pipeline: pipeline)
  }

  override func start() {
    guard !request.options.contains(.disableDiskCacheReads),
      pipeline.delegate.dataCache(for: request, pipeline: pipeline) != nil
    else { return load() }
    let (request, pipeline) = (request, pipeline)
    operation = pipeline.dataCacheQueue.add(priority: priority) { [weak self] in
      let data = await BackgroundThreads.unlimited.perform { pipeline.cache.cachedData(for: request) }
      guard let self, !hasEnded else { return }
      operation = nil
      if let data { finish(LoadedData(data: data), cacheType: .disk) } else { load() }
    }
  }

  private func load() {
    guard !request.options.contains(.returnCacheDataDontLoad) else { return send(.failure(.dataMissingInCache)) }
    depend(on: pipeline.loadedData(request: request)) { [self] event in
      switch event {
      case .progress(let progress): send(.progress(progress))
      case .partial: break
      case .final(let loaded): store(loaded)
      case .failure(let error): send(.failure(error))
      }
    }
  }

  private func store(_ loaded: LoadedData) {
    guard let storage = loaded.storage else { return finish(loaded, cacheType: nil) }
    operation = pipeline.dataCacheQueue.add(priority: priority) { [weak self] in
      await BackgroundThreads.unlimited.perform { await storage.storeUndecoded(loaded) }
      guard let self, !hasEnded else { return }
      operation = nil
      finish(loaded, cacheType: nil)
    }
  }

  private func finish(_ loaded: LoadedData, cacheType: ImageResponse.CacheType?) {
    var container = ImageContainer(image: PlatformImage(), data: loaded.data)
    if let response = loaded.response { container.userInfo[.urlResponseKey] = response }
    send(
      .final(
        ImageResponse(
          container: container, request: request, urlResponse: loaded.response.map(ImageURLResponse.init),
          cacheType: cacheType)))
  }
}
