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
