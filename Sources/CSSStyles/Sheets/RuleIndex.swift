// An index of rules by the id, class or type in their rightmost compound selector.

internal import ImageCoding
internal import XMLDocuments

/// The rules of a style sheet, indexed by their rightmost compound selector, so that only a few are matched against an
/// element.
struct RuleIndex {
  /// The rules for one name, as indices into the style sheet.
  private struct List {
    var rules: [Int] = []
    /// The element of the last lookup, since an element may repeat a class.
    var lastElement = XMLDocument.noNode
  }

  private var lists: [List] = []
  private var byID: [[UInt8]: Int] = [:]
  private var byClass: [[UInt8]: Int] = [:]
  private var byType: [NameNumber: Int] = [:]
  private var others: [Int] = []

  /// The work units for looking up a word, trying a rule, and a step of matching.
  private static let workPerWord = 60
  private static let workPerStep = 40

  init(_ sheet: StyleSheet) {
    for (index, rule) in sheet.rules.enumerated() {
      var id: [UInt8]?
      var className: [UInt8]?
      var type: NameNumber?
      for part in rule.selector.compounds.first?.parts ?? [] {
        switch part {
        case .id(let name): id = name
        case .className(let name): className = name
        case .type(let name): type = name
        default: break
        }
      }
      if let id {
        add(index, to: \.byID, id)
      } else if let className {
        add(index, to: \.byClass, className)
      } else if let type {
        // A type that no element has selects nothing.
        if type != NameNumbers.absent { add(index, to: \.byType, type) }
      } else {
        others.append(index)
      }
    }
  }

  private mutating func add<Name: Hashable>(
    _ rule: Int, to table: WritableKeyPath<RuleIndex, [Name: Int]>, _ name: Name
  ) {
    if let list = self[keyPath: table][name] {
      lists[list].rules.append(rule)
      return
    }
    self[keyPath: table][name] = lists.count
    lists.append(List(rules: [rule]))
  }

  /// Returns the rules that select an element, in ascending order of precedence.
  mutating func rules(
    matching node: XMLDocument.NodeIndex, of sheet: StyleSheet, matcher: inout SelectorMatcher,
    budget: inout ResourceBudget
  ) throws(CodecError) -> [Int] {
    var matched: [Int] = []
    try collect(others, node, sheet, &matcher, &budget, into: &matched)
    let xml = matcher.document
    if !byType.isEmpty { try look(byType[xml[node].name]) }
    if !byID.isEmpty, let id = xml.value(.id, of: node) {
      try budget.chargeWork(Self.workPerWord + Int(id.count))
      try look(byID[Array(xml.text[id.range])])
    }
    if !byClass.isEmpty, let value = xml.value(.class, of: node) {
      for word in xml.text[value.range].split(whereSeparator: isSpace) {
        try budget.chargeWork(Self.workPerWord + word.count)
        try look(byClass[Array(word)])
      }
    }
    func look(_ list: Int?) throws(CodecError) {
      guard let list, lists[list].lastElement != node else { return }
      lists[list].lastElement = node
      try collect(lists[list].rules, node, sheet, &matcher, &budget, into: &matched)
    }
    guard matched.count > 1 else { return matched }
    matched.sort { first, second in
      let layers = (sheet.ordinal(of: first), sheet.ordinal(of: second))
      if layers.0 != layers.1 { return layers.0 < layers.1 }
      let strengths = (sheet.rules[first].selector.specificity, sheet.rules[second].selector.specificity)
      return strengths.0 != strengths.1 ? strengths.0 < strengths.1 : first < second
    }
    return matched
  }

  private func collect(
    _ candidates: [Int], _ node: XMLDocument.NodeIndex, _ sheet: StyleSheet, _ matcher: inout SelectorMatcher,
    _ budget: inout ResourceBudget, into matched: inout [Int]
  ) throws(CodecError) {
    for rule in candidates {
      let before = matcher.remainingSteps
      if try matcher.matches(sheet.rules[rule].selector, node) { matched.append(rule) }
      try budget.chargeWork(count: before - matcher.remainingSteps, unitsEach: Self.workPerStep)
    }
  }
}
