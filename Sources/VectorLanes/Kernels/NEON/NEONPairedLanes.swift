// Sums of the products of neighbouring lanes and two factors by NEON, which multiplies the halves of vectors.

#if arch(arm64) && canImport(_Builtin_intrinsics) && !PORTABLE_KERNELS
  public import _Builtin_intrinsics.arm.neon

  /// Two vectors of pairs of lanes. Each pair is multiplied by two factors, and the products are added.
  @frozen
  @usableFromInline
  package struct PairedLanes {
    /// The even lanes of the first vector, then those of the second.
    @usableFromInline let even: Int16x8
    /// The odd lanes of both.
    @usableFromInline let odd: Int16x8

    @inlinable @inline(__always)
    package init(_ first: Int16x8, _ second: Int16x8) {
      even = vuzp1q_s16(first, second)
      odd = vuzp2q_s16(first, second)
    }

    /// Returns `sum0 + a0·even + a1·odd, sum1 + a2·even + a3·odd, …` for the lanes of the first vector.
    @inlinable @inline(__always)
    package func first(_ even: Int16, _ odd: Int16, to sums: Int32x4 = Int32x4()) -> Int32x4 {
      vmlal_s16(
        vmlal_s16(sums, vget_low_s16(self.even), vdup_n_s16(even)), vget_low_s16(self.odd), vdup_n_s16(odd))
    }

    /// Returns `sum0 + a0·even + a1·odd, sum1 + a2·even + a3·odd, …` for the lanes of the second vector.
    @inlinable @inline(__always)
    package func second(_ even: Int16, _ odd: Int16, to sums: Int32x4 = Int32x4()) -> Int32x4 {
      vmlal_high_s16(vmlal_high_s16(sums, self.even, vdupq_n_s16(even)), self.odd, vdupq_n_s16(odd))
    }
  }
#endif
