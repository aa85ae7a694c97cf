// The entry points of libFuzzer for all targets: one program, so that they share one build. FUZZ_TARGET names the target.
//
//   FUZZ=1 swift build -c release --product Fuzz --sanitize=address --scratch-path .build-fuzz
//   FUZZ_TARGET=png .build-fuzz/release/Fuzz -max_len=65536 -timeout=2 -rss_limit_mb=1024 corpus/ seeds/

import Foundation

/// What libFuzzer calls with each input.
private typealias Test = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>, _ test: Test
) -> CInt

/// The target that the environment names; libFuzzer's own children inherit it.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    print("FUZZ_TARGET names no target; the argument 'targets' lists them")
    exit(64)
  }
  return target
}()

/// Tries one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` readable bytes.
  target.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The program's main, under the name that the package manager gives it.
@_cdecl("Fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  if CommandLine.arguments.dropFirst().first == "targets" {
    FuzzTarget.allCases.forEach { print($0.rawValue) }
    return 0
  }
  _ = target
  var count = count
  var arguments = unsafe arguments
  // SAFETY: both are what main was given.
  return unsafe runDriver(&count, &arguments, fuzzOneInput)
}
