// Fuzzes the GIF decoder: no input may trap, and a decode in pieces must equal one at once.
//
//   FUZZ=1 swift build -c release --product FuzzGIF --sanitize=address --scratch-path .b-fuzz
//   .b-fuzz/release/FuzzGIF -max_len=65536 -timeout=2 -rss_limit_mb=1024 corpus/ seeds/

import FuzzSupport
import GIFCodec

/// Decodes one input in every way; called by libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` readable bytes.
  fuzz(unsafe Array(UnsafeBufferPointer(start: start, count: count)), with: GIFDecoder())
  return 0
}
