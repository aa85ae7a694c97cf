// The parts of Selectors Level 4 that static documents need: type, universal, class, id and attribute selectors,
// structural pseudo-classes, :not(), :is() and :where(), and all four combinators. Compounds are stored from right to
// left.

/// A complex selector.
struct Selector: Sendable {
  enum Combinator: Sendable {
    case descendant
    case child
    case nextSibling
    case subsequentSibling
  }

  enum AttributeMatch: Sendable {
    case exists
    case equals
    case includesWord
    case dashMatch
    case prefix
    case suffix
    case substring
  }

  indirect enum Simple: Sendable {
    case universal
    case type([UInt8])
    case id([UInt8])
    case className([UInt8])
    case attribute([UInt8], AttributeMatch, [UInt8])
    case root
    case empty
    /// Every `step`-th sibling starting at `offset`, which counts from 1; optionally from the end, optionally of the
    /// same type.
    case nth(step: Int, offset: Int, fromEnd: Bool, ofType: Bool)
    case link
    /// Any of the compound selectors.
    case anyOf([Compound])
    case noneOf([Compound])
    /// A pseudo-class that never applies in a static document, such as `:hover`.
    case never
  }

  struct Compound: Sendable {
    var parts: [Simple] = []
    /// The combinator to the left of the compound; unused in the leftmost.
    var combinator = Combinator.descendant
  }

  /// The compound selectors from right to left.
  var compounds: [Compound] = []
  /// The counts of ids, of classes, attributes and pseudo-classes, and of types: 10 bits each.
  var specificity: UInt32 = 0
}

extension Selector {
  private static let maximumCompoundCount = 64

  /// Parses a selector list; `nil` if any of them is invalid, in which case the whole rule is dropped.
  static func list(_ bytes: Span<UInt8>, range: Range<Int>) -> [Selector]? {
    var scanner = CSSScanner(bytes, range: range)
    var selectors: [Selector] = []
    while true {
      scanner.skipSpace()
      guard let selector = complex(&scanner) else { return nil }
      selectors.append(selector)
      scanner.skipSpace()
      if scanner.isAtEnd { return selectors }
      guard scanner.take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private static func complex(_ scanner: inout CSSScanner) -> Selector? {
    var compounds: [Compound] = []
    var specificity = Specificity()
    while compounds.count < maximumCompoundCount {
      guard var compound = compound(&scanner, specificity: &specificity, depth: 0) else { return nil }
      compound.combinator = .descendant
      compounds.append(compound)
      let hadSpace = scanner.skipSpace()
      let combinator: Combinator
      switch scanner.peek() {
      case UInt8(ascii: ">"): combinator = .child
      case UInt8(ascii: "+"): combinator = .nextSibling
      case UInt8(ascii: "~"): combinator = .subsequentSibling
      case UInt8(ascii: ","), 0:
        return Selector(compounds: linked(compounds), specificity: specificity.packed)
      default:
        guard hadSpace else { return nil }
        combinator = .descendant
        compounds[compounds.count - 1].combinator = combinator
        continue
      }
      scanner.position += 1
      scanner.skipSpace()
      compounds[compounds.count - 1].combinator = combinator
    }
    return nil
  }

  /// Reverses compounds and assigns to each the combinator to its left.
  private static func linked(_ compounds: [Compound]) -> [Compound] {
    var result: [Compound] = []
    for index in compounds.indices.reversed() {
      var compound = compounds[index]
      compound.combinator = index > 0 ? compounds[index - 1].combinator : .descendant
      result.append(compound)
    }
    return result
  }

  private struct Specificity {
    var ids: UInt32 = 0
    var classes: UInt32 = 0
    var types: UInt32 = 0

    var packed: UInt32 { min(ids, 1023) << 20 | min(classes, 1023) << 10 | min(types, 1023) }

    mutating func add(_ other: Specificity) {
      ids &+= other.ids
      classes &+= other.classes
      types &+= other.types
    }
  }

  private static func compound(
    _ scanner: inout CSSScanner, specificity: inout Specificity, depth: Int
  ) -> Compound? {
    var parts: [Simple] = []
    while !scanner.isAtEnd, parts.count < maximumCompoundCount {
      switch scanner.peek() {
      case UInt8(ascii: "*"):
        scanner.position += 1
        if scanner.take(UInt8(ascii: "|")) { continue }
        parts.append(.universal)
      case UInt8(ascii: "|"): scanner.position += 1
      case UInt8(ascii: "."):
        scanner.position += 1
        guard let name = scanner.identifier() else { return nil }
        specificity.classes &+= 1
        parts.append(.className(name))
      case UInt8(ascii: "#"):
        scanner.position += 1
        guard let name = scanner.identifier() else { return nil }
        specificity.ids &+= 1
        parts.append(.id(name))
      case UInt8(ascii: "["):
        guard let part = attribute(&scanner) else { return nil }
        specificity.classes &+= 1
        parts.append(part)
      case UInt8(ascii: ":"):
        guard let part = pseudoClass(&scanner, specificity: &specificity, depth: depth) else { return nil }
        parts.append(part)
      default:
        guard let name = scanner.identifier() else { return parts.isEmpty ? nil : Compound(parts: parts) }
        if scanner.peek() == UInt8(ascii: "|"), scanner.peek(1) != UInt8(ascii: "=") {
          scanner.position += 1
          continue
        }
        specificity.types &+= 1
        parts.append(.type(name))
      }
    }
    return parts.isEmpty ? nil : Compound(parts: parts)
  }

  private static func attribute(_ scanner: inout CSSScanner) -> Simple? {
    scanner.position += 1
    scanner.skipSpace()
    guard var name = scanner.identifier() else { return nil }
    if scanner.peek() == UInt8(ascii: "|"), scanner.peek(1) != UInt8(ascii: "=") {
      scanner.position += 1
      guard let local = scanner.identifier() else { return nil }
      name = local
    }
    scanner.skipSpace()
    if scanner.take(UInt8(ascii: "]")) { return .attribute(name, .exists, []) }
    var match = AttributeMatch.equals
    switch scanner.peek() {
    case UInt8(ascii: "="): break
    case UInt8(ascii: "~"): match = .includesWord
    case UInt8(ascii: "|"): match = .dashMatch
    case UInt8(ascii: "^"): match = .prefix
    case UInt8(ascii: "$"): match = .suffix
    case UInt8(ascii: "*"): match = .substring
    default: return nil
    }
    if match != .equals { scanner.position += 1 }
    guard scanner.take(UInt8(ascii: "=")) else { return nil }
    scanner.skipSpace()
    guard let value = scanner.string() ?? scanner.identifier() else { return nil }
    scanner.skipSpace()
    guard scanner.take(UInt8(ascii: "]")) else { return nil }
    return .attribute(name, match, value)
  }

  private static func pseudoClass(
    _ scanner: inout CSSScanner, specificity: inout Specificity, depth: Int
  ) -> Simple? {
    scanner.position += 1
    // A pseudo-element does not select an element of the document.
    let isElement = scanner.take(UInt8(ascii: ":"))
    guard let name = scanner.identifier() else { return nil }
    if isElement { return .never }
    let word = String(decoding: name, as: UTF8.self).lowercased()
    guard scanner.take(UInt8(ascii: "(")) else {
      specificity.classes &+= 1
      return simplePseudoClass(word)
    }
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: ")"))
    let argument = start..<scanner.position
    guard scanner.take(UInt8(ascii: ")")) else { return nil }
    switch word {
    case "not", "is", "where", "matches":
      guard depth < 4 else { return nil }
      guard let (list, inner) = compoundList(scanner.bytes, range: argument, depth: depth + 1) else { return nil }
      if word != "where" { specificity.add(inner) }
      return word == "not" ? .noneOf(list) : .anyOf(list)
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
      guard let (step, offset) = anPlusB(scanner.bytes, range: argument) else { return nil }
      specificity.classes &+= 1
      return .nth(step: step, offset: offset, fromEnd: word.contains("last"), ofType: word.hasSuffix("type"))
    default:
      specificity.classes &+= 1
      return .never
    }
  }

