// The variables of the process's environment.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The environment of this process.
package enum ProcessEnvironment {
  /// Returns the value of a variable; `nil` if it is not set or the platform has no environment. Bytes that are not
  /// UTF-8 are replaced.
  package static func value(of name: String) -> String? {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      // SAFETY: the call reads a string that ends with a zero byte, and returns another one, which is copied before
      // anything else can change the environment; no code of this package does.
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe String(cString: value)
    #else
      return nil
    #endif
  }
}
