// The parts of Selectors Level 4 that static documents need: type, universal, class, id and attribute selectors,
// structural pseudo-classes, :not(), :is(), :where(), :has() and :lang(), the nesting selector, and all four combinators.
// Compounds are stored from right to left.

internal import XMLDocuments

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
    /// Elements with a local name, by its number.
    case type(NameNumber)
    case id([UInt8])
    case className([UInt8])
    /// Elements with an attribute of a local name, by its number. If case is ignored, the value is in lower case.
    case attribute(NameNumber, AttributeMatch, [UInt8], ignoresCase: Bool)
    case root
    case empty
    /// Every `step`-th sibling starting at `offset`, which counts from 1; optionally from the end, optionally of the
    /// same type or matching any of some selectors.
    case nth(step: Int, offset: Int, fromEnd: Bool, ofType: Bool, of: [Selector]?)
    case link
    case anyOf([Selector])
    case noneOf([Selector])
    /// An element to which other elements relate that match any of some selectors, whose leftmost compound is the
    /// element itself.
    case has([Selector])
    /// The element whose relatives a `:has()` tests; outside it the root element.
    case scope
    /// Any of the language ranges.
    case language(LanguageRanges)
    /// The elements that the enclosing rule selects, as an index of the style sheet's lists.
    case nesting(Int)
    /// A pseudo-class that never applies in a static document, such as `:hover`.
    case never
  }

  /// The arguments of `:lang()` in lower case, with a `*` before those that start with a wildcard.
  struct LanguageRanges: Sendable {
    private(set) var ranges: [[UInt8]] = []
    /// The steps for a comparison of all of them with a language of up to 16 bytes.
    private(set) var stepCount = 1

    mutating func append(_ range: [UInt8]) {
      ranges.append(range)
      // Languages are divided at hyphens for a range with a wildcard.
      stepCount += (range.first == UInt8(ascii: "*") ? 16 : 1) + range.count / 16
    }
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

/// Parses selectors.
struct SelectorParser {
  typealias Simple = Selector.Simple
  typealias Compound = Selector.Compound
  typealias Combinator = Selector.Combinator

  /// The enclosing rule's list, for the nesting selector.
  struct Nesting {
    var list: Int
    var specificity: UInt32
  }

  private static let maximumCompoundCount = 64
  /// The maximum nesting depth of functional pseudo-classes.
  private static let maximumDepth = 4

  private let nesting: Nesting?
  /// The names of the document, whose text is the one that is parsed.
  private let names: NameNumbers
  /// The part that is not supported, if there is one.
  private(set) var unsupported: String?

  /// The context in which a selector is parsed.
  private enum Place {
    case rule
    /// In a functional pseudo-class.
    case argument
    /// In `:has()`.
    case relative
  }

  init(nesting: Nesting?, names: NameNumbers) {
    self.nesting = nesting
    self.names = names
  }

  /// Parses a selector list; `nil` if any of them is invalid, in which case the whole rule is dropped.
  mutating func list(_ bytes: Span<UInt8>, range: Range<Int>) -> [Selector]? {
    list(bytes, range: range, .rule, depth: 0)
  }

  private mutating func list(_ bytes: Span<UInt8>, range: Range<Int>, _ place: Place, depth: Int) -> [Selector]? {
    var scanner = CSSScanner(bytes, range: range)
    var selectors: [Selector] = []
    while true {
      scanner.skipSpace()
      guard let selector = complex(&scanner, place, depth: depth) else { return nil }
      selectors.append(selector)
      scanner.skipSpace()
      if scanner.isAtEnd { return selectors }
      guard scanner.take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func complex(_ scanner: inout CSSScanner, _ place: Place, depth: Int) -> Selector? {
    var compounds: [Compound] = []
    var specificity = Specificity()
    if place == .relative || place == .rule && nesting != nil {
      guard start(&compounds, &specificity, &scanner, place) else { return nil }
    }
    while compounds.count < Self.maximumCompoundCount {
      guard let compound = compound(&scanner, specificity: &specificity, depth: depth) else { return nil }
      compounds.append(compound)
      let hadSpace = scanner.skipSpace()
      switch scanner.peek() {
      case UInt8(ascii: ","), 0:
        return Selector(compounds: Self.linked(compounds), specificity: specificity.packed)
      default:
        let combinator = Self.combinator(&scanner)
        guard hadSpace || combinator != nil else { return nil }
        compounds[compounds.count - 1].combinator = combinator ?? .descendant
      }
    }
    return nil
  }

  /// Adds the compound to which a relative selector relates: the nesting selector, unless it is written in the selector,
  /// or the element of `:has()`.
  private func start(
    _ compounds: inout [Compound], _ specificity: inout Specificity, _ scanner: inout CSSScanner, _ place: Place
  ) -> Bool {
    let combinator = Self.combinator(&scanner)
    if place == .relative {
      compounds.append(Compound(parts: [.scope], combinator: combinator ?? .descendant))
      return true
    }
    guard let nesting else { return combinator == nil }
    if combinator == nil {
      // A selector with `&` is not relative.
      var index = scanner.position
      while index < scanner.end, scanner.bytes[index] != UInt8(ascii: ",") {
        if scanner.bytes[index] == UInt8(ascii: "&") { return true }
        index += 1
      }
    }
    specificity.add(packed: nesting.specificity)
    compounds.append(Compound(parts: [.nesting(nesting.list)], combinator: combinator ?? .descendant))
    return true
  }

  private static func combinator(_ scanner: inout CSSScanner) -> Combinator? {
    let combinator: Combinator
    switch scanner.peek() {
    case UInt8(ascii: ">"): combinator = .child
    case UInt8(ascii: "+"): combinator = .nextSibling
    case UInt8(ascii: "~"): combinator = .subsequentSibling
    default: return nil
    }
    scanner.position += 1
    scanner.skipSpace()
    return combinator
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

    mutating func add(packed: UInt32) {
      ids &+= packed >> 20
      classes &+= packed >> 10 & 1023
      types &+= packed & 1023
    }
  }

  private mutating func compound(
    _ scanner: inout CSSScanner, specificity: inout Specificity, depth: Int
  ) -> Compound? {
    var parts: [Simple] = []
    while !scanner.isAtEnd, parts.count < Self.maximumCompoundCount {
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
      case UInt8(ascii: "&"):
        scanner.position += 1
        // Outside of rules, the nesting selector is the root element.
        parts.append(nesting.map { .nesting($0.list) } ?? .root)
        specificity.add(packed: nesting?.specificity ?? 0)
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
        parts.append(.type(names.number(ofElement: name, in: scanner.bytes)))
      }
    }
    return parts.isEmpty ? nil : Compound(parts: parts)
  }

  private func attribute(_ scanner: inout CSSScanner) -> Simple? {
    scanner.position += 1
    scanner.skipSpace()
    guard var word = scanner.identifier() else { return nil }
    if scanner.peek() == UInt8(ascii: "|"), scanner.peek(1) != UInt8(ascii: "=") {
      scanner.position += 1
      guard let local = scanner.identifier() else { return nil }
      word = local
    }
    let name = names.number(ofAttribute: word, in: scanner.bytes)
    scanner.skipSpace()
    if scanner.take(UInt8(ascii: "]")) { return .attribute(name, .exists, [], ignoresCase: false) }
    var match = Selector.AttributeMatch.equals
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
    var ignoresCase = false
    if let flag = scanner.identifier() {
      guard flag.count == 1, [UInt8(ascii: "i"), UInt8(ascii: "s")].contains(lowercased(flag[0])) else { return nil }
      ignoresCase = lowercased(flag[0]) == UInt8(ascii: "i")
      scanner.skipSpace()
    }
    guard scanner.take(UInt8(ascii: "]")) else { return nil }
    return .attribute(name, match, ignoresCase ? value.map { lowercased($0) } : value, ignoresCase: ignoresCase)
  }

  private mutating func pseudoClass(
    _ scanner: inout CSSScanner, specificity: inout Specificity, depth: Int
  ) -> Simple? {
    scanner.position += 1
    // A pseudo-element does not select an element of the document.
    let isElement = scanner.take(UInt8(ascii: ":"))
    guard let name = scanner.identifier() else { return nil }
    if isElement { return .never }
    let word = String(decoding: name, as: UTF8.self).lowercased()
    guard scanner.take(UInt8(ascii: "(")) else {
      if word != "where" { specificity.classes &+= 1 }
      let simple = Self.simplePseudoClass(word)
      if simple == nil { unsupported = ":\(word)" }
      return simple
    }
    let start = scanner.position
    scanner.skip(to: UInt8(ascii: ")"))
    let argument = start..<scanner.position
    guard scanner.take(UInt8(ascii: ")")) else { return nil }
    return function(word, scanner.bytes, argument, specificity: &specificity, depth: depth)
  }

  private mutating func function(
    _ word: String, _ bytes: Span<UInt8>, _ argument: Range<Int>, specificity: inout Specificity, depth: Int
  ) -> Simple? {
    switch word {
    case "not", "is", "where", "matches", "-webkit-any", "has":
      guard depth < Self.maximumDepth,
        let list = list(bytes, range: argument, word == "has" ? .relative : .argument, depth: depth + 1)
      else { return nil }
      if word != "where" { specificity.add(packed: list.map(\.specificity).max() ?? 0) }
      return word == "has" ? .has(list) : word == "not" ? .noneOf(list) : .anyOf(list)
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
      specificity.classes &+= 1
      let isType = word.hasSuffix("type")
      var range = argument
      var filter: [Selector]?
      if !isType, let keyword = Self.of(bytes, argument) {
        guard depth < Self.maximumDepth,
          let list = list(bytes, range: keyword.upperBound..<argument.upperBound, .argument, depth: depth + 1)
        else { return nil }
        specificity.add(packed: list.map(\.specificity).max() ?? 0)
        range = argument.lowerBound..<keyword.lowerBound
        filter = list
      }
      guard let (step, offset) = Self.anPlusB(bytes, range: range) else { return nil }
      return .nth(step: step, offset: offset, fromEnd: word.hasPrefix("nth-last"), ofType: isType, of: filter)
    case "lang":
      specificity.classes &+= 1
      var scanner = CSSScanner(bytes, range: argument)
      var ranges = Selector.LanguageRanges()
      repeat {
        scanner.skipSpace()
        let isWild = scanner.take(UInt8(ascii: "*"))
        guard let name = scanner.string() ?? scanner.identifier() else { return nil }
        ranges.append((isWild ? [UInt8(ascii: "*")] : []) + name.map { lowercased($0) })
        scanner.skipSpace()
      } while scanner.take(UInt8(ascii: ","))
      return scanner.isAtEnd ? .language(ranges) : nil
    default:
      unsupported = ":\(word)()"
      return nil
    }
  }

  /// Returns the range of the word `of` in the argument of `:nth-child()`.
  private static func of(_ bytes: Span<UInt8>, _ argument: Range<Int>) -> Range<Int>? {
    var index = argument.lowerBound + 1
    while index + 2 < argument.upperBound {
      if isSpace(bytes[index - 1]), lowercased(bytes[index]) == UInt8(ascii: "o"),
        lowercased(bytes[index + 1]) == UInt8(ascii: "f"), isSpace(bytes[index + 2])
      {
        return index..<index + 2
      }
      index += 1
    }
    return nil
  }

  private static func simplePseudoClass(_ word: String) -> Simple? {
    func nth(fromEnd: Bool, ofType: Bool) -> Simple {
      .nth(step: 0, offset: 1, fromEnd: fromEnd, ofType: ofType, of: nil)
    }
    // Equivalent to both the first and the last.
    func only(ofType: Bool) -> Simple {
      let both = Compound(parts: [nth(fromEnd: false, ofType: ofType), nth(fromEnd: true, ofType: ofType)])
      return .anyOf([Selector(compounds: [both])])
    }
    switch word {
    case "first-child": return nth(fromEnd: false, ofType: false)
    case "last-child": return nth(fromEnd: true, ofType: false)
    case "first-of-type": return nth(fromEnd: false, ofType: true)
    case "last-of-type": return nth(fromEnd: true, ofType: true)
    case "only-child": return only(ofType: false)
    case "only-of-type": return only(ofType: true)
    case "root": return .root
    case "scope": return .scope
    case "empty": return .empty
    case "link", "any-link": return .link
    case "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target", "target-within", "enabled",
      "disabled", "checked", "before", "after", "first-line", "first-letter", "fullscreen":
      return .never
    default: return nil
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
