// The resource limits of a process.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The resource limits of a child, which it sets for itself before it takes a job. Limits that are `nil`, or that the
/// platform does not enforce, do not apply.
package struct ResourceBounds: Sendable {
  /// The size of the main thread's stack in bytes. Linux.
  package var stackByteCount: Int?
  /// The size of the address space in bytes, with files that are mapped and memory that is reserved. Linux.
  package var addressSpaceByteCount: Int?
  /// The size of the memory that can be written and is not shared, in bytes. Linux since 4.7.
  package var dataByteCount: Int?
  /// The processor time for a job in seconds. Linux and macOS.
  package var processorSeconds: Int?

  /// Creates limits. Omitted ones do not apply.
  package init(
    stackByteCount: Int? = nil, addressSpaceByteCount: Int? = nil, dataByteCount: Int? = nil,
    processorSeconds: Int? = nil
  ) {
    self.stackByteCount = stackByteCount
    self.addressSpaceByteCount = addressSpaceByteCount
    self.dataByteCount = dataByteCount
    self.processorSeconds = processorSeconds
  }

  /// Applies the limits of memory to this process. Crashes write no memory to the disk.
  package func apply() {
    #if os(Linux)
      if let stackByteCount { Self.limit(RLIMIT_STACK, stackByteCount) }
      if let addressSpaceByteCount { Self.limit(RLIMIT_AS, addressSpaceByteCount) }
      if let dataByteCount { Self.limit(RLIMIT_DATA, dataByteCount) }
    #endif
    #if os(Linux) || os(macOS)
      Self.limit(RLIMIT_CORE, 0)
    #endif
  }

  /// Starts the processor time of the next job.
  package func renewProcessorTime() {
    #if os(Linux) || os(macOS)
      guard let processorSeconds else { return }
      let used = Int(Self.processorTime().rounded(.up))
      // The limit counts whole timer ticks, which drift from the actual processor time over many jobs.
      Self.limit(RLIMIT_CPU, used + used / 4 + processorSeconds)
    #endif
  }

  /// The processor time used by this process, in seconds. Zero if the platform does not report it.
  package static func processorTime() -> Double {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      var time = timespec()
      // SAFETY: clock_gettime writes one timespec.
      _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #else
      return 0
    #endif
  }

  #if os(Linux) && canImport(Glibc)
    private static func limit(_ resource: __rlimit_resource, _ value: Int) {
      limit(__rlimit_resource_t(resource.rawValue), value)
    }

    private static func limit(_ resource: __rlimit_resource_t, _ value: Int) {
      var bounds = rlimit()
      // SAFETY: both calls read or write one rlimit.
      _ = unsafe getrlimit(resource, &bounds)
      bounds.rlim_cur = min(rlim_t(max(0, value)), bounds.rlim_max)
      _ = unsafe setrlimit(resource, &bounds)
    }
  #elseif os(Linux) || os(macOS)
    private static func limit(_ resource: Int32, _ value: Int) {
      var bounds = rlimit()
      // SAFETY: both calls read or write one rlimit.
      _ = unsafe getrlimit(resource, &bounds)
      bounds.rlim_cur = min(rlim_t(max(0, value)), bounds.rlim_max)
      _ = unsafe setrlimit(resource, &bounds)
    }
  #endif
}
