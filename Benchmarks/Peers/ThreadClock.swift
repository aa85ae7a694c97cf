// The clock of a thread's own processor time: what other programs do meanwhile does not count.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tells processor time.
package enum ThreadClock {
  /// Seconds that this thread has run.
  package static func now() -> Double {
    var time = timespec()
    // SAFETY: clock_gettime writes one timespec.
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
