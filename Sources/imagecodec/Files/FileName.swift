// Names of files as strings. A name is a sequence of bytes, which need not be UTF-8.

/// Conversions between the bytes of names, the strings that represent them in the tool, and the text that a terminal
/// shows.
///
/// A byte that is not part of valid UTF-8 is represented by a private-use character, U+10FE80…U+10FEFF for 0x80…0xFF.
/// Where a name contains such a character itself, its bytes are represented in the same way, so that each name has
/// exactly one string.
package enum FileName {
  private static let base: UInt32 = 0x10FE00

  /// Returns the string for a name.
  package static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isByte) { return text }
    var text = String.UnicodeScalarView()
    var start = 0
    while start < bytes.count {
      let (scalar, count) = scalar(bytes[start...])
      if let scalar, !isByte(scalar) {
        text.append(scalar)
      } else {
        for byte in bytes[start..<start + count] { text.append(Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}") }
      }
      start += count
    }
    return String(text)
  }

  /// Returns the bytes of the name that a string represents.
  package static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if isByte(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return bytes
  }

  /// Whether a name is UTF-8.
  package static func isText(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isByte) }

  /// Returns a name for a line that people read: bytes that are not UTF-8 and characters that move the cursor or change
  /// the direction of a terminal are escaped.
  package static func display(_ text: String) -> String { TerminalText.escaped(text) }

  /// Returns the byte that a character represents; `nil` for other characters.
  static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    isByte(scalar) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool { (base + 0x80...base + 0xFF).contains(scalar.value) }

  /// Decodes the first character; without one, the count is that of the bytes to skip.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, count: Int) {
    for count in 1...4 where count <= bytes.count {
      if let text = String(validating: bytes.prefix(count), as: UTF8.self), let scalar = text.unicodeScalars.first {
        return (scalar, count)
      }
    }
    return (nil, 1)
  }
}

/// Text of a file or of its name on a line of a terminal.
enum TerminalText {
  /// Replaces control characters by escape sequences, such as `\n` and `\x1b`.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isEscaped(scalar) {
        escaped.append(contentsOf: replacement(scalar).unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    // The separators of lines, and the embeddings, overrides and isolates of bidirectional text.
    case 0x2028...0x202E, 0x2066...0x2069: true
    default: FileName.byte(scalar) != nil
    }
  }

  private static func replacement(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default: break
    }
    let value = FileName.byte(scalar).map { UInt32($0) } ?? scalar.value
    let digits = String(value, radix: 16)
    let isByte = value < 0x80 || FileName.byte(scalar) != nil
    return isByte ? "\\x" + (value < 16 ? "0" : "") + digits : "\\u{\(digits)}"
  }
}
