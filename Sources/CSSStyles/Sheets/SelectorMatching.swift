// Selector matching from right to left, with backtracking over an explicit stack of choices and a limit of steps, so
// that the cost of a selector is bounded.

internal import ImageCoding
internal import XMLDocuments

/// Matches selectors against the elements of a document.
struct SelectorMatcher {
  let document: XMLDocument
  /// The selectors of rules that contain others, to which nesting selectors refer.
  let nestingLists: [[Selector]]
  /// The number of steps left.
  var remainingSteps: Int
  /// The element whose relatives a `:has()` tests.
  private var scope: XMLDocument.NodeIndex?

  init(document: XMLDocument, nestingLists: [[Selector]], remainingSteps: Int) {
    self.document = document
    self.nestingLists = nestingLists
    self.remainingSteps = remainingSteps
  }

  /// Returns whether a selector selects an element.
  ///
  /// - Throws: `limitExceeded` if no steps are left.
  mutating func matches(_ selector: Selector, _ element: XMLDocument.NodeIndex) throws(CodecError) -> Bool {
    // Backtracking points: a compound and the element last tried for it.
    var choices: [(compound: Int, element: XMLDocument.NodeIndex)] = []
    var compound = 0
    var current = element
    while true {
      try step()
      if try matches(selector.compounds[compound], current) {
        if compound + 1 == selector.compounds.count { return true }
        choices.append((compound, current))
        compound += 1
        if let next = try candidate(after: current, selector.compounds[compound - 1].combinator) {
          current = next
          continue
        }
      } else if compound > 0, isOpen(selector.compounds[compound - 1].combinator),
        let next = try candidate(after: current, selector.compounds[compound - 1].combinator)
      {
        current = next
        continue
      }
      // Backtracks to a compound whose combinator permits another candidate.
      var resumed = false
      while let choice = choices.popLast() {
        try step()
        guard choice.compound > 0, isOpen(selector.compounds[choice.compound - 1].combinator) else { continue }
        guard let next = try candidate(after: choice.element, selector.compounds[choice.compound - 1].combinator) else {
          continue
        }
        compound = choice.compound
        current = next
        resumed = true
        break
      }
      if !resumed { return false }
    }
  }

  private mutating func step(_ count: Int = 1) throws(CodecError) {
    remainingSteps -= count
    guard remainingSteps > 0 else {
      throw CodecError(
        .limitExceeded, "matching the style sheets takes more steps than the limits allow", format: .svgDocument)
    }
  }

  private func isOpen(_ combinator: Selector.Combinator) -> Bool {
    combinator == .descendant || combinator == .subsequentSibling
  }

  private mutating func candidate(
    after element: XMLDocument.NodeIndex, _ combinator: Selector.Combinator
  ) throws(CodecError) -> XMLDocument.NodeIndex? {
    switch combinator {
    case .descendant, .child:
      let parent = document[element].parent
      return parent == XMLDocument.noNode ? nil : parent
    case .nextSibling, .subsequentSibling: return try previousElement(element)
    }
  }

  /// Returns the previous sibling element. Any number of text nodes may precede it.
  private mutating func previousElement(_ element: XMLDocument.NodeIndex) throws(CodecError) -> XMLDocument.NodeIndex? {
    var sibling = document[element].previousSibling
    while sibling != XMLDocument.noNode, !document[sibling].isElement {
      try step()
      sibling = document[sibling].previousSibling
    }
    return sibling == XMLDocument.noNode ? nil : sibling
  }

  /// Returns the next sibling element. Any number of text nodes may precede it.
  private mutating func nextElement(_ element: XMLDocument.NodeIndex) throws(CodecError) -> XMLDocument.NodeIndex? {
    var sibling = document[element].nextSibling
    while sibling != XMLDocument.noNode, !document[sibling].isElement {
      try step()
      sibling = document[sibling].nextSibling
    }
    return sibling == XMLDocument.noNode ? nil : sibling
  }

  /// Recurses for `:not()` and similar pseudo-classes, whose nesting depth the parser limits.
  private mutating func matches(
    _ compound: Selector.Compound, _ element: XMLDocument.NodeIndex
  ) throws(CodecError) -> Bool {
    for part in compound.parts {
      if try !matches(part, element) { return false }
    }
    return true
  }

