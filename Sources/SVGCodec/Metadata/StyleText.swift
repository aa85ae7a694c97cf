// The comments and the URLs of style sheets and style attributes (CSS Syntax 3).

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// Rewrites CSS. Everything but comments, URLs and, on request, what loads resources stays as it is.
struct StyleText {
  let embedded: EmbeddedData
  /// Whether `@import` and references to other resources are removed.
  let removesLinks: Bool
  private var text: [UInt8] = []
  private var position = 0
  private var output: [UInt8] = []
  /// For each open parenthesis, whether strings in it are URLs.
  private var functions: [Bool] = []

  /// The work units for a word, in addition to its bytes.
  private static let workPerWord = 60

  /// The functions of which strings are URLs.
  private static let urlFunctions: Set<String> = ["src", "image", "image-set", "-webkit-image-set", "-moz-image-set"]

  init(_ embedded: EmbeddedData, removesLinks: Bool) {
    self.embedded = embedded
    self.removesLinks = removesLinks
  }

  /// Returns a style sheet, or the value of an attribute, with what must not be kept removed.
  static func rewritten(
    _ text: [UInt8], _ embedded: EmbeddedData, removesLinks: Bool, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var style = StyleText(embedded, removesLinks: removesLinks)
    style.text = text
    style.output.reserveCapacity(text.count)
    try style.run(&budget)
    return style.output
  }

  private func byte(_ distance: Int = 0) -> UInt8 {
    position + distance < text.count ? text[position + distance] : 0
  }

  private mutating func run(_ budget: inout ResourceBudget) throws(CodecError) {
    while position < text.count {
      let start = position
      switch byte() {
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let content = string()
        // Functions may take their URL from a custom property.
        if functions.last == true || Self.isPicture(content) {
          try append(url: content, insteadOf: start..<position, isString: true, &budget)
        } else {
          output += text[start..<position]
        }
      case UInt8(ascii: "("):
        functions.append(false)
        copy()
      case UInt8(ascii: ")"):
        _ = functions.popLast()
        copy()
      case UInt8(ascii: "@"):
        position += 1
        let name = removesLinks ? word() : ""
        // A namespace is not loaded.
        if name == "import" || name == "namespace" { skipStatement() }
        if name != "import" { output += text[start..<position] }
      case let byte where Self.startsWord(byte): try copyWord(&budget)
      default: copy()
      }
    }
  }

  private static func isPicture(_ string: [UInt8]) -> Bool {
    let start = Array("data:image/".utf8)
    return string.count > start.count && string.prefix(start.count).map { lowercased($0) } == start
  }

  private mutating func copy() {
    output.append(text[position])
    position += 1
  }

