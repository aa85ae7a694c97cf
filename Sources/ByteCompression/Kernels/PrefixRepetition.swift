// Doubling a table of which the first part is filled.

/// Copies the first `count` cells to those that follow them.
@inline(__always)
func repeatPrefix(of cells: inout MutableSpan<UInt32>, count: Int) {
  precondition(count >= 0 && count <= cells.count / 2, "the table has no room for a second copy")
  unsafe cells.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return }
    // SAFETY: both ranges are within the buffer by the precondition, and they do not overlap.
    unsafe (start + count).update(from: start, count: count)
  }
}
