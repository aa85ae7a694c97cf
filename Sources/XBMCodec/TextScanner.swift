// Characters of a text file whose encoding is detected by its byte order mark, for X bitmaps.

internal import ImageCoding

/// Scans ASCII-compatible text, or UTF-16 with a byte order mark. Characters outside ASCII read as 0x7F.
struct TextScanner: ~Escapable {
  /// The number of bytes in which definitions are searched for, after comments and licences.
  static let maximumByteCount = 64 << 10

  private let bytes: Span<UInt8>
  private let unitByteCount: Int
  private let lowByte: Int
  /// The offset of the next character.
  private(set) var position: Int
  private let end: Int

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, limit: Int = maximumByteCount) {
    self.bytes = bytes
    end = min(bytes.count, limit)
    let first = bytes.count > 0 ? bytes[0] : 0
    let second = bytes.count > 1 ? bytes[1] : 0
    switch (first, second) {
    case (0xFE, 0xFF): (unitByteCount, lowByte, position) = (2, 1, 2)
    case (0xFF, 0xFE): (unitByteCount, lowByte, position) = (2, 0, 2)
    case (0xEF, 0xBB): (unitByteCount, lowByte, position) = (1, 0, 3)
    default: (unitByteCount, lowByte, position) = (1, 0, 0)
    }
  }

  /// The next character; `nil` at the end.
  var peek: UInt8? { letter(0) }

  func letter(_ distance: Int) -> UInt8? {
    let index = position + distance * unitByteCount
    guard index + unitByteCount <= end else { return nil }
    if unitByteCount == 2, bytes[index + 1 - lowByte] != 0 { return 0x7F }
    return bytes[index + lowByte]
  }

  mutating func advance(_ count: Int = 1) {
    position += count * unitByteCount
  }

  mutating func skipWhitespace() {
    while let letter = peek, letter == 0x20 || (letter >= 0x09 && letter <= 0x0D) { advance() }
  }

  /// Returns whether the text continues with `literal`, or `nil` if it ends before that is known.
  func starts(with literal: StaticString) -> Bool? {
    for (distance, expected) in literal.description.utf8.enumerated() {
      guard let letter = letter(distance) else { return nil }
      if letter != expected { return false }
    }
    return true
  }

  /// Moves past the next `*/`. Returns `false` if there is none.
  mutating func skipPastEndOfComment() -> Bool {
    while let letter = peek {
      advance()
      if letter == UInt8(ascii: "*"), peek == UInt8(ascii: "/") {
        advance()
        return true
      }
    }
    return false
  }

  mutating func readName() -> String {
    var name: [UInt8] = []
    while let letter = peek, isNameLetter(letter), name.count < 256 {
      name.append(letter)
      advance()
    }
    return String(decoding: name, as: UTF8.self)
  }

  private func isNameLetter(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: ":"), 0x7F:
      true
    default: false
    }
  }
}
