// Copies of whole ranges of bytes.

/// Copies bytes to those from `index` on.
func copyBytes(_ source: Span<UInt8>, into target: inout MutableSpan<UInt8>, at index: Int) {
  precondition(index >= 0 && index <= target.count && source.count <= target.count - index, "there is no room")
  // SAFETY: both ranges are valid by the precondition, and a span that is mutated overlaps no other.
  unsafe source.withUnsafeBytes { from in
    unsafe target.withUnsafeMutableBytes { to in
      guard let from = from.baseAddress, let to = to.baseAddress else { return }
      unsafe (to + index).copyMemory(from: from, byteCount: source.count)
    }
  }
}
