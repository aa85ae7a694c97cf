// Vectors of eight samples in arrays of floats.

/// Eight samples.
package typealias FloatVector = SIMD8<Float>

/// Returns the eight samples from an index on.
@inline(__always)
package func loadVector(_ samples: Span<Float>, at index: Int) -> FloatVector {
  precondition(index >= 0 && index <= samples.count &- 8)
  return unsafe samples.withUnsafeBytes { bytes in
    // SAFETY: the 32 bytes from 4 · index on are in the span, as checked above; the load needs no alignment.
    unsafe bytes.loadUnaligned(fromByteOffset: index &* 4, as: FloatVector.self)
  }
}

/// Returns the eight samples from an index on.
@inline(__always)
package func loadVector(_ samples: borrowing MutableSpan<Float>, at index: Int) -> FloatVector {
  precondition(index >= 0 && index <= samples.count &- 8)
  return unsafe samples.withUnsafeBytes { bytes in
    // SAFETY: the 32 bytes from 4 · index on are in the span, as checked above; the load needs no alignment.
    unsafe bytes.loadUnaligned(fromByteOffset: index &* 4, as: FloatVector.self)
  }
}

/// Stores eight samples from an index on.
@inline(__always)
package func storeVector(_ value: FloatVector, into samples: inout MutableSpan<Float>, at index: Int) {
  precondition(index >= 0 && index <= samples.count &- 8)
  unsafe samples.withUnsafeMutableBytes { bytes in
    // SAFETY: the 32 bytes from 4 · index on are in the span, as checked above; the store needs no alignment.
    unsafe bytes.storeBytes(of: value, toByteOffset: index &* 4, as: FloatVector.self)
  }
}
