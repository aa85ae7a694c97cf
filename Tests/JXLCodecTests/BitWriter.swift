// A writer of codestreams for tests, one bit at a time.

/// Appends bits, the least significant one first.
struct BitWriter {
  private(set) var bits: [Bool] = []

  mutating func write(_ value: Int, _ count: Int) {
    for bit in 0..<count { bits.append(value >> bit & 1 == 1) }
  }

  mutating func align() {
    while bits.count % 8 != 0 { bits.append(false) }
  }

  mutating func append(_ other: BitWriter) { bits += other.bits }

  /// A `U32` of the given form.
  mutating func writeU32(form: Int, _ value: Int = 0, _ count: Int = 0) {
    write(form, 2)
    write(value, count)
  }

  var bytes: [UInt8] {
    var copy = self
    copy.align()
    return stride(from: 0, to: copy.bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | (copy.bits[start + $1] ? 1 << UInt8($1) : 0) }
    }
  }
}
