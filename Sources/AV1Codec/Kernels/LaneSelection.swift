// Selection of lanes by the sign of others.

internal import VectorLanes

/// −1 where a lane is negative, otherwise 0. The product hides from the compiler that these are masks: it would take them
/// apart into scalars.
@inline(__always)
func signMask(_ values: Int16x8) -> Int16x8 { multiplyHigh(values, Int16x8(repeating: 2)) }

/// The lanes of `a` where a mask is −1, those of `b` where it is 0.
@inline(__always)
func select(_ mask: Int16x8, _ a: Int16x8, _ b: Int16x8) -> Int16x8 { b ^ ((a ^ b) & mask) }
