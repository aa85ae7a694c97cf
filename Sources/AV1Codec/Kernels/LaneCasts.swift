// The same 16 bytes as lanes of 16 and of 32 bits.

internal import VectorLanes

// SAFETY of all: both types have 16 bytes, and every bit pattern is valid.

/// Each lane of 32 bits as two of 16, the low one first.
@inline(__always)
func int16x8(_ vector: Int32x4) -> Int16x8 { unsafe unsafeBitCast(vector, to: Int16x8.self) }

/// Each pair of lanes of 16 bits as one of 32, the first one low.
@inline(__always)
func int32x4(_ vector: Int16x8) -> Int32x4 { unsafe unsafeBitCast(vector, to: Int32x4.self) }

/// A pair of factors for each pair of lanes.
@inline(__always)
func factorPairs(_ first: Int, _ second: Int) -> Int16x8 {
  int16x8(Int32x4(repeating: Int32(truncatingIfNeeded: first & 0xFFFF | second &<< 16)))
}
