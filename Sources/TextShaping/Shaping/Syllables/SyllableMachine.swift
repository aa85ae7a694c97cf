// Divides text into syllables with a deterministic automaton made from a regular grammar over character categories, as
// the OpenType script specifications state them.

/// An automaton that finds the longest syllable at a position.
package struct SyllableMachine: Sendable {
  /// The maximum number of characters in a syllable; longer ones are divided. It bounds the cost of reordering.
  private static let maximumLength = 512
  /// The maximum number of characters examined beyond the longest syllable found so far.
  private static let maximumLookahead = 64

  private let symbolCount: Int
  /// The next state for each state and symbol; -1 if there is none.
  private let transitions: [Int16]
  /// The kind of syllable that ends in each state; -1 if none does.
  private let accepted: [Int16]
  /// The kind of a single character that starts no syllable.
  package let otherKind: Int

  /// Creates the automaton of a grammar.
  ///
  /// - Parameters:
  ///   - symbols: the names of the categories, in order of their values.
  ///   - grammar: definitions such as `tail = A? (B | C)* D+;`, each made of symbols and earlier definitions.
  ///   - kinds: the definitions that are syllables; of several with the same extent, the first one counts.
  package init(symbols: [String], grammar: String, kinds: [String]) {
    var parser = GrammarParser(symbols: symbols)
    parser.parse(grammar)
    var automaton = PositionAutomaton()
    for (kind, name) in kinds.enumerated() {
      if let rule = parser.definitions[name] { automaton.add(rule, kind: kind) }
    }
    symbolCount = symbols.count
    (transitions, accepted) = automaton.determinize(symbolCount: symbols.count)
    otherKind = kinds.count
  }

  /// Returns the end and the kind of the syllable that starts at a position.
  package func syllable(in categories: [UInt8], from start: Int) -> (end: Int, kind: Int) {
    var found = (end: start + 1, kind: otherKind)
    var isFound = false
    var state = 0
    var index = start
    while index < categories.count, index - start < Self.maximumLength {
      if index - (isFound ? found.end : start) >= Self.maximumLookahead { break }
      let symbol = Int(categories[index])
      guard symbol < symbolCount, transitions[state * symbolCount + symbol] >= 0 else { break }
      state = Int(transitions[state * symbolCount + symbol])
      index += 1
      if accepted[state] >= 0 {
        found = (index, Int(accepted[state]))
        isFound = true
      }
    }
    return found
  }
}

/// An expression of a grammar.
private indirect enum Expression {
  /// Any of a set of symbols, as bits.
  case symbols(UInt64)
  case sequence([Expression])
  case choice([Expression])
  case optional(Expression)
  case repeated(Expression)
}

/// Parses the definitions of a grammar, which is part of the program.
private struct GrammarParser {
  private let symbols: [String: Int]
  private(set) var definitions: [String: Expression] = [:]
  private var tokens: ArraySlice<Substring> = []

  init(symbols: [String]) {
    self.symbols = Dictionary(uniqueKeysWithValues: symbols.enumerated().map { ($1, $0) })
  }

  mutating func parse(_ grammar: String) {
    for definition in grammar.split(separator: ";") {
      let sides = definition.split(separator: "=")
      guard sides.count == 2, let name = sides[0].split(whereSeparator: { $0.isWhitespace }).first else { continue }
      var spaced = ""
      for character in sides[1] { spaced += "()|*+?".contains(character) ? " \(character) " : String(character) }
      let words = spaced.split { $0.isWhitespace }
      tokens = words[...]
      definitions[String(name)] = choice()
    }
  }

  private mutating func choice() -> Expression {
    var branches = [sequence()]
    while tokens.first == "|" {
      tokens.removeFirst()
      branches.append(sequence())
    }
    if branches.count == 1 { return branches[0] }
    var set: UInt64 = 0
    for branch in branches {
      guard case .symbols(let bits) = branch else { return .choice(branches) }
      set |= bits
    }
    return .symbols(set)
  }

