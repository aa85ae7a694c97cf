// The checksum of RFC 1950.

/// Adler-32.
package struct Adler32: Hashable, Sendable {
  private var sums = Adler32Sums(low: 1, high: 0)

  /// The checksum of no bytes.
  package init() {}

  /// The checksum of all bytes so far.
  package var value: UInt32 { sums.high << 16 | sums.low }

  /// Takes in more bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    sums = adler32(bytes, after: sums)
  }
}
