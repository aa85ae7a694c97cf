// A library of the system, opened at run time: peers are no dependency of the package.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A library that stays open for as long as the program runs.
@safe struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Opens the first library that is there.
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

  /// A function that the library does not have.
  struct MissingFunction: Error {
    var name: String
  }

  /// A function by its name. Its type is the one that the caller expects and is that of the C header: nothing checks it.
  @unsafe func function<Function>(_ name: String) throws(MissingFunction) -> Function {
    guard let address = unsafe dlsym(handle, name) else { throw MissingFunction(name: name) }
    // SAFETY: C function pointers and addresses have one size; the caller vouches for the type.
    return unsafe unsafeBitCast(address, to: Function.self)
  }
}

/// Ends the program: a peer found fault with a file that was meant to be valid.
func abandon(_ message: String) -> Never {
  print("bench: \(message)")
  exit(70)
}
