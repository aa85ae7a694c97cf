// The lock that the whole package uses: the standard library's, except under the thread sanitizer, which does not
// understand it on Linux. There the same interface is made from a lock of the system (Kernels/SanitizedMutex.swift).

#if !THREAD_SANITIZER
  @_exported public import Synchronization
#endif
