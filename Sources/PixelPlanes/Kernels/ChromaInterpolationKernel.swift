// Doubling a row of chroma by linear interpolation in single precision, four chroma samples at a time. The order of
// operations is that of `interpolateRow`, so that results are bit-identical.

internal import VectorLanes

/// The weights of a pixel's four neighbours: those of the row that covers it, its own column first, then those of the
/// other row; and the offset of the other column.
package struct ChromaNeighbours: Hashable, Sendable {
  package var nearOwn: Float
  package var nearOther: Float
  package var farOwn: Float
  package var farOther: Float
  package var step: Int

  package init(nearOwn: Float, nearOther: Float, farOwn: Float, farOther: Float, step: Int) {
    (self.nearOwn, self.nearOther, self.farOwn, self.farOther) = (nearOwn, nearOther, farOwn, farOther)
    self.step = step
  }
}

/// Interpolates the even and odd pixels of chroma samples from the second one on, as long as all of the four samples have
/// both neighbours.
///
/// - Parameters:
///   - near, far: at least `count` values.
///   - even, odd: their steps are −1, 0 or 1.
///   - output: room for `2 · count` values; those of the interpolated samples are written.
/// - Returns: the index of the first chroma sample that is left, at least 1.
package func interpolateColumnPairs(
  near: Span<Float>, far: Span<Float>, even: ChromaNeighbours, odd: ChromaNeighbours, count: Int,
  into output: inout MutableSpan<Float>
) -> Int {
  precondition(
    count >= 0 && count <= 1 << 20 && near.count >= count && far.count >= count && output.count >= 2 &* count
      && abs(even.step) <= 1 && abs(odd.step) <= 1, "a row of chroma is too short")
  return unsafe near.withUnsafeBytes { near in
    unsafe far.withUnsafeBytes { far in
      unsafe output.withUnsafeMutableBytes { output in
        var index = 1
        while index &+ 4 < count {
          // SAFETY: `index` is at least 1 and `index + 4` less than `count`, so that by the precondition the four values
          // from `index − 1`, `index` and `index + 1` on exist, as does room for eight values from `2 · index` on.
          let nearOwn = unsafe near.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self)
          let farOwn = unsafe far.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self)
          let evenOffset = (index &+ even.step) &* 4
          let evens = unsafe weighted(
            nearOwn, near.loadUnaligned(fromByteOffset: evenOffset, as: SIMD4<Float>.self), farOwn,
            far.loadUnaligned(fromByteOffset: evenOffset, as: SIMD4<Float>.self), even)
          let oddOffset = (index &+ odd.step) &* 4
          let odds = unsafe weighted(
            nearOwn, near.loadUnaligned(fromByteOffset: oddOffset, as: SIMD4<Float>.self), farOwn,
            far.loadUnaligned(fromByteOffset: oddOffset, as: SIMD4<Float>.self), odd)
          let first = unsafe unsafeBitCast(evens, to: SIMD8<Int16>.self)
          let second = unsafe unsafeBitCast(odds, to: SIMD8<Int16>.self)
          unsafe output.storeBytes(
            of: interleaveLow32(first, second), toByteOffset: index &* 8, as: SIMD8<Int16>.self)
          unsafe output.storeBytes(
            of: interleaveHigh32(first, second), toByteOffset: index &* 8 &+ 16, as: SIMD8<Int16>.self)
          index &+= 4
        }
        return index
      }
    }
  }
}

@inline(__always)
private func weighted(
  _ nearOwn: SIMD4<Float>, _ nearOther: SIMD4<Float>, _ farOwn: SIMD4<Float>, _ farOther: SIMD4<Float>,
  _ weights: ChromaNeighbours
) -> SIMD4<Float> {
  nearOwn * weights.nearOwn + nearOther * weights.nearOther + farOwn * weights.farOwn + farOther * weights.farOther
}
