// Sums of the products of neighbouring lanes and two factors, on processors that have an instruction for them; of NEON,
// see Kernels/NEON.

#if !arch(arm64) || !canImport(_Builtin_intrinsics) || PORTABLE_KERNELS
  /// Two vectors of pairs of lanes. Each pair is multiplied by two factors, and the products are added.
  @frozen
  @usableFromInline
  package struct PairedLanes {
    @usableFromInline let first: Int16x8
    @usableFromInline let second: Int16x8

    @inlinable @inline(__always)
    package init(_ first: Int16x8, _ second: Int16x8) {
      self.first = first
      self.second = second
    }

    /// Returns `sum0 + a0·even + a1·odd, sum1 + a2·even + a3·odd, …` for the lanes of the first vector.
    @inlinable @inline(__always)
    package func first(_ even: Int16, _ odd: Int16, to sums: Int32x4 = Int32x4()) -> Int32x4 {
      sums &+ multiplyAddPairs(first, Int16x8(even, odd, even, odd, even, odd, even, odd))
    }

    /// Returns `sum0 + a0·even + a1·odd, sum1 + a2·even + a3·odd, …` for the lanes of the second vector.
    @inlinable @inline(__always)
    package func second(_ even: Int16, _ odd: Int16, to sums: Int32x4 = Int32x4()) -> Int32x4 {
      sums &+ multiplyAddPairs(second, Int16x8(even, odd, even, odd, even, odd, even, odd))
    }
  }
#endif
