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

/// Returns the eight numbers from an index on.
@inline(__always)
package func loadVector(_ numbers: borrowing MutableSpan<Int32>, at index: Int) -> SIMD8<Int32> {
  precondition(index >= 0 && index <= numbers.count &- 8)
  return unsafe numbers.withUnsafeBytes { bytes in
    // SAFETY: the 32 bytes from 4 · index on are in the span, as checked above; the load needs no alignment.
    unsafe bytes.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Int32>.self)
  }
}

/// Stores eight numbers from an index on.
@inline(__always)
package func storeVector(_ value: SIMD8<Int32>, into numbers: inout MutableSpan<Int32>, at index: Int) {
  precondition(index >= 0 && index <= numbers.count &- 8)
  unsafe numbers.withUnsafeMutableBytes { bytes in
    // SAFETY: the 32 bytes from 4 · index on are in the span, as checked above; the store needs no alignment.
    unsafe bytes.storeBytes(of: value, toByteOffset: index &* 4, as: SIMD8<Int32>.self)
  }
}

/// Whether all lanes are 0.
@inline(__always)
package func areZero(_ numbers: SIMD8<Int32>) -> Bool {
  // SAFETY: both types have 256 bits, and all values are valid.
  let words = unsafe unsafeBitCast(numbers, to: SIMD4<UInt64>.self)
  let halves = words.lowHalf | words.highHalf
  return halves[0] | halves[1] == 0
}

/// Copies samples from one place to another.
package func copySamples(
  _ source: Span<Float>, from first: Int, to target: inout MutableSpan<Float>, at index: Int, count: Int
) {
  precondition(
    count >= 0 && first >= 0 && index >= 0 && first <= source.count &- count && index <= target.count &- count,
    "the samples are present")
  // SAFETY: both ranges are in their spans by the precondition.
  unsafe source.withUnsafeBufferPointer { source in
    unsafe target.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      unsafe (to + index).update(from: from + first, count: count)
    }
  }
}

/// The bits of eight samples.
package typealias FloatVectorBits = SIMD8<UInt32>

/// Returns the bits of eight samples.
@inline(__always)
package func bits(of vector: FloatVector) -> FloatVectorBits {
  // SAFETY: both types consist of eight lanes of 32 bits, all of whose values are valid.
  unsafe unsafeBitCast(vector, to: FloatVectorBits.self)
}

/// Returns the eight samples that have the given bits.
@inline(__always)
package func floats(ofBits bits: FloatVectorBits) -> FloatVector {
  // SAFETY: both types consist of eight lanes of 32 bits, all of whose values are valid.
  unsafe unsafeBitCast(bits, to: FloatVector.self)
}

/// Returns pairs of 32-bit numbers as 64-bit ones, of which the first number is the low half.
@inline(__always)
package func pairs(_ numbers: FloatVectorBits) -> SIMD4<UInt64> {
  // SAFETY: both types have 256 bits, and all values are valid.
  let words = unsafe unsafeBitCast(numbers, to: SIMD4<UInt64>.self)
  #if _endian(little)
    return words
  #else
    let halfWidth = SIMD4<UInt64>(repeating: 32)
    return words &<< halfWidth | words &>> halfWidth
  #endif
}
