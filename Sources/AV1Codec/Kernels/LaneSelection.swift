// Selection of lanes by the sign of others.

internal import VectorLanes

/// −1 where a lane is negative, otherwise 0. The product hides from the compiler that these are masks: it would take them
/// apart into scalars.
@inline(__always)
func signMask(_ values: Words) -> Words { multiplyHigh(values, Words(repeating: 2)) }

/// The lanes of `a` where a mask is −1, those of `b` where it is 0.
@inline(__always)
func select(_ mask: Words, _ a: Words, _ b: Words) -> Words { b ^ ((a ^ b) & mask) }
