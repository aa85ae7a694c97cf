// The data of a download between the loader's thread and the pipeline's actor.

internal import Threading

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Receives the data of a loader, and keeps it until the pipeline takes it.
///
/// The size is limited here, where data arrives, since the pipeline may be busy meanwhile. There is no other form of
/// back-pressure: a data task of `URLSession` that is suspended starts over when it is resumed, and without Apple's
/// implementation its delegate then receives the beginning of the response twice.
final class DownloadBuffer: Sendable {
  struct Part: Sendable {
    fileprivate(set) var data: Data
    let response: URLResponse
  }

  private struct State: Sendable {
    var parts: [Part] = []
    /// The number of bytes received so far, with those of the interrupted download that is continued.
    var byteCount: Int64 = 0
    var hasBegun = false
    var loading: (any Cancellable)?
    /// Set when nothing more is accepted.
    var outcome: Result<Void, any Error>?
  }

  /// The number of parts from which on further data is added to the last one, so that many small parts take no more memory
  /// than their data.
  private static let maximumPartCount = 64

  /// Has an element when there are new parts, and ends with the download.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let maximumByteCount: Int?
  private let interrupted: ResumableData?
  private let state = Mutex(State())

  /// Creates a buffer.
  ///
  /// - Parameters:
  ///   - maximumByteCount: the maximum length of the data; `nil` for no limit.
  ///   - interrupted: the download that the server is asked to continue. Its data counts if the server does so.
  init(maximumByteCount: Int?, interrupted: ResumableData?) {
    self.maximumByteCount = maximumByteCount
    self.interrupted = interrupted
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Starts to load. Called once.
  func start(_ loader: any DataLoading, _ request: URLRequest) {
    let loading = loader.loadData(
      with: request, didReceiveData: { [self] in receive($0, $1) }, completion: { [self] in finish($0) })
    // Everything may have been delivered already.
    let isStopped = state.withLock { state in
      if state.outcome == nil { state.loading = loading }
      return state.outcome != nil
    }
    if isStopped { loading.cancel() }
  }

  /// Returns and removes the parts received so far.
  func take() -> [Part] {
    state.withLock { state in
      defer { state.parts = [] }
      return state.parts
    }
  }

  /// The result of the download, once it has ended.
  var outcome: Result<Void, any Error>? { state.withLock { $0.outcome } }

  /// Ends the download and releases its data. Has no effect on one that has ended.
  func cancel() {
    stop(.failure(CancellationError()))
  }

  private func receive(_ data: Data, _ response: URLResponse) {
    let isExceeded = state.withLock { state in
      guard state.outcome == nil else { return false }
      if !state.hasBegun {
        state.hasBegun = true
        state.byteCount = resumedByteCount(response)
        let (announced, overflow) = state.byteCount.addingReportingOverflow(max(response.expectedContentLength, 0))
        if overflow || exceedsLimit(announced) { return true }
      }
      state.byteCount += Int64(data.count)
      if exceedsLimit(state.byteCount) { return true }
      if state.parts.count >= Self.maximumPartCount {
        state.parts[state.parts.count - 1].data.append(data)
      } else {
        state.parts.append(Part(data: data, response: response))
      }
      return false
    }
    if isExceeded {
      stop(.failure(ImagePipeline.Error.dataDownloadExceededMaximumSize))
    } else {
      signal.yield()
    }
  }

  private func resumedByteCount(_ response: URLResponse) -> Int64 {
    guard let interrupted, interrupted.continuation(in: response) == .rest else { return 0 }
    return Int64(interrupted.data.count)
  }

  private func exceedsLimit(_ byteCount: Int64) -> Bool {
    maximumByteCount.map { byteCount > $0 } ?? false
  }

  private func finish(_ error: (any Error)?) {
    end(error.map { .failure($0) } ?? .success(()), keepsParts: true)
  }

  private func stop(_ outcome: Result<Void, any Error>) {
    end(outcome, keepsParts: false)?.cancel()
  }

  @discardableResult
  private func end(_ outcome: Result<Void, any Error>, keepsParts: Bool) -> (any Cancellable)? {
    let loading = state.withLock { state -> (any Cancellable)? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      if !keepsParts { state.parts = [] }
      return state.loading.take()
    }
    signal.finish()
    return loading
  }
}
