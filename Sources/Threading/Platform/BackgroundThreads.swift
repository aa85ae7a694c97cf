// Threads for work that computes for long: with it, the threads of Swift concurrency would be occupied, and neither
// cancellations nor other tasks of the program would be executed.

#if canImport(Dispatch) && !hasFeature(Embedded)
  internal import Dispatch

  /// Threads on which tasks run closures that may block them for long.
  package final class BackgroundThreads: Sendable {
    /// As many threads as Dispatch provides.
    package static let unlimited = BackgroundThreads(maximumCount: .max)

    private let executor: BackgroundExecutor

    /// Creates threads of which at most this many run at a time. Closures that wait for others must not be limited.
    package init(maximumCount: Int) {
      executor = BackgroundExecutor(maximumThreadCount: maximumCount)
    }

    /// Runs a closure in the current task, on one of the threads as soon as one is free.
    package func perform<Value: Sendable, Failure: Error>(
      _ body: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      try await withTaskExecutorPreference(executor) { () async throws(Failure) -> Value in try await body() }
    }
  }

  /// Executes tasks on a number of threads of Dispatch. Jobs wait in the order in which they come.
  private final class BackgroundExecutor: TaskExecutor {
    private struct State: Sendable {
      var runningCount = 0
      /// The jobs that wait for a thread; those before the head have been taken.
      var jobs: [UnownedJob] = []
      var head = 0
    }

    private let queue = DispatchQueue.global(qos: .userInitiated)
    private let maximumThreadCount: Int
    private let state = Mutex(State())

    init(maximumThreadCount: Int) {
      self.maximumThreadCount = maximumThreadCount
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let startsThread = state.withLock { state in
        guard state.runningCount < maximumThreadCount else {
          state.jobs.append(job)
          return false
        }
        state.runningCount += 1
        return true
      }
      if startsThread { queue.async { self.run(job) } }
    }

    /// Runs a job, and then those that wait, until there are none.
    private func run(_ first: UnownedJob) {
      var next: UnownedJob? = first
      while let job = next {
        // SAFETY: the closure of the queue keeps the executor alive while the job runs, and each job is run once.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        next = takeJob()
      }
    }

    private func takeJob() -> UnownedJob? {
      state.withLock { state in
        guard state.head < state.jobs.count else {
          state.runningCount -= 1
          return nil
        }
        let job = state.jobs[state.head]
        state.head += 1
        if state.head == state.jobs.count { (state.jobs, state.head) = ([], 0) }
        return job
      }
    }
  }
#elseif !hasFeature(Embedded)
  /// The threads of Swift concurrency, as the platform has no others.
  package final class BackgroundThreads: Sendable {
    package static let unlimited = BackgroundThreads(maximumCount: .max)

    package init(maximumCount: Int) {}

    /// Runs a closure in the current task.
    package func perform<Value: Sendable, Failure: Error>(
      _ body: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      try await body()
    }
  }
#endif
