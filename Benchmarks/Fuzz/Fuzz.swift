// The entry points of libFuzzer for all targets, in one program so that they share a build. FUZZ_TARGET selects the
// target.
//
//   FUZZ=1 swift build -c release --product Fuzz --sanitize=address --scratch-path .build-fuzz
//   FUZZ_TARGET=png .build-fuzz/release/Fuzz -max_len=65536 -timeout=2 -rss_limit_mb=1024 corpus/ seeds/

import Foundation

/// The function that libFuzzer calls with each input.
private typealias Test = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>, _ test: Test
) -> CInt

/// The target selected by the environment, which libFuzzer's child processes inherit.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    print("FUZZ_TARGET does not name a target; the argument 'targets' lists them")
    exit(64)
  }
  return target
}()

/// Tests one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` readable bytes.
  target.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The main function of the program, with the name that the package manager requires.
@_cdecl("Fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  if CommandLine.arguments.dropFirst().first == "targets" {
    FuzzTarget.allCases.forEach { print($0.rawValue) }
    return 0
  }
  _ = target
  var count = count
  var arguments = unsafe arguments
  // SAFETY: both are the arguments of main.
  return unsafe runDriver(&count, &arguments, fuzzOneInput)
}
