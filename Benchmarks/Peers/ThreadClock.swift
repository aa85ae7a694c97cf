// The processor time of a thread or of the process, which excludes that of other programs.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures processor time.
package enum ThreadClock {
  /// Returns the processor time of this thread in seconds.
  package static func now() -> Double {
    var time = timespec()
    // SAFETY: clock_gettime writes one timespec.
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the processor time of all threads of this process in seconds.
  package static func processNow() -> Double {
    var time = timespec()
    // SAFETY: clock_gettime writes one timespec.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
