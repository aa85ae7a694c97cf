// The checksum of RFC 1950.

/// An incrementally computed Adler-32 checksum.
package struct Adler32: Hashable, Sendable {
  private var sums = Adler32Sums(low: 1, high: 0)

  /// Creates the checksum of an empty input.
  package init() {}

  /// The checksum of all bytes so far.
  package var value: UInt32 { sums.high << 16 | sums.low }

  /// Includes more bytes in the checksum.
  package mutating func update(_ bytes: Span<UInt8>) {
    sums = adler32(bytes, after: sums)
  }
}
