// The stage that loads data: from the URL itself, a file, a closure, a sequence of chunks, or a loader.

internal import Threading

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Loads the data of a request. Reports each prefix of it as a partial output.
final class DataDownloadJob: Job<LoadedData> {
  private let request: ImageRequest
  private var data = Data()
  private var response: URLResponse?
  /// The interrupted download that the server was asked to continue, until it answers.
  private var resumableData: ResumableData?
  /// The interrupted download that is continued.
  private var continuedData: ResumableData?
  /// Whether the download can be continued after an interruption.
  private var isResumable = false

  init(request: ImageRequest, pipeline: ImagePipeline) {
    self.request = request
    super.init(pipeline: pipeline)
  }

  override func start() {
    switch request.resource {
    case .image: send(.failure(.imageRequestMissing))
    case .data(let closure):
      enqueue { download in
        let data = try await closure()
        try download.checkSize(data.count)
        download.data = data
      }
    case .chunks(let iterate):
      enqueue { download in
        try await iterate { chunk in try await download.receive(chunk, nil) }
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
      let maximum = pipeline.configuration.maximumResponseDataSize
      return enqueue { download in
        (download.data, download.response) = try await BackgroundThreads.unlimited.perform {
          try LocalResource.load(url, maximumByteCount: maximum)
        }
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
  private func enqueue(_ load: @escaping @ImagePipelineActor @Sendable (DataDownloadJob) async throws -> Void) {
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
    let urlRequest = try await pipeline.delegate.willLoadData(
      for: request, urlRequest: urlRequest, pipeline: pipeline)
    if hasEnded { return }
    isResumable = pipeline.configuration.isResumableDataEnabled && ResumableData.isPossible(for: urlRequest)
    if isResumable, let interrupted = pipeline.resumableDownloads.take(for: request, pipeline: pipeline) {
      resumableData = interrupted
      do {
        return try await loadRest(of: interrupted, urlRequest)
      } catch  where Self.isRejection(error) && !hasEnded {
        (data, response, resumableData, continuedData) = (Data(), nil, nil, nil)
      }
    }
    try await receive(urlRequest)
  }

  private func loadRest(of interrupted: ResumableData, _ urlRequest: URLRequest) async throws {
    var urlRequest = urlRequest
    interrupted.resume(&urlRequest)
    try await receive(urlRequest)
  }

  /// Whether an error means that an interrupted download cannot be continued, but perhaps be loaded from the start.
  private static func isRejection(_ error: any Error) -> Bool {
    if case DataLoader.Error.statusCodeUnacceptable(416) = error { return true }
    return error is ResumptionError
  }

  /// Loads a response.
  private func receive(_ urlRequest: URLRequest) async throws {
    let buffer = DownloadBuffer(
      maximumByteCount: pipeline.configuration.maximumResponseDataSize, interrupted: resumableData)
    defer { buffer.cancel() }
    buffer.start(pipeline.delegate.dataLoader(for: request, pipeline: pipeline), urlRequest)
    try await withTaskCancellationHandler {
      for await _ in buffer.signals { try await receive(buffer.take()) }
      try await receive(buffer.take())
    } onCancel: {
      buffer.cancel()
    }
    if hasEnded { return }
    try buffer.outcome?.get()
    try checkIsComplete()
  }

  /// Receives parts one by one. The work that each of them starts, such as the decoding of a preview, begins
  /// before the next.
  private func receive(_ parts: [DownloadBuffer.Part]) async throws {
    for part in parts {
      try receive(part.data, part.response)
      await Task.yield()
    }
  }

  private func receive(_ chunk: Data, _ response: URLResponse?) throws {
    if hasEnded { throw CancellationError() }
    if self.response == nil, let response { try begin(response) }
    self.response = response
    try checkSize(data.count + chunk.count)
    data.append(chunk)
    let total = totalByteCount ?? 0
    send(.progress(ImageTask.Progress(completed: Int64(data.count), total: total)))
    if total == 0 || data.count < total { send(.partial(LoadedData(data: data, response: response))) }
  }

  private func begin(_ response: URLResponse) throws {
    guard let interrupted = resumableData.take() else {
      // No range was requested. The caller's own requests for parts are not resumable.
      if isResumable, ResumableData.isPart(response) { throw ResumptionError() }
      return
    }
    switch interrupted.continuation(in: response) {
    case .rest:
      data = interrupted.data
      continuedData = interrupted
    case .file: break
    case .mismatch: throw ResumptionError()
    }
  }

  /// The announced length of all data in bytes; `nil` if it is unknown.
  private var totalByteCount: Int64? {
    guard let response else { return nil }
    let expected = response.expectedContentLength > 0 ? response.expectedContentLength : nil
    guard let continuedData else { return expected }
    return continuedData.totalByteCount(continuedBy: response) ?? expected.map { $0 + Int64(continuedData.data.count) }
  }

  private func checkSize(_ byteCount: Int) throws {
    guard let maximum = pipeline.configuration.maximumResponseDataSize, byteCount > maximum else { return }
    throw ImagePipeline.Error.dataDownloadExceededMaximumSize
  }

  /// Compares the length of the data with the announced one, unless it was compressed in transit.
  private func checkIsComplete() throws {
    guard !hasEnded, let response = response as? HTTPURLResponse, let expected = totalByteCount,
      response.value(forHTTPHeaderField: "Content-Encoding") == nil
    else { return }
    guard data.count >= expected else {
      throw DataLoader.Error.dataIncomplete(received: Int64(data.count), expected: expected)
    }
    // The parts do not make up the file.
    if continuedData != nil, data.count > expected { throw ResumptionError() }
  }

  /// Whether the end of the data is known to be that of the file, which it is not if the connection ended without an
  /// announced length.
  private var isLengthKnown: Bool {
    guard let response = response as? HTTPURLResponse else { return true }
    return totalByteCount != nil || response.value(forHTTPHeaderField: "Transfer-Encoding")?.lowercased() == "chunked"
  }

  private func finish() {
    guard !hasEnded else { return }
    guard !data.isEmpty else { return send(.failure(.dataIsEmpty)) }
    send(.final(LoadedData(data: data, response: response, storage: storage)))
  }

  private func fail(_ error: ImagePipeline.Error) {
    guard !hasEnded else { return }
    switch error {
    // Its rest would exceed the limit as well.
    case .dataDownloadExceededMaximumSize: isResumable = false
    // A server that rejects the range will do so again.
    case .dataLoadingFailed(DataLoader.Error.statusCodeUnacceptable): resumableData = nil
    default: break
    }
    saveResumableData()
    send(.failure(error))
  }

  private func saveResumableData() {
    guard isResumable else { return }
    let received = response.flatMap { ResumableData(response: $0, data: data) }
    if let data = received ?? resumableData {
      pipeline.resumableDownloads.store(data, for: request, pipeline: pipeline)
    }
  }

  /// The storage of the data, if the tasks that need it store it on disk.
  private var storage: OriginalDataStorage? {
    let tasks = imageTasks
    let original = request.withoutVariants
    guard !request.isLocalResource,
      tasks.contains(where: { !$0.request.options.contains(.disableDiskCacheWrites) }),
      let cache = pipeline.delegate.dataCache(for: original, pipeline: pipeline)
    else { return nil }
    switch pipeline.configuration.dataCachePolicy {
    case .storeOriginalData, .storeAll: break
    case .automatic: guard tasks.contains(where: { $0.request.processors.isEmpty }) else { return nil }
    case .storeEncodedImages: return nil
    }
    return OriginalDataStorage(cache: cache, request: original, pipeline: pipeline, isLengthKnown: isLengthKnown)
  }
}
