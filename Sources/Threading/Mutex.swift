// The mutex of the package: the standard library's, except with the thread sanitizer, which does not support it on
// Linux. There, a system lock provides the same interface (Platform/SanitizedMutex.swift).

#if !THREAD_SANITIZER
  @_exported public import Synchronization
#endif
