// Memory for pixels. The system hands out large allocations in pages of mostly 4 KiB, at a cost that exceeds that of writing
// them; pages of 2 MiB are 512 times fewer.

#if canImport(Glibc)
  internal import Glibc
#endif

/// The size from which huge pages are requested.
private let minimumAdvisedByteCount = 4 << 20

/// Returns an array of zeros, on huge pages if it is large.
package func makeZeroedBytes(_ count: Int) -> [UInt8] {
  guard count >= minimumAdvisedByteCount else { return [UInt8](repeating: 0, count: max(0, count)) }
  // SAFETY: all `count` bytes are initialised, within the capacity that was asked for.
  return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
    unsafe adviseHugePages(UnsafeMutableRawBufferPointer(buffer))
    unsafe buffer.initialize(repeating: 0)
    initializedCount = count
  }
}

/// Returns an array of arbitrary bytes, on huge pages if it is large. The caller writes each byte before reading it.
package func makeArbitraryBytes(_ count: Int) -> [UInt8] {
  // SAFETY: every bit pattern of a byte is valid, and `count` is within the capacity that was asked for.
  unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initializedCount in
    if count >= minimumAdvisedByteCount { unsafe adviseHugePages(UnsafeMutableRawBufferPointer(buffer)) }
    initializedCount = max(0, count)
  }
}

/// Asks the system to back the whole pages within some memory with huge ones. Neither the contents nor the result of
/// the program change, so errors are ignored.
private func adviseHugePages(_ memory: UnsafeMutableRawBufferPointer) {
  #if canImport(Glibc)
    // Processors with pages of 16 or 64 KiB refuse advice for addresses between their bounds.
    let pageMask = Int(getpagesize()) - 1
    guard let base = memory.baseAddress else { return }
    let offset = -Int(bitPattern: base) & pageMask
    guard offset < memory.count else { return }
    // SAFETY: the range starts at a page boundary inside the memory and ends at its end or before.
    _ = unsafe madvise(base + offset, (memory.count - offset) & ~pageMask, MADV_HUGEPAGE)
  #endif
}
