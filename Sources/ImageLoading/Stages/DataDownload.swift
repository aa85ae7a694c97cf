// The stage that loads data: from the URL itself, a file, a closure, a sequence of chunks, or a loader.

internal import Threading

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Loads the data of a request. Reports each prefix of it as a partial output.
final class DataDownload: Job<LoadedData> {
  private let request: ImageRequest
  private var data = Data()
  private var response: URLResponse?
  /// The interrupted download that the server was asked to continue, until it answers.
  private var resumableData: ResumableData?
  /// The number of bytes of the interrupted download that are continued.
  private var resumedByteCount = 0

  init(request: ImageRequest, pipeline: ImagePipeline) {
    self.request = request
    super.init(pipeline: pipeline)
  }

  override func start() {
    switch request.resource {
    case .image: send(.failure(.imageRequestMissing))
    case .data(let closure): enqueue { $0.data = try await closure() }
    case .chunks(let chunks):
      enqueue { download in
        for try await chunk in chunks() { try download.receive(chunk, nil) }
      }
    case .url(let url):
      guard let url else { return send(.failure(.imageRequestMissing)) }
      load(url, URLRequest(url: url))
    case .loaderRequest(let url, let loaderRequest):
      guard let url, let urlRequest = loaderRequest as? URLRequest else {
        return send(.failure(.imageRequestMissing))
      }
      load(url, urlRequest)
    }
  }

  override func cancelWork() {
    saveResumableData()
  }

  private func load(_ url: URL, _ urlRequest: URLRequest) {
    if request.isLocalResource, pipeline.configuration.isLocalResourcesSupportEnabled {
      return enqueue { download in
        (download.data, download.response) = try await performInBackground { try LocalResource.load(url) }
      }
    }
    guard let rateLimiter = pipeline.rateLimiter else { return startLoading(urlRequest) }
    rateLimiter.perform { [weak self] in
      guard let self, !hasEnded else { return false }
      startLoading(urlRequest)
      return true
    }
  }

  private func startLoading(_ urlRequest: URLRequest) {
    enqueue { try await $0.load(urlRequest) }
  }

  /// Runs a closure that loads the data in the queue, and ends the job after it.
  private func enqueue(_ load: @escaping @ImagePipelineActor @Sendable (DataDownload) async throws -> Void) {
    operation = request.dataLoadingQueue(of: pipeline).add(priority: priority) { [weak self] in
      guard let self, !hasEnded else { return }
      do {
        try await load(self)
        finish()
      } catch let error as ImagePipeline.Error {
        fail(error)
      } catch {
        fail(.dataLoadingFailed(error: error))
      }
    }
  }

  private func load(_ urlRequest: URLRequest) async throws {
    var urlRequest = try await pipeline.delegate.willLoadData(
      for: request, urlRequest: urlRequest, pipeline: pipeline)
    if hasEnded { return }
    if pipeline.configuration.isResumableDataEnabled {
      resumableData = pipeline.resumableDownloads.take(for: request, pipeline: pipeline)
      resumableData?.resume(&urlRequest)
    }
    let loader = pipeline.delegate.dataLoader(for: request, pipeline: pipeline)
    for try await part in loader.parts(of: urlRequest) {
      try receive(part.data, part.response)
      if hasEnded { return }
    }
    try checkIsComplete()
  }

  private func receive(_ chunk: Data, _ response: URLResponse?) throws {
    if hasEnded { return }
    if self.response == nil, let response { try begin(response) }
    self.response = response
    data.append(chunk)
    let expected = max(response?.expectedContentLength ?? 0, 0)
    let total = expected > 0 ? expected + Int64(resumedByteCount) : 0
    try checkSize(Int64(data.count))
    send(.progress(ImageTask.Progress(completed: Int64(data.count), total: total)))
    if total == 0 || data.count < total { send(.partial(LoadedData(data: data, response: response))) }
  }

  private func begin(_ response: URLResponse) throws {
    let interrupted = resumableData.take()
    if let interrupted, try interrupted.isContinued(by: response) {
      data = interrupted.data
      resumedByteCount = interrupted.data.count
    }
    let expected = response.expectedContentLength
    guard expected > 0 else { return }
    try checkSize(expected + Int64(resumedByteCount))
  }

  private func checkSize(_ byteCount: Int64) throws {
    guard let maximum = pipeline.configuration.maximumResponseDataSize, byteCount > maximum else { return }
    throw ImagePipeline.Error.dataDownloadExceededMaximumSize
  }

  /// Compares the length of the data with the announced one, unless it was compressed in transit.
  private func checkIsComplete() throws {
    guard !hasEnded, let response = response as? HTTPURLResponse, response.expectedContentLength > 0,
      response.value(forHTTPHeaderField: "Content-Encoding") == nil
    else { return }
    let expected = response.expectedContentLength + Int64(resumedByteCount)
    guard data.count >= expected else {
      throw DataLoader.Error.dataIncomplete(received: Int64(data.count), expected: expected)
    }
  }

  private func finish() {
    guard !hasEnded else { return }
    guard !data.isEmpty else { return send(.failure(.dataIsEmpty)) }
    storeOnDisk()
    send(.final(LoadedData(data: data, response: response)))
  }

  private func fail(_ error: ImagePipeline.Error) {
    guard !hasEnded else { return }
    // A server that rejects the range will do so again.
    if case DataLoader.Error.statusCodeUnacceptable? = error.dataLoadingError { resumableData = nil }
    saveResumableData()
    send(.failure(error))
  }

  private func saveResumableData() {
    guard pipeline.configuration.isResumableDataEnabled else { return }
    let received = response.flatMap { ResumableData(response: $0, data: data) }
    if let data = received ?? resumableData {
      pipeline.resumableDownloads.store(data, for: request, pipeline: pipeline)
    }
  }

  private func storeOnDisk() {
    let tasks = imageTasks
    let original = request.withoutVariants
    guard !request.isLocalResource,
      tasks.contains(where: { !$0.request.options.contains(.disableDiskCacheWrites) }),
      let cache = pipeline.delegate.dataCache(for: original, pipeline: pipeline)
    else { return }
    switch pipeline.configuration.dataCachePolicy {
    case .storeOriginalData, .storeAll: break
    case .automatic: guard tasks.contains(where: { $0.request.processors.isEmpty }) else { return }
    case .storeEncodedImages: return
    }
    let key = pipeline.cache.makeDataCacheKey(for: original)
    pipeline.delegate.willCache(data: data, image: nil, for: original, pipeline: pipeline) {
      if let data = $0 { cache.storeData(data, for: key) }
    }
  }
}

extension DataLoading {
  /// Returns the data of a request in parts. Loading is cancelled when the caller stops reading.
  fileprivate func parts(of request: URLRequest) -> AsyncThrowingStream<(data: Data, response: URLResponse), any Error>
  {
    AsyncThrowingStream { continuation in
      let loading = loadData(
        with: request, didReceiveData: { continuation.yield(($0, $1)) },
        completion: { continuation.finish(throwing: $0) })
      continuation.onTermination = { reason in
        if case .cancelled = reason { loading.cancel() }
      }
    }
  }
}
