// CRC-32 with tables, for several words at a time. The remainders of words that are five words apart depend only on one
// another, so five such chains are computed at once and joined at the end.

/// Returns the remainder of RFC 1952 after more bytes, without the inversion at both ends.
func crc32(_ bytes: Span<UInt8>, after initial: UInt32) -> UInt32 {
  let tables = CRC32Tables.shared
  precondition(tables.near.count == 8 * 256 && tables.far.count == 8 * 256, "the tables are not complete")
  let groupByteCount = CRC32Tables.braidCount * 8
  let groupCount = bytes.count / groupByteCount
  var value = initial
  if groupCount > 0 {
    // SAFETY: the tables have 256 entries for each byte of a word. Groups end within the bytes.
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe tables.near.withUnsafeBufferPointer { near in
        unsafe tables.far.withUnsafeBufferPointer { far in
          guard let start = buffer.baseAddress, let near = near.baseAddress, let far = far.baseAddress else { return }
          value = unsafe crc32(groups: groupCount, from: start, near, far, after: initial)
        }
      }
    }
  }
  for index in groupCount * groupByteCount..<bytes.count { value = tables.next(value, bytes[index]) }
  return value
}

/// Returns the remainder after at least one group of words.
@inline(__always)
private func crc32(
  groups groupCount: Int, from start: UnsafeRawPointer, _ near: UnsafePointer<UInt32>, _ far: UnsafePointer<UInt32>,
  after initial: UInt32
) -> UInt32 {
  /// The remainder of a word, followed by as much as the table is for.
  @inline(__always) func remainder(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt64 {
    @inline(__always) func part(_ index: Int) -> UInt32 {
      unsafe table[index &* 256 &+ Int(truncatingIfNeeded: word &>> UInt64(index &* 8) & 255)]
    }
    let low = part(0) ^ part(1) ^ part(2) ^ part(3)
    return UInt64(low ^ part(4) ^ part(5) ^ part(6) ^ part(7))
  }
  @inline(__always) func word(_ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
  var (first, second, third, fourth, fifth) = (UInt64(initial), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
  var offset = 0
  let last = (groupCount &- 1) &* 40
  while offset < last {
    first = unsafe remainder(first ^ word(offset), far)
    second = unsafe remainder(second ^ word(offset &+ 8), far)
    third = unsafe remainder(third ^ word(offset &+ 16), far)
    fourth = unsafe remainder(fourth ^ word(offset &+ 24), far)
    fifth = unsafe remainder(fifth ^ word(offset &+ 32), far)
    offset &+= 40
  }
  var value = unsafe remainder(first ^ word(offset), near)
  value = unsafe remainder(value ^ second ^ word(offset &+ 8), near)
  value = unsafe remainder(value ^ third ^ word(offset &+ 16), near)
  value = unsafe remainder(value ^ fourth ^ word(offset &+ 24), near)
  value = unsafe remainder(value ^ fifth ^ word(offset &+ 32), near)
  return UInt32(truncatingIfNeeded: value)
}
