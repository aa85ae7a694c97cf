// Threads that do not belong to Dispatch: it provides few, and work that waits for a child process would occupy them.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A thread of the system that runs one closure.
package enum SystemThread {
  /// The size of a thread's stack in bytes.
  private static var stackByteCount: Int { 8 << 20 }

  /// Calls a closure on a new thread.
  ///
  /// - Throws: `SystemError` if the system has no more threads or none at all; the closure is not called then.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      #if canImport(Android)
        // SAFETY: zeros; the attributes have a pointer to a stack, which is not set.
        var attributes = unsafe pthread_attr_t()
      #else
        var attributes = pthread_attr_t()
      #endif
      // SAFETY: the attributes are initialised here, used by calls that keep no pointer to them, and destroyed. The
      // closure is retained for the thread, which releases it; if there is no thread, it is released here.
      unsafe pthread_attr_init(&attributes)
      defer { unsafe pthread_attr_destroy(&attributes) }
      unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      unsafe pthread_attr_setstacksize(&attributes, stackByteCount)
      #if canImport(Glibc) || canImport(Android)
        var thread = pthread_t()
      #else
        var thread: pthread_t?
      #endif
      let closure = unsafe Unmanaged.passRetained(Closure(body))
      let code = unsafe pthread_create(&thread, &attributes, { unsafe Closure.run($0) }, closure.toOpaque())
      guard code == 0 else {
        unsafe closure.release()
        throw SystemError(code: code)
      }
    #else
      throw SystemError.unsupported
    #endif
  }
}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// A closure that a pointer refers to.
  private final class Closure: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    /// Calls the closure that a pointer refers to, and releases it. The result is that of the thread.
    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let pointer = unsafe pointer {
        // SAFETY: the pointer is that of a retained closure, and each is passed to one thread.
        unsafe Unmanaged<Closure>.fromOpaque(pointer).takeRetainedValue().body()
      }
      return nil
    }
  }
#endif
