// The comments of scripts. Where a slash starts a regular expression, and where it divides, is decided by the token
// before it, which suffices for most scripts (ECMA-262, section 12).

/// Removes the comments of JavaScript.
struct ScriptText {
  private let text: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  /// Whether a slash at the position starts a regular expression.
  private var expectsValue = true
  /// For each brace that is open, whether it belongs to a template.
  private var braces: [Bool] = []

  private static let valueKeywords: Set<String> = [
    "return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else", "yield",
    "await",
  ]

  /// Returns a script without its comments. A script whose literals do not end is not understood and stays as it is.
  static func withoutComments(_ text: [UInt8]) -> [UInt8] {
    var script = ScriptText(text: text)
    return script.run() ? script.output : text
  }

  private init(text: [UInt8]) {
    self.text = text
    output.reserveCapacity(text.count)
  }

  private func byte(_ distance: Int = 0) -> UInt8 {
    position + distance < text.count ? text[position + distance] : 0
  }

  private mutating func copy(_ count: Int = 1) {
    let end = min(text.count, position + count)
    output += text[position..<end]
    position = end
  }

  private mutating func run() -> Bool {
    while position < text.count {
      switch byte() {
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while position < text.count, byte() != 10, byte() != 13 { position += 1 }
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
        guard skipBlock() else { return false }
      case UInt8(ascii: "/") where expectsValue:
        guard copyExpression() else { return false }
        expectsValue = false
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard copyString() else { return false }
        expectsValue = false
      case UInt8(ascii: "`"):
        guard copyTemplate() else { return false }
      case UInt8(ascii: "{"):
        braces.append(false)
        copy()
        expectsValue = true
      case UInt8(ascii: "}"):
        if braces.popLast() == true {
          // The rest of the template.
          guard copyTemplate() else { return false }
        } else {
          copy()
          expectsValue = true
        }
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        copy()
        expectsValue = false
      case 9, 10, 11, 12, 13, 32: copy()
      case let byte where Self.isWordByte(byte): copyWord()
      default:
        copy()
        expectsValue = true
      }
    }
    return braces.isEmpty
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xff:
      true
    default: false
    }
  }

  private mutating func copyWord() {
    let start = position
    while Self.isWordByte(byte()) { copy() }
    expectsValue = Self.valueKeywords.contains(String(decoding: text[start..<position], as: UTF8.self))
  }

  /// A comment has the effect of a line end if it contains one, and of a space otherwise.
  private mutating func skipBlock() -> Bool {
    position += 2
    var hasLineEnd = false
    while position < text.count {
      if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        position += 2
        output.append(hasLineEnd ? 10 : 32)
        return true
      }
      if byte() == 10 || byte() == 13 { hasLineEnd = true }
      position += 1
    }
    return false
  }

  private mutating func copyString() -> Bool {
    let quote = byte()
    copy()
    while position < text.count {
      switch byte() {
      case quote:
        copy()
        return true
      case UInt8(ascii: "\\"): copy(2)
      case 10, 13: return false
      default: copy()
      }
    }
    return false
  }

  /// Copies a regular expression, in whose brackets a slash does not end it.
  private mutating func copyExpression() -> Bool {
    copy()
    var isInClass = false
    while position < text.count {
      switch byte() {
      case UInt8(ascii: "/") where !isInClass:
        copy()
        while Self.isWordByte(byte()) { copy() }
        return true
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "\\"): copy()
      case 10, 13: return false
      default: break
      }
      copy()
    }
    return false
  }

  /// Copies a template from its start, or from the end of a substitution, to the next substitution or its end.
  private mutating func copyTemplate() -> Bool {
    copy()
    while position < text.count {
      switch byte() {
      case UInt8(ascii: "`"):
        copy()
        expectsValue = false
        return true
      case UInt8(ascii: "\\"): copy(2)
      case UInt8(ascii: "$") where byte(1) == UInt8(ascii: "{"):
        copy(2)
        braces.append(true)
        expectsValue = true
        return true
      default: copy()
      }
    }
    return false
  }
}
