// What a fuzz target's main does: the package manager renames main, so libFuzzer's own is called by hand.

/// What libFuzzer calls with each input.
package typealias FuzzTest = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>, _ test: FuzzTest
) -> CInt

/// Runs libFuzzer with what main was given.
package func runFuzzer(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ test: FuzzTest
) -> CInt {
  var count = count
  var arguments = unsafe arguments
  // SAFETY: both are what main was given.
  return unsafe runDriver(&count, &arguments, test)
}
