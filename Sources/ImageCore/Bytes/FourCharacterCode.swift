// The four letters that name boxes, brands and chunks.

/// Four ASCII letters as one integer, the first one most significant.
package struct FourCharacterCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The letters, the first one most significant.
  package let rawValue: UInt32

  /// Wraps letters.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The first four letters of a literal.
  package init(stringLiteral value: String) {
    rawValue = value.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The code at an offset; `nil` when the bytes end before.
  package init?(_ bytes: Span<UInt8>, at offset: Int) {
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    var value: UInt32 = 0
    for index in offset..<offset + 4 { value = value << 8 | UInt32(bytes[index]) }
    rawValue = value
  }

  /// The letters; what is not ASCII as a replacement character.
  package var description: String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> UInt32(24 - 8 * $0)) }, as: UTF8.self)
  }
}
