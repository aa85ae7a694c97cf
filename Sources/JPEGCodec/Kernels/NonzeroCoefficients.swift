// Finds the nonzero coefficients of a block; refinement scans and rendering visit only those.

internal import VectorLanes

/// Returns a bit mask in storage order; a bit is set if its coefficient is nonzero.
@inline(__always)
package func nonzeroCoefficients(_ block: Span<Int16>) -> UInt64 {
  precondition(block.count == 64, "the block does not have 64 coefficients")
  return unsafe block.withUnsafeBytes { bytes in
    @inline(__always) func vector(_ index: Int) -> SIMD8<Int16> {
      // SAFETY: the block has 128 bytes, which are eight vectors.
      unsafe bytes.loadUnaligned(fromByteOffset: index &* 16, as: SIMD8<Int16>.self)
    }
    let zeros =
      UInt64(zeroLanes(vector(0), vector(1))) | UInt64(zeroLanes(vector(2), vector(3))) &<< 16
      | UInt64(zeroLanes(vector(4), vector(5))) &<< 32 | UInt64(zeroLanes(vector(6), vector(7))) &<< 48
    return ~zeros
  }
}
