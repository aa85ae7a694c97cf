// Copies of 32-bit words between buffers.

/// Copies `input` to `output` from an index on.
func copyWords(_ input: Span<UInt32>, into output: inout MutableSpan<UInt32>, at index: Int) {
  precondition(index >= 0 && index <= output.count && input.count <= output.count - index, "the run does not fit")
  // SAFETY: the range is within the output, as checked.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      unsafe (to + index).update(from: from, count: input.count)
    }
  }
}
