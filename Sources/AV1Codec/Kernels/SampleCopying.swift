// Copies of whole rows of samples.

/// Copies samples within a buffer. Both places may overlap.
package func moveSamples(_ samples: inout MutableSpan<UInt16>, from source: Int, to target: Int, count: Int) {
  precondition(
    count >= 0 && source >= 0 && target >= 0 && source <= samples.count &- count && target <= samples.count &- count,
    "the samples are present")
  // SAFETY: both ranges are in the samples by the precondition; `update` allows them to overlap.
  unsafe samples.withUnsafeMutableBufferPointer { samples in
    guard let base = samples.baseAddress else { return }
    unsafe (base + target).update(from: base + source, count: count)
  }
}

/// Copies samples from one buffer to another.
package func copySamples(
  _ source: Span<UInt16>, from first: Int, to target: inout MutableSpan<UInt16>, at index: Int, count: Int
) {
  precondition(
    count >= 0 && first >= 0 && index >= 0 && first <= source.count &- count && index <= target.count &- count,
    "the samples are present")
  // SAFETY: both ranges are in their buffers by the precondition.
  unsafe source.withUnsafeBufferPointer { source in
    unsafe target.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      unsafe (to + index).update(from: from + first, count: count)
    }
  }
}

/// Copies samples that are a number of samples apart.
package func gatherSamples(
  _ source: Span<UInt16>, from first: Int, stride: Int, to target: inout MutableSpan<UInt16>, at index: Int, count: Int
) {
  precondition(
    count >= 0 && count <= 128 && first >= 0 && index >= 0 && stride > 0 && stride < 1 << 24
      && (count == 0 || first < source.count &- (count &- 1) &* stride) && index <= target.count &- count,
    "the samples are present")
  // SAFETY: the last sample that is read and the range that is written are in their buffers by the precondition.
  unsafe source.withUnsafeBufferPointer { source in
    unsafe target.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      for offset in 0..<count { unsafe to[index &+ offset] = from[first &+ offset &* stride] }
    }
  }
}

/// Copies samples of 8 bits to bytes.
package func narrowSamples(
  _ source: Span<UInt16>, from first: Int, to target: inout MutableSpan<UInt8>, at index: Int, count: Int
) {
  let samples = source.extracting(first..<first &+ count)
  var bytes = target._mutatingExtracting(index..<index &+ count)
  for x in 0..<count { bytes[x] = UInt8(truncatingIfNeeded: samples[x]) }
}
