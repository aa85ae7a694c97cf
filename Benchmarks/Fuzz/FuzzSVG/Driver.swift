// The entry point: the package manager renames main, so libFuzzer's own is called by hand.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The program's main, under the name that the package manager gives it.
@_cdecl("FuzzSVG_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  var count = count
  var arguments = unsafe arguments
  // SAFETY: both are what main was given.
  return unsafe runDriver(&count, &arguments, fuzzOneInput)
}