  private static func startsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "\\"), 0x80...0xff:
      true
    default: false
    }
  }

  /// An empty comment stays if it separates tokens.
  private mutating func skipComment() {
    let isApart = output.last.map { isSpace($0) } ?? true
    position += 2
    while position < text.count, byte() != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") { position += 1 }
    position = min(text.count, position + 2)
    if !isApart, position < text.count, !isSpace(byte()) { output += "/**/".utf8 }
  }

  /// Moves to the end of a rule without a block.
  private mutating func skipStatement() {
    let text = text
    let bytes = text.span
    var scanner = CSSScanner(bytes, range: position..<bytes.count)
    scanner.skip(to: UInt8(ascii: ";"))
    position = min(text.count, scanner.position + 1)
  }

  /// Moves from an opening parenthesis to the character after the closing one.
  private mutating func skipArguments() {
    let text = text
    let bytes = text.span
    var scanner = CSSScanner(bytes, range: position + 1..<bytes.count)
    scanner.skip(to: UInt8(ascii: ")"))
    position = min(text.count, scanner.position + 1)
  }

  /// Reads an identifier in lower case with its escapes replaced.
  private mutating func word() -> String {
    let text = text
    let bytes = text.span
    var scanner = CSSScanner(bytes, range: position..<bytes.count)
    let name = scanner.identifier() ?? []
    position = scanner.position
    return String(decoding: name.map { lowercased($0) }, as: UTF8.self)
  }

  /// Reads a string and returns its characters.
  private mutating func string() -> [UInt8] {
    let quote = byte()
    let start = position
    position += 1
    while position < text.count, byte() != quote, byte() != 10 {
      position += byte() == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(text.count, position + (position < text.count && byte() == quote ? 1 : 0))
    let text = text
    let bytes = text.span
    var scanner = CSSScanner(bytes, range: start..<position)
    return scanner.string() ?? []
  }

  private mutating func copyWord(_ budget: inout ResourceBudget) throws(CodecError) {
    let start = position
    try budget.chargeWork(Self.workPerWord)
    let name = word()
    guard position > start else { return copy() }
    guard byte() == UInt8(ascii: "("), position < text.count else {
      output += text[start..<position]
      return
    }
    switch name {
    case "url":
      position += 1
      let content = url()
      try append(url: content, insteadOf: start..<position, isString: false, &budget)
    case let name where removesLinks && (name == "expression" || Self.urlFunctions.contains(name)):
      // Strings in these functions are URLs even if they come from variables; and old versions of Internet Explorer
      // evaluate expressions as scripts.
      output += "none()".utf8
      skipArguments()
    default:
      output += text[start..<position]
      functions.append(Self.urlFunctions.contains(name))
      copy()
    }
  }

  /// Reads the argument of `url()` and its closing parenthesis.
  private mutating func url() -> [UInt8] {
    while position < text.count, isSpace(byte()) { position += 1 }
    if byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") {
      let content = string()
      // Anything after the string are modifiers, which no property uses.
      while position < text.count, byte() != UInt8(ascii: ")") { position += 1 }
      position = min(text.count, position + 1)
      return content
    }
    let start = position
    while position < text.count, byte() != UInt8(ascii: ")") {
      position += byte() == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(text.count, position)
    // The escapes of identifiers and strings are the same.
    var quoted: [UInt8] = [34]
    for byte in text[start..<position] {
      if byte == 34 { quoted.append(UInt8(ascii: "\\")) }
      quoted.append(byte)
    }
    quoted.append(34)
    position = min(text.count, position + 1)
    let bytes = quoted.span
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    var content = scanner.string() ?? []
    while let last = content.last, isSpace(last) { content.removeLast() }
    return content
  }

  /// Returns what takes the place of a URL; `nil` if it stays.
  static func rewritten(
    url: [UInt8], _ embedded: EmbeddedData, removesLinks: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    if ActiveContent.isLocal(url) { return nil }
    switch try embedded.content(of: url, budget: &budget) {
    case .picture(let url): return url
    case .font: return nil
    case .styleSheet(let sheet) where !removesLinks:
      try budget.descend()
      let rewritten = try rewritten(sheet, embedded, removesLinks: false, budget: &budget)
      budget.ascend()
      return EmbeddedData.url(rewritten, type: "text/css")
    case .other where !removesLinks: return Array("data:,".utf8)
    // A reference to no element is treated as one to another document.
    case .styleSheet, .other: return [UInt8(ascii: "#")]
    case nil: return removesLinks ? [UInt8(ascii: "#")] : nil
    }
  }

  /// Appends a URL, or what takes its place.
  private mutating func append(
    url: [UInt8], insteadOf range: Range<Int>, isString: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let replacement = try Self.rewritten(url: url, embedded, removesLinks: removesLinks, budget: &budget)
    guard let replacement, replacement != url else {
      output += text[range]
      return
    }
    if isString {
      output += [34] + replacement + [34]
    } else {
      output += Array("url(".utf8) + replacement
      // At the end of the text, some readers accept URLs that are not closed.
      if text[range.upperBound - 1] == UInt8(ascii: ")") { output.append(UInt8(ascii: ")")) }
    }
  }
}
