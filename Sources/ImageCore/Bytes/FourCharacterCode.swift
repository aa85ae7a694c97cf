// The four-letter codes that name boxes, brands and chunks.

/// Four ASCII letters as one integer, the first one most significant.
package struct FourCharacterCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The letters, the first one most significant.
  package let rawValue: UInt32

  /// Creates a code from its integer value.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates a code from the first four letters of a literal.
  package init(stringLiteral value: String) {
    rawValue = value.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Reads the code at an offset; `nil` if fewer than four bytes remain.
  package init?(_ bytes: Span<UInt8>, at offset: Int) {
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    var value: UInt32 = 0
    for index in offset..<offset + 4 { value = value << 8 | UInt32(bytes[index]) }
    rawValue = value
  }

  /// The letters, with a replacement character for each that is not ASCII.
  package var description: String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> UInt32(24 - 8 * $0)) }, as: UTF8.self)
  }
}
