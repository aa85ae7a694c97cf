// Threads for work that computes for long: with it, the threads of Swift concurrency would be occupied, and neither
// cancellations nor other tasks of the program would be executed.

#if canImport(Dispatch)
  internal import Dispatch

  /// Executes tasks on threads of Dispatch.
  private final class BackgroundExecutor: TaskExecutor {
    static let shared = BackgroundExecutor()

    private let queue = DispatchQueue.global(qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // SAFETY: the closure keeps the executor alive while the job runs, and runs the job once.
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif

/// Runs a closure on a thread that may be blocked for long, in the current task. Without Dispatch, runs it on a thread of
/// Swift concurrency.
func performInBackground<Value: Sendable, Failure: Error>(
  _ body: @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  #if canImport(Dispatch)
    try await withTaskExecutorPreference(BackgroundExecutor.shared) { () async throws(Failure) -> Value in
      try await body()
    }
  #else
    try await body()
  #endif
}
