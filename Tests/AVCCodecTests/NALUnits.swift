// NAL units in a byte stream.

import TestSupport

/// A NAL unit after a start code, with emulation prevention.
func nalUnit(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
  [0, 0, 1, UInt8(3 << 5 | type)] + escaped(payload)
}
