// The loader on Foundation's URL loading system. The only file that uses a `URLSession`.

#if canImport(FoundationNetworking) || canImport(Darwin)
  internal import Dispatch
  internal import Threading

  #if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
  #else
    public import Foundation
  #endif

  /// Loads data with a `URLSession`.
  public final class DataLoader: DataLoading {
    /// The session. It is invalidated with the loader.
    public let session: URLSession
    private let sessionDelegate: SessionDelegate
    private let isIncremental = Mutex(false)
    /// Starts and cancels the session's tasks. Without Apple's implementation such calls wait while the session reads or
    /// decompresses data, which may be for seconds, so that neither the pipeline nor the delegate may make them.
    private let queue = DispatchQueue(label: "swift-image-codecs.data-loader", qos: .userInitiated)

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the session; by default ``defaultConfiguration``.
    ///   - validate: returns the error of a response that is not acceptable; by default ``validate(response:)``.
    public init(
      configuration: URLSessionConfiguration = DataLoader.defaultConfiguration,
      validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)? = DataLoader.validate
    ) {
      let delegateQueue = OperationQueue()
      delegateQueue.maxConcurrentOperationCount = 1
      sessionDelegate = SessionDelegate(queue: queue, validate: validate)
      session = URLSession(configuration: configuration, delegate: sessionDelegate, delegateQueue: delegateQueue)
    }

    deinit {
      session.finishTasksAndInvalidate()
    }

    /// The default configuration of `URLSession`, with ``sharedUrlCache``.
    public static var defaultConfiguration: URLSessionConfiguration {
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = sharedUrlCache
      return configuration
    }

    /// The HTTP cache of the default configuration: up to 150 MB on disk, nothing in memory.
    public static let sharedUrlCache = URLCache(memoryCapacity: 0, diskCapacity: 150 << 20, diskPath: cachePath)

    private static var cachePath: String? {
      #if canImport(Darwin)
        "com.github.kean.Nuke.Cache"
      #else
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
          .appendingPathComponent("com.github.kean.Nuke.Cache").path
      #endif
    }

    /// Receives the session's delegate methods that the loader does not need for itself, and copies of those that it does.
    public var delegate: (any URLSessionDelegate)? {
      get { sessionDelegate.forwarding }
      set { sessionDelegate.forwarding = newValue }
    }

    /// Whether data is delivered as soon as possible, if the platform has that option. Default `false`.
    public var prefersIncrementalDelivery: Bool {
      get { isIncremental.withLock { $0 } }
      set { isIncremental.withLock { $0 = newValue } }
    }

    /// Returns an error unless the status code of an HTTP response is in 200…299.
    @Sendable public static func validate(response: URLResponse) -> (any Swift.Error)? {
      guard let response = response as? HTTPURLResponse, !(200..<300).contains(response.statusCode) else { return nil }
      return Error.statusCodeUnacceptable(response.statusCode)
    }

    /// Starts to load data. `file:` URLs are refused on every platform.
    public func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) -> any Cancellable {
      let task = SessionTask(queue)
      guard request.url?.isFileURL != true else {
        completion(URLError(.unsupportedURL))
        return task
      }
      // Retains the loader, since an invalidated session accepts no tasks.
      queue.async { [self] in
        if task.isCancelled { return }
        let dataTask = session.dataTask(with: request)
        #if canImport(Darwin)
          dataTask.prefersIncrementalDelivery = prefersIncrementalDelivery
        #endif
        sessionDelegate.add(dataTask, didReceiveData: didReceiveData, completion: completion)
        if task.start(dataTask) { dataTask.resume() } else { dataTask.cancel() }
      }
      return task
    }
  }

  extension DataLoading where Self == DataLoader {
    /// The loader without a cache for HTTP responses.
    static var withoutURLCache: DataLoader {
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = nil
      return DataLoader(configuration: configuration)
    }
  }

  /// A task of a session that is started and cancelled on a queue.
  private final class SessionTask: Cancellable {
    private struct State: Sendable {
      var task: URLSessionTask?
      var isCancelled = false
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(_ queue: DispatchQueue) {
      self.queue = queue
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sets the task. Returns `false` if it has been cancelled already.
    func start(_ task: URLSessionTask) -> Bool {
      state.withLock { state in
        state.task = task
        return !state.isCancelled
      }
    }

    func cancel() {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task.take()
      }
      if let task { queue.async { task.cancel() } }
    }
  }

  /// Passes what a session's tasks receive to those who started them.
  private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Handlers: Sendable {
      let didReceiveData: @Sendable (Data, URLResponse) -> Void
      let completion: @Sendable ((any Error)?) -> Void
    }

    private struct State: Sendable {
      var handlers: [Int: Handlers] = [:]
      var forwarding: (any URLSessionDelegate)?
    }

    private let queue: DispatchQueue
    private let validate: @Sendable (URLResponse) -> (any Error)?
    private let state = Mutex(State())

    /// Creates a delegate.
    ///
    /// - Parameter queue: the queue on which tasks are cancelled.
    init(queue: DispatchQueue, validate: @escaping @Sendable (URLResponse) -> (any Error)?) {
      self.queue = queue
      self.validate = validate
    }

    var forwarding: (any URLSessionDelegate)? {
      get { state.withLock { $0.forwarding } }
      set { state.withLock { $0.forwarding = newValue } }
    }

    private var forwardingData: (any URLSessionDataDelegate)? { forwarding as? any URLSessionDataDelegate }

    func add(
      _ task: URLSessionTask, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
      let handlers = Handlers(didReceiveData: didReceiveData, completion: completion)
      state.withLock { $0.handlers[task.taskIdentifier] = handlers }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      // The delegate is told, but does not decide.
      #if canImport(Darwin)
        forwardingData?.urlSession?(session, dataTask: dataTask, didReceive: response, completionHandler: { _ in })
      #else
        forwardingData?.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: { _ in })
      #endif
      guard let error = validate(response) else { return completionHandler(.allow) }
      let handlers = state.withLock { $0.handlers.removeValue(forKey: dataTask.taskIdentifier) }
      completionHandler(.cancel)
      // Only Apple's implementation heeds the disposition. The body of an error may be endless.
      queue.async { dataTask.cancel() }
      handlers?.completion(error)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      // Without Apple's implementation, data arrives even if the response was not accepted.
      guard let handlers = state.withLock({ $0.handlers[dataTask.taskIdentifier] }) else { return }
      #if canImport(Darwin)
        forwardingData?.urlSession?(session, dataTask: dataTask, didReceive: data)
      #else
        forwardingData?.urlSession(session, dataTask: dataTask, didReceive: data)
      #endif
      if let response = dataTask.response { handlers.didReceiveData(data, response) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      #if canImport(Darwin)
        forwardingData?.urlSession?(session, task: task, didCompleteWithError: error)
      #else
        forwardingData?.urlSession(session, task: task, didCompleteWithError: error)
      #endif
      let handlers = state.withLock { $0.handlers.removeValue(forKey: task.taskIdentifier) }
      handlers?.completion(error)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // On Apple's platforms the methods are optional; elsewhere they have defaults.
      #if canImport(Darwin)
        let call: Void? = forwardingData?.urlSession?(
          session, task: task, didReceive: challenge, completionHandler: completionHandler)
      #else
        let call: Void? = forwardingData?.urlSession(
          session, task: task, didReceive: challenge, completionHandler: completionHandler)
      #endif
      if call == nil { completionHandler(.performDefaultHandling, nil) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      #if canImport(Darwin)
        let call: Void? = forwardingData?.urlSession?(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request,
          completionHandler: completionHandler)
      #else
        let call: Void? = forwardingData?.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request,
          completionHandler: completionHandler)
      #endif
      if call == nil { completionHandler(request) }
    }
  }
#endif
