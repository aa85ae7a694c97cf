// One isolating run sequence of the bidirectional algorithm: weak types, paired brackets, neutrals (UAX #9, W1 to N2).

/// The classes of an isolating run sequence while they are resolved to L, R, EN and AN.
struct BidiSequence {
  var classes: [BidiClass]
  /// sos, eos and e of the rules: L or R.
  let start: BidiClass
  let end: BidiClass
  let embedding: BidiClass

  private static let maximumOpenBracketCount = 63

  init(classes: [BidiClass], start: BidiClass, end: BidiClass, embedding: BidiClass) {
    self.classes = classes
    self.start = start
    self.end = end
    self.embedding = embedding
  }

  // MARK: Weak types

  mutating func resolveWeakTypes() {
    resolveMarksAndNumbers()
    resolveSeparators()
    resolveTerminators()
    // W7.
    var strong = start
    for index in classes.indices {
      switch classes[index] {
      case .leftToRight, .rightToLeft: strong = classes[index]
      case .europeanNumber: if strong == .leftToRight { classes[index] = .leftToRight }
      default: break
      }
    }
  }

  /// W1 to W3.
  private mutating func resolveMarksAndNumbers() {
    var previous = start
    var strong = start
    for index in classes.indices {
      if classes[index] == .nonspacingMark {
        classes[index] =
          previous.isIsolateInitiator || previous == .popDirectionalIsolate ? .otherNeutral : previous
      }
      previous = classes[index]
      switch previous {
      case .leftToRight, .rightToLeft, .arabicLetter: strong = previous
      case .europeanNumber: if strong == .arabicLetter { classes[index] = .arabicNumber }
      default: break
      }
    }
    for index in classes.indices where classes[index] == .arabicLetter { classes[index] = .rightToLeft }
  }

  /// W4.
  private mutating func resolveSeparators() {
    guard classes.count > 2 else { return }
    for index in 1..<classes.count - 1 {
      let before = classes[index - 1]
      guard before == classes[index + 1] else { continue }
      switch classes[index] {
      case .europeanSeparator: if before == .europeanNumber { classes[index] = .europeanNumber }
      case .commonSeparator:
        if before == .europeanNumber || before == .arabicNumber { classes[index] = before }
      default: break
      }
    }
  }

  /// W5 and W6.
  private mutating func resolveTerminators() {
    var index = 0
    while index < classes.count {
      guard classes[index] == .europeanTerminator else {
        index += 1
        continue
      }
      var next = index
      while next < classes.count, classes[next] == .europeanTerminator { next += 1 }
      let touchesNumber =
        index > 0 && classes[index - 1] == .europeanNumber
        || next < classes.count && classes[next] == .europeanNumber
      if touchesNumber { for position in index..<next { classes[position] = .europeanNumber } }
      index = next
    }
    for index in classes.indices {
      switch classes[index] {
      case .europeanSeparator, .europeanTerminator, .commonSeparator: classes[index] = .otherNeutral
      default: break
      }
    }
  }

  // MARK: Brackets

  /// N0.
  mutating func resolveBrackets(_ scalars: [Unicode.Scalar], _ original: [BidiClass], _ indices: [Int]) {
    for (opening, closing) in bracketPairs(scalars, indices) {
      guard let direction = direction(ofPair: opening, closing) else { continue }
      for position in [opening, closing] {
        classes[position] = direction
        // Nonspacing marks after a bracket take its class.
        var next = position + 1
        while next < indices.count, original[indices[next]] == .nonspacingMark {
          classes[next] = direction
          next += 1
        }
      }
    }
  }

  /// BD16: returns the pairs in the order of their opening brackets.
  private func bracketPairs(_ scalars: [Unicode.Scalar], _ indices: [Int]) -> [(Int, Int)] {
    var open: [(key: UInt32, position: Int)] = []
    var pairs: [(Int, Int)] = []
    for position in classes.indices where classes[position] == .otherNeutral {
      switch BidiBracket.kind(of: scalars[indices[position]]) {
      case .opening(let key):
        // If there are more open brackets than that, no brackets are paired (BD16).
        guard open.count < Self.maximumOpenBracketCount else { return [] }
        open.append((key, position))
      case .closing(let key):
        guard let match = open.lastIndex(where: { $0.key == key }) else { continue }
        pairs.append((open[match].position, position))
        open.removeLast(open.count - match)
      case nil: break
      }
    }
    return pairs.sorted { $0.0 < $1.0 }
  }

  private func direction(ofPair opening: Int, _ closing: Int) -> BidiClass? {
    var hasOpposite = false
    for position in opening + 1..<max(closing, opening + 1) {
      guard let strong = strongDirection(classes[position]) else { continue }
      if strong == embedding { return embedding }
      hasOpposite = true
    }
    guard hasOpposite else { return nil }
    var position = opening - 1
    while position >= 0 {
      if let strong = strongDirection(classes[position]) { return strong }
      position -= 1
    }
    return start
  }

  /// Returns the direction of a class next to neutrals, where numbers are treated as right-to-left.
  private func strongDirection(_ kind: BidiClass) -> BidiClass? {
    switch kind {
    case .leftToRight: .leftToRight
    case .rightToLeft, .europeanNumber, .arabicNumber: .rightToLeft
    default: nil
    }
  }

  // MARK: Neutrals

  /// N1 and N2.
  mutating func resolveNeutrals() {
    var index = 0
    while index < classes.count {
      guard classes[index].isNeutralOrIsolate else {
        index += 1
        continue
      }
      var next = index
      while next < classes.count, classes[next].isNeutralOrIsolate { next += 1 }
      let before = index > 0 ? strongDirection(classes[index - 1]) : start
      let after = next < classes.count ? strongDirection(classes[next]) : end
      let direction = before == after ? before ?? embedding : embedding
      for position in index..<next { classes[position] = direction }
      index = next
    }
  }
}
