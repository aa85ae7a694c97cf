// The entry point, under the name that the package manager gives it.

import FuzzSupport

/// The program's main.
@_cdecl("FuzzFonts_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  // SAFETY: both are what main was given.
  unsafe runFuzzer(count, arguments, fuzzOneInput)
}
