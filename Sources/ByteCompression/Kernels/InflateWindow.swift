// The last 32 KiB of a decompressor's output, to which matches of later calls refer.

/// The last bytes of the output of earlier calls.
struct InflateWindow: Sendable {
  private static let byteCount = 32 << 10
  /// Two windows, so that bytes move only once per window, and the bytes that may be read beyond the end.
  private static let capacity = 2 * byteCount

  /// The bytes, up to `end`. Allocated when they are needed.
  private var bytes: [UInt8] = []
  private var end = 0
  /// The number of bytes to which matches may refer.
  var count: Int { min(end, Self.byteCount) }

  /// Returns a byte by its distance from the next one: 1 up to `count`.
  subscript(back: Int) -> UInt8 {
    precondition(back > 0 && back <= count, "the distance is outside the window")
    return bytes[end - back]
  }

  /// Forgets all bytes.
  mutating func removeAll() { end = 0 }

  /// Adds output.
  mutating func append(_ output: Span<UInt8>) {
    if output.isEmpty { return }
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: Self.capacity + copyExcess) }
    let added = output.extracting(last: Self.byteCount)
    if end + added.count > Self.capacity {
      let kept = count
      moveBytes(&bytes, from: end - kept, count: kept)
      end = kept
    }
    let start = end
    var target = bytes.mutableSpan
    copyBytes(added, into: &target, at: start)
    end = start + added.count
  }

  /// Calls `body` with the end of the bytes, before which there are `count`, and after which there are ``copyExcess`` more
  /// that can be read.
  @inline(__always)
  func withUnsafeEnd(_ body: (UnsafeRawPointer, Int) -> Void) {
    let (end, count) = (end, count)
    precondition(count == 0 || end <= bytes.count - copyExcess, "the window has no room after its end")
    // SAFETY: the end is inside of the bytes by the precondition. Nothing is read of an empty window.
    unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe body(start + (count == 0 ? 0 : end), count)
    }
  }
}

/// Moves bytes to the start of an array.
private func moveBytes(_ bytes: inout [UInt8], from start: Int, count: Int) {
  precondition(start >= 0 && count >= 0 && start <= bytes.count - count, "the bytes are not in the array")
  // SAFETY: both ranges are in the array by the precondition; they may overlap.
  unsafe bytes.withUnsafeMutableBytes { buffer in
    guard let target = buffer.baseAddress else { return }
    unsafe target.copyMemory(from: target + start, byteCount: count)
  }
}
