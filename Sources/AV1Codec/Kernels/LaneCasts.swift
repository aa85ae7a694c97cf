// The same 16 bytes as lanes of 16 and of 32 bits.

internal import VectorLanes

// SAFETY of all: both types have 16 bytes, and every bit pattern is valid.

/// Each lane of 32 bits as two of 16, the low one first.
@inline(__always)
func words(_ vector: DoubleWords) -> Words { unsafe unsafeBitCast(vector, to: Words.self) }

/// Each pair of lanes of 16 bits as one of 32, the first one low.
@inline(__always)
func doubleWords(_ vector: Words) -> DoubleWords { unsafe unsafeBitCast(vector, to: DoubleWords.self) }

/// A pair of factors for each pair of lanes.
@inline(__always)
func factorPairs(_ first: Int, _ second: Int) -> Words {
  words(DoubleWords(repeating: Int32(truncatingIfNeeded: first & 0xFFFF | second &<< 16)))
}