  private mutating func sequence() -> Expression {
    var parts: [Expression] = []
    while let token = tokens.first, token != ")", token != "|" {
      tokens.removeFirst()
      var part: Expression
      if token == "(" {
        part = choice()
        tokens = tokens.dropFirst()
      } else if let symbol = symbols[String(token)] {
        part = .symbols(1 << UInt64(symbol))
      } else {
        part = definitions[String(token)] ?? .sequence([])
      }
      while let suffix = tokens.first, ["*", "+", "?"].contains(suffix) {
        tokens.removeFirst()
        switch suffix {
        case "*": part = .repeated(part)
        case "+": part = .sequence([part, .repeated(part)])
        default: part = .optional(part)
        }
      }
      parts.append(part)
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }
}

/// The position automaton of expressions (Glushkov's construction): a state for each occurrence of a symbol.
private struct PositionAutomaton {
  private struct Fragment {
    var isNullable: Bool
    var first: [Int] = []
    var last: [Int] = []
  }

  /// The symbols of each position. Position 0 is the start and has none.
  private var symbols: [UInt64] = [0]
  private var followers: [Set<Int>] = [[]]
  private var kinds: [Int?] = [nil]

  mutating func add(_ rule: Expression, kind: Int) {
    let fragment = build(rule)
    followers[0].formUnion(fragment.first)
    for position in fragment.last { kinds[position] = min(kinds[position] ?? kind, kind) }
  }

  private mutating func build(_ expression: Expression) -> Fragment {
    switch expression {
    case .symbols(let set):
      symbols.append(set)
      followers.append([])
      kinds.append(nil)
      return Fragment(isNullable: false, first: [symbols.count - 1], last: [symbols.count - 1])
    case .choice(let branches):
      var result = Fragment(isNullable: false)
      for branch in branches {
        let fragment = build(branch)
        result.isNullable = result.isNullable || fragment.isNullable
        result.first += fragment.first
        result.last += fragment.last
      }
      return result
    case .sequence(let parts):
      var result = Fragment(isNullable: true)
      for part in parts {
        let fragment = build(part)
        for position in result.last { followers[position].formUnion(fragment.first) }
        if result.isNullable { result.first += fragment.first }
        result.last = fragment.isNullable ? result.last + fragment.last : fragment.last
        result.isNullable = result.isNullable && fragment.isNullable
      }
      return result
    case .optional(let inner):
      var fragment = build(inner)
      fragment.isNullable = true
      return fragment
    case .repeated(let inner):
      var fragment = build(inner)
      for position in fragment.last { followers[position].formUnion(fragment.first) }
      fragment.isNullable = true
      return fragment
    }
  }

  /// Returns the transitions and accepted kinds of an equivalent deterministic automaton, whose start is state 0.
  func determinize(symbolCount: Int) -> (transitions: [Int16], accepted: [Int16]) {
    var states: [[Int]] = [[0]]
    var numbers: [[Int]: Int] = [[0]: 0]
    var transitions: [Int16] = []
    var accepted: [Int16] = []
    var next = 0
    while next < states.count {
      let state = states[next]
      accepted.append(Int16(state.compactMap { kinds[$0] }.min() ?? -1))
      let reached = state.reduce(into: Set<Int>()) { $0.formUnion(followers[$1]) }.sorted()
      for symbol in 0..<symbolCount {
        let target = reached.filter { symbols[$0] >> UInt64(symbol) & 1 != 0 }
        guard !target.isEmpty else {
          transitions.append(-1)
          continue
        }
        let number = numbers[target] ?? states.count
        if number == states.count {
          numbers[target] = number
          states.append(target)
        }
        transitions.append(Int16(truncatingIfNeeded: number))
      }
      next += 1
    }
    return (transitions, accepted)
  }
}
