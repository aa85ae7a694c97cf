// The system's warnings that memory is scarce. Linux has none that are sent to processes.

#if canImport(Darwin)
  internal import Dispatch
#endif

/// Receives the system's warnings about memory until it is released.
final class MemoryPressureSource: Sendable {
  #if canImport(Darwin)
    private let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])

    /// Starts to receive warnings.
    ///
    /// - Parameter receive: called on an arbitrary thread.
    func start(_ receive: @escaping @Sendable (_ isCritical: Bool) -> Void) {
      source.setEventHandler { [weak source] in
        if let source { receive(source.data.contains(.critical)) }
      }
      source.activate()
    }

    deinit {
      source.cancel()
    }
  #else
    func start(_ receive: @escaping @Sendable (_ isCritical: Bool) -> Void) {}
  #endif
}
