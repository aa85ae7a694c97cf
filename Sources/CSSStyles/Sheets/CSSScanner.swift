// The parts of the CSS Syntax 3 lexer that SVG style sheets need: white space and comments, identifiers with escapes,
// strings, and text up to a delimiter outside brackets and strings.

internal import XMLDocuments

/// Reads CSS from a slice of text.
package struct CSSScanner: ~Escapable {
  let bytes: Span<UInt8>
  package var position: Int
  let end: Int

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position >= end }

  /// Returns the byte at a distance from the position; 0 past the end.
  func peek(_ distance: Int = 0) -> UInt8 {
    position + distance < end ? bytes[position + distance] : 0
  }

  /// Skips white space and comments.
  @_lifetime(self: copy self)
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = position
    while position < end {
      if isSpace(bytes[position]) {
        position += 1
      } else if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        skipComment()
      } else {
        break
      }
    }
    return position > start
  }

  @_lifetime(self: copy self)
  private mutating func skipComment() {
    position += 2
    while position < end {
      if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        position += 2
        return
      }
      position += 1
    }
  }

  /// Consumes a byte if it is the next one.
  @_lifetime(self: copy self)
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte, !isAtEnd else { return false }
    position += 1
    return true
  }

  /// Reads an identifier and returns it with escapes replaced; `nil` if there is none.
  @_lifetime(self: copy self)
  package mutating func identifier() -> [UInt8]? {
    var result: [UInt8] = []
    while position < end {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
        UInt8(ascii: "-"), 0x80...0xff:
        result.append(byte)
        position += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if result.isEmpty { return nil }
        result.append(byte)
        position += 1
      case UInt8(ascii: "\\"):
        guard position + 1 < end, peek(1) != 10 else { return result.isEmpty ? nil : result }
        position += 1
        appendEscape(to: &result)
      default: return result.isEmpty ? nil : result
      }
    }
    return result.isEmpty ? nil : result
  }

  /// Appends the character denoted by the escape at the position, which is after the backslash.
  @_lifetime(self: copy self)
  private mutating func appendEscape(to result: inout [UInt8]) {
    var value: UInt32 = 0
    var count = 0
    while count < 6, let digit = hexadecimalDigit(peek()), !isAtEnd {
      value = value << 4 | UInt32(digit)
      position += 1
      count += 1
    }
    if count == 0 {
      result.append(bytes[position])
      position += 1
      return
    }
    if isSpace(peek()), !isAtEnd { position += 1 }
    let scalar = value == 0 ? "\u{fffd}" : Unicode.Scalar(value) ?? "\u{fffd}"
    result.append(contentsOf: Array(String(scalar).utf8))
  }

  /// Reads the string at the position and returns it without its quotes.
  @_lifetime(self: copy self)
  package mutating func string() -> [UInt8]? {
    let quote = peek()
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    position += 1
    var result: [UInt8] = []
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == quote { return result }
      if byte == UInt8(ascii: "\\"), position < end {
        if bytes[position] == 10 {
          position += 1
        } else {
          appendEscape(to: &result)
        }
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Moves to the next of up to three delimiters outside brackets, strings and comments, or to the end.
  @_lifetime(self: copy self)
  package mutating func skip(to first: UInt8, _ second: UInt8 = 0, _ third: UInt8 = 0) {
    let start = position
    var depth = 0
    while position < end {
      let byte = bytes[position]
      if depth == 0, byte == first || byte == second && second != 0 || byte == third && third != 0 { return }
      switch byte {
      case UInt8(ascii: "(") where startsURL(bytes, after: position, start..<end):
        skipURL()
        continue
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        skipString()
        continue
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
        skipComment()
        continue
      default: break
      }
      position = min(end, position + 1)
    }
  }

  /// Skips a URL without quotes and its parentheses. Quotes, brackets and the marks of comments are part of it.
  @_lifetime(self: copy self)
  private mutating func skipURL() {
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: ")") { return }
      if byte == UInt8(ascii: "\\") { position = min(end, position + 1) }
    }
  }

  @_lifetime(self: copy self)
  private mutating func skipString() {
    let quote = bytes[position]
    position += 1
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == quote || byte == 10 { return }
      if byte == UInt8(ascii: "\\") { position = min(end, position + 1) }
    }
  }
}

/// Returns whether a parenthesis is that of `url()` without quotes.
///
/// - Parameters:
///   - index: the place of the parenthesis.
///   - range: what is looked at before and after it.
func startsURL(_ text: Span<UInt8>, after index: Int, _ range: Range<Int>) -> Bool {
  guard index - range.lowerBound >= 3, isKeyword(text.extracting(index - 3..<index), "url") else { return false }
  var next = index + 1
  while next < range.upperBound, isSpace(text[next]) { next += 1 }
  return next < range.upperBound && text[next] != UInt8(ascii: "\"") && text[next] != UInt8(ascii: "'")
}
