// A mutex that the thread sanitizer supports, compiled only for builds with it.

#if THREAD_SANITIZER
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// The interface of the standard library's mutex, implemented with a POSIX lock.
  package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let storage: Storage

    @safe private final class Storage {
      // SAFETY: allocated and initialised here, destroyed with the storage, and never moved in between.
      let lock: UnsafeMutablePointer<pthread_mutex_t>
      var value: Value

      init(_ value: consuming Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        self.value = value
      }

      deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
      }
    }

    /// Creates a mutex that protects a value.
    package init(_ value: consuming sending Value) {
      storage = Storage(value)
    }

    /// Calls a closure with exclusive access to the value.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      // SAFETY: the lock exists as long as the storage.
      unsafe pthread_mutex_lock(storage.lock)
      defer { unsafe pthread_mutex_unlock(storage.lock) }
      return try body(&storage.value)
    }
  }
#endif
