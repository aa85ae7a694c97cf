// The system's warnings that memory is scarce. Linux has none that are sent to processes.

#if canImport(Darwin)
  internal import Dispatch
  internal import Threading
#endif

/// Receives the system's warnings about memory until it is released.
final class MemoryPressureSource: Sendable {
  #if canImport(Darwin)
    private let sources = Mutex<[any DispatchSourceMemoryPressure]>([])

    /// Starts to receive warnings.
    ///
    /// - Parameter receive: called on an arbitrary thread.
    func start(_ receive: @escaping @Sendable (_ isCritical: Bool) -> Void) {
      sources.withLock { sources in
        for isCritical in [false, true] {
          let source = DispatchSource.makeMemoryPressureSource(eventMask: isCritical ? .critical : .warning)
          source.setEventHandler { receive(isCritical) }
          source.activate()
          sources.append(source)
        }
      }
    }

    deinit {
      sources.withLock { sources in
        for source in sources { source.cancel() }
      }
    }
  #else
    func start(_ receive: @escaping @Sendable (_ isCritical: Bool) -> Void) {}
  #endif
}