  private mutating func matches(
    _ part: Selector.Simple, _ element: XMLDocument.NodeIndex
  ) throws(CodecError) -> Bool {
    try step()
    switch part {
    case .universal: return true
    case .type(let name): return document[element].name == name
    case .id(let id):
      try step(document.attributes(of: element).count / 8)
      guard let value = document.value(.id, of: element), Int(value.count) == id.count else { return false }
      try step(id.count / 16)
      return AttributeValue(document.text.span.extracting(value.range)).matches(.equals, id)
    case .className(let name):
      try step(document.attributes(of: element).count / 8)
      guard let value = document.value(.class, of: element) else { return false }
      try step(value.range.count / 16)
      return AttributeValue(document.text.span.extracting(value.range)).matches(.includesWord, name)
    case .attribute(let name, let match, let expected, let ignoresCase):
      return try matchesAttribute(name, match, expected, ignoresCase: ignoresCase, element)
    case .root: return document[element].parent == XMLDocument.noNode
    case .scope: return scope.map { $0 == element } ?? (document[element].parent == XMLDocument.noNode)
    case .empty: return document[element].firstChild == XMLDocument.noNode
    case .nth(let step, let offset, let fromEnd, let ofType, let filter):
      if let filter, try !matchesAny(of: filter, element) { return false }
      let position = try position(of: element, fromEnd: fromEnd, ofType: ofType, filter)
      return step == 0 ? position == offset : (position - offset) % step == 0 && (position - offset) / step >= 0
    case .link: return document[element].element == .a && document.value(.href, of: element) != nil
    case .never: return false
    case .anyOf(let list): return try matchesAny(of: list, element)
    case .noneOf(let list): return try !matchesAny(of: list, element)
    case .nesting(let list):
      guard list < nestingLists.count else { return false }
      return try matchesAny(of: nestingLists[list], element)
    case .has(let list):
      for selector in list where try hasRelative(element, selector) { return true }
      return false
    case .language(let ranges): return try hasLanguage(ranges, element)
    }
  }

  private mutating func matchesAny(
    of list: [Selector], _ element: XMLDocument.NodeIndex
  ) throws(CodecError) -> Bool {
    for selector in list where try matches(selector, element) { return true }
    return false
  }

  /// Returns whether an element has a descendant or a later sibling that a relative selector selects.
  private mutating func hasRelative(
    _ element: XMLDocument.NodeIndex, _ selector: Selector
  ) throws(CodecError) -> Bool {
    let outer = scope
    scope = element
    defer { scope = outer }
    // The leftmost compound is the element; the one to its right states where the others are.
    guard selector.compounds.count > 1 else { return false }
    let combinator = selector.compounds[selector.compounds.count - 2].combinator
    if combinator == .child || combinator == .descendant { return try contains(element, selector) }
    var sibling = try nextElement(element)
    while let current = sibling {
      if try matches(selector, current) { return true }
      if selector.compounds.count > 2, try contains(current, selector) { return true }
      sibling = try nextElement(current)
    }
    return false
  }

  /// Returns whether a selector selects a descendant of an element.
  private mutating func contains(
    _ element: XMLDocument.NodeIndex, _ selector: Selector
  ) throws(CodecError) -> Bool {
    var node = document.next(after: element, within: element)
    while let current = node {
      try step()
      if document[current].isElement, try matches(selector, current) { return true }
      node = document.next(after: current, within: element)
    }
    return false
  }

  /// Returns whether the language of an element is in any of some ranges (RFC 4647, with wildcards at the start).
  private mutating func hasLanguage(
    _ list: Selector.LanguageRanges, _ element: XMLDocument.NodeIndex
  ) throws(CodecError) -> Bool {
    var current = element
    while current != XMLDocument.noNode {
      try step(1 + document.attributes(of: current).count / 8)
      if let slice = document.value(.lang, of: current) {
        let (steps, overflow) = list.stepCount.multipliedReportingOverflow(by: 1 + Int(slice.count) / 16)
        try step(overflow ? remainingSteps : steps)
        let language = document.text[slice.range].map { lowercased($0) }
        return list.ranges.contains { range in
          if range.isEmpty { return language.isEmpty }
          if range.first == UInt8(ascii: "*") {
            let rest = range.dropFirst()
            return rest.isEmpty ? !language.isEmpty : Self.hasSubtags(Array(rest.drop { $0 == 45 }), language)
          }
          return language.starts(with: range)
            && (language.count == range.count || language[range.count] == UInt8(ascii: "-"))
        }
      }
      current = document[current].parent
    }
    return false
  }

  private static func hasSubtags(_ wanted: [UInt8], _ language: [UInt8]) -> Bool {
    language.split(separator: UInt8(ascii: "-")).dropFirst().contains { $0.elementsEqual(wanted) }
  }

  private mutating func position(
    of element: XMLDocument.NodeIndex, fromEnd: Bool, ofType: Bool, _ filter: [Selector]?
  ) throws(CodecError) -> Int {
    var count = 1
    var current = element
    while true {
      let next = fromEnd ? try nextElement(current) : try previousElement(current)
      guard let sibling = next else { return count }
      try step()
      var isCounted = !ofType || document[sibling].name == document[element].name
      if isCounted, let filter { isCounted = try matchesAny(of: filter, sibling) }
      if isCounted { count += 1 }
      current = sibling
    }
  }

  private mutating func matchesAttribute(
    _ name: NameNumber, _ match: Selector.AttributeMatch, _ expected: [UInt8], ignoresCase: Bool,
    _ element: XMLDocument.NodeIndex
  ) throws(CodecError) -> Bool {
    try step(document.attributes(of: element).count / 8)
    for index in document.attributes(of: element) where document.attributes[index].number == name {
      let value = document.attributes[index].value.range
      // A substring search may compare every byte of it at every position of the value.
      let (cost, overflow) = value.count.multipliedReportingOverflow(by: match == .substring ? expected.count : 1)
      try step(overflow ? remainingSteps : cost / 16)
      return AttributeValue(document.text.span.extracting(value), ignoresCase: ignoresCase).matches(match, expected)
    }
    return false
  }
}
