// A library of the system, opened at run time, so that peers are not dependencies of the package.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A library that stays open until the program ends.
@safe struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Opens the first library that is installed. `nil` if there is none.
  init?(_ names: [String]) {
    for name in names {
      // SAFETY: dlopen reads a null-terminated string.
      if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        unsafe self.handle = handle
        return
      }
    }
    return nil
  }

  /// A function that the library does not contain.
  struct MissingFunction: Error {
    var name: String
  }

  /// Returns a function by its name. The caller's type must be that of the C header; it is not checked.
  @unsafe func function<Function>(_ name: String) throws(MissingFunction) -> Function {
    guard let address = unsafe dlsym(handle, name) else { throw MissingFunction(name: name) }
    // SAFETY: C function pointers and addresses have the same size; the caller guarantees the type.
    return unsafe unsafeBitCast(address, to: Function.self)
  }
}

/// Ends the program because a peer rejected a file that should be valid.
func abandon(_ message: String) -> Never {
  print("bench: \(message)")
  exit(70)
}
