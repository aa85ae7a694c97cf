// The two formats that are text: SVG is told by its root element, XBM by its first definition.

internal import ImageCore

extension AssetType {
  /// How far into a text the root element or the definition is looked for: behind declarations, comments and licences.
  static let maximumTextPrologue = 64 << 10

  /// Whether text is SVG or XBM.
  static func sniffText(_ bytes: Span<UInt8>, isComplete: Bool) -> ProbeResult {
    var scanner = TextScanner(bytes)
    scanner.skipWhitespace()
    let result: TextScanner.Verdict =
      switch scanner.peek {
      case UInt8(ascii: "<"): scanner.findSVGRoot()
      case UInt8(ascii: "#"), UInt8(ascii: "/"): scanner.findWidthDefinition()
      case nil: .undecided
      default: .no
      }
    switch result {
    case .no: return .no
    case .yes(let type): return .yes(type)
    case .undecided:
      if isComplete || bytes.count >= maximumTextPrologue { return .no }
      return .needs(byteCount: min(bytes.count * 2 + 64, maximumTextPrologue))
    }
  }
}

/// Walks ASCII-compatible text, or UTF-16 by its byte order mark. Letters outside of ASCII read as 0x7F.
struct TextScanner: ~Escapable {
  /// What a text turned out to be.
  enum Verdict {
    case no
    case yes(AssetType)
    /// The text ends too early to tell.
    case undecided
  }

  private let bytes: Span<UInt8>
  private let unitByteCount: Int
  private let lowByte: Int
  private var position: Int
  private let end: Int

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    end = min(bytes.count, AssetType.maximumTextPrologue)
    let first = bytes.count > 0 ? bytes[0] : 0
    let second = bytes.count > 1 ? bytes[1] : 0
    switch (first, second) {
    case (0xFE, 0xFF): (unitByteCount, lowByte, position) = (2, 1, 2)
    case (0xFF, 0xFE): (unitByteCount, lowByte, position) = (2, 0, 2)
    case (0xEF, 0xBB): (unitByteCount, lowByte, position) = (1, 0, 3)
    default: (unitByteCount, lowByte, position) = (1, 0, 0)
    }
  }

  /// The next letter; `nil` at the end.
  var peek: UInt8? { letter(0) }

  private func letter(_ distance: Int) -> UInt8? {
    let index = position + distance * unitByteCount
    guard index + unitByteCount <= end else { return nil }
    if unitByteCount == 2, bytes[index + 1 - lowByte] != 0 { return 0x7F }
    return bytes[index + lowByte]
  }

  private mutating func advance(_ count: Int = 1) {
    position += count * unitByteCount
  }

  mutating func skipWhitespace() {
    while let letter = peek, letter == 0x20 || (letter >= 0x09 && letter <= 0x0D) { advance() }
  }

  /// Whether the text goes on with `literal`; `nil` when it ends before that is known.
  private func starts(with literal: StaticString) -> Bool? {
    for (distance, expected) in literal.description.utf8.enumerated() {
      guard let letter = letter(distance) else { return nil }
      if letter != expected { return false }
    }
    return true
  }

  /// Moves behind the next `literal`; `false` when there is none.
  private mutating func skip(past literal: StaticString) -> Bool {
    while peek != nil {
      if starts(with: literal) == true {
        advance(literal.utf8CodeUnitCount)
        return true
      }
      advance()
    }
    return false
  }

  private mutating func readName() -> String {
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

extension TextScanner {
  /// Skips declarations, comments and the document type; then the root element decides.
  mutating func findSVGRoot() -> Verdict {
    while true {
      skipWhitespace()
      guard let letter = peek else { return .undecided }
      guard letter == UInt8(ascii: "<"), let next = self.letter(1) else {
        return letter == UInt8(ascii: "<") ? .undecided : .no
      }
      let isSkipped: Bool
      switch next {
      case UInt8(ascii: "?"): isSkipped = skip(past: "?>")
      case UInt8(ascii: "!"):
        guard let isComment = starts(with: "<!--") else { return .undecided }
        isSkipped = isComment ? skip(past: "-->") : skipDocumentType()
      default:
        advance()
        let name = readName()
        // A name that goes on behind the end could still become anything.
        if peek == nil { return .undecided }
        return name == "svg" || name.hasSuffix(":svg") ? .yes(.svg) : .no
      }
      if !isSkipped { return .undecided }
    }
  }

  /// A document type ends at `>`, outside of quotes and of the brackets that hold its internal subset.
  private mutating func skipDocumentType() -> Bool {
    var depth = 0
    var quote: UInt8?
    while let letter = peek {
      if starts(with: "<!--") == true, quote == nil {
        if !skip(past: "-->") { return false }
        continue
      }
      advance()
      if let open = quote {
        if letter == open { quote = nil }
        continue
      }
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = letter
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return true
      default: break
      }
    }
    return false
  }

  /// Skips comments; then `#define <name>_width` decides.
  mutating func findWidthDefinition() -> Verdict {
    while true {
      guard let definition = nextDefinition() else {
        let isCutOff = peek == nil || starts(with: "#define") == nil || starts(with: "/*") == nil
        return isCutOff ? .undecided : .no
      }
      if definition.name.hasSuffix("_width") || definition.name == "width" { return .yes(.xbm) }
      if definition.name.hasSuffix("_height") || definition.name == "height" { continue }
      return peek == nil ? .undecided : .no
    }
  }

  /// The next `#define <name> <number>`; `nil` where something else stands.
  mutating func nextDefinition() -> (name: String, value: Int)? {
    skipWhitespace()
    while starts(with: "/*") == true {
      if !skip(past: "*/") { return nil }
      skipWhitespace()
    }
    guard starts(with: "#define") == true else { return nil }
    advance(7)
    skipWhitespace()
    let name = readName()
    skipWhitespace()
    var value = 0
    var hasDigits = false
    while let letter = peek, letter >= 0x30, letter <= 0x39, value < 1_000_000 {
      value = value * 10 + Int(letter - 0x30)
      hasDigits = true
      advance()
    }
    // A number at the very end may go on in what is not there yet.
    return hasDigits && peek != nil && !name.isEmpty ? (name, value) : nil
  }
}