  private static func simplePseudoClass(_ word: String) -> Simple? {
    switch word {
    case "first-child": .nth(step: 0, offset: 1, fromEnd: false, ofType: false)
    case "last-child": .nth(step: 0, offset: 1, fromEnd: true, ofType: false)
    case "first-of-type": .nth(step: 0, offset: 1, fromEnd: false, ofType: true)
    case "last-of-type": .nth(step: 0, offset: 1, fromEnd: true, ofType: true)
    case "only-child": only(ofType: false)
    case "only-of-type": only(ofType: true)
    case "root": .root
    case "empty": .empty
    case "link", "any-link": .link
    case "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target", "enabled", "disabled",
      "checked", "before", "after", "first-line", "first-letter":
      .never
    default: nil
    }
  }

  /// Equivalent to both the first and the last.
  private static func only(ofType: Bool) -> Simple {
    .noneOf([
      Compound(parts: [.noneOf([Compound(parts: [.nth(step: 0, offset: 1, fromEnd: false, ofType: ofType)])])]),
      Compound(parts: [.noneOf([Compound(parts: [.nth(step: 0, offset: 1, fromEnd: true, ofType: ofType)])])]),
    ])
  }

  private static func compoundList(
    _ bytes: Span<UInt8>, range: Range<Int>, depth: Int
  ) -> ([Compound], Specificity)? {
    var scanner = CSSScanner(bytes, range: range)
    var list: [Compound] = []
    var most = Specificity()
    while true {
      scanner.skipSpace()
      var specificity = Specificity()
      guard let compound = compound(&scanner, specificity: &specificity, depth: depth) else { return nil }
      list.append(compound)
      if specificity.packed > most.packed { most = specificity }
      scanner.skipSpace()
      if scanner.isAtEnd { return (list, most) }
      guard scanner.take(UInt8(ascii: ",")) else { return nil }
    }
  }

  /// Parses the microsyntax of `:nth-child()` (CSS Syntax 3, section 6).
  private static func anPlusB(_ bytes: Span<UInt8>, range: Range<Int>) -> (step: Int, offset: Int)? {
    var text = ""
    for index in range where !isSpace(bytes[index]) { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
    text = text.lowercased()
    if text == "odd" { return (2, 1) }
    if text == "even" { return (2, 0) }
    guard let separator = text.firstIndex(of: "n") else { return Int32(text).map { (0, Int($0)) } }
    let first = text[..<separator]
    let second = text[text.index(after: separator)...]
    let step: Int32? = first.isEmpty || first == "+" ? 1 : first == "-" ? -1 : Int32(first)
    let offset: Int32? = second.isEmpty ? 0 : Int32(second)
    guard let step, let offset else { return nil }
    return (Int(step), Int(offset))
  }
}
