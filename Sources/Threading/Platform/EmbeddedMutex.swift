// A mutex for Embedded Swift, whose standard library has none on platforms without an operating system.

#if hasFeature(Embedded)
  /// The interface of the standard library's mutex, for programs with a single thread.
  package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let storage: Storage

    private final class Storage {
      var value: Value

      init(_ value: consuming Value) {
        self.value = value
      }
    }

    /// Creates a mutex that protects a value.
    package init(_ value: consuming sending Value) {
      storage = Storage(value)
    }

    /// Calls a closure with access to the value.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try body(&storage.value)
    }
  }
#endif
