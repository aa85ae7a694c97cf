// The Unicode Bidirectional Algorithm (UAX #9, revision 46): computes the embedding levels and the visual order of the
// characters of one paragraph. Implements all rules: explicit embeddings, overrides and isolates, weak types, paired
// brackets, neutrals. All data is in flat arrays, and the time is linear in the length.

/// The embedding levels of a paragraph.
package struct BidiLevels {
  package static let maximumDepth: UInt8 = 125
  /// The level of characters that rule X9 removes.
  static let removed: UInt8 = 255

  /// The level of each character; even levels are left-to-right. Characters that rule X9 removes have the level of the
  /// preceding one.
  package private(set) var levels: [UInt8]
  let baseLevel: UInt8

  let scalars: [Unicode.Scalar]
  private let original: [BidiClass]
  private var classes: [BidiClass]
  /// For an isolate initiator, the index of its matching PDI or the count; for a matched PDI, that of its initiator;
  /// otherwise −1.
  private var partners: [Int32]

  /// Computes the levels.
  ///
  /// - Parameter baseLevel: the paragraph's level; if `nil`, that of its first strong character (rules P2 and P3).
  package init(_ scalars: [Unicode.Scalar], baseLevel: UInt8?) {
    self.scalars = scalars
    original = scalars.map { BidiClass($0) }
    classes = original
    partners = Self.matchIsolates(original)
    self.baseLevel =
      baseLevel ?? Self.firstStrongLevel(original, partners, from: 0, to: scalars.count, default: 0)
    levels = Array(repeating: self.baseLevel, count: scalars.count)
    resolveExplicitLevels()
    resolveSequences()
    resetWhiteSpace()
  }

  // MARK: Paragraph and isolates (P2, P3, BD9)

  private static func matchIsolates(_ classes: [BidiClass]) -> [Int32] {
    var partners = [Int32](repeating: -1, count: classes.count)
    var open: [Int] = []
    for (index, kind) in classes.enumerated() {
      if kind.isIsolateInitiator {
        partners[index] = Int32(classes.count)
        open.append(index)
      } else if kind == .popDirectionalIsolate, let initiator = open.popLast() {
        partners[initiator] = Int32(index)
        partners[index] = Int32(initiator)
      } else if kind == .paragraphSeparator {
        open.removeAll()
      }
    }
    return partners
  }

  private static func firstStrongLevel(
    _ classes: [BidiClass], _ partners: [Int32], from start: Int, to end: Int, default level: UInt8
  ) -> UInt8 {
    var index = start
    while index < end {
      switch classes[index] {
      case .leftToRight: return 0
      case .rightToLeft, .arabicLetter: return 1
      case .leftToRightIsolate, .rightToLeftIsolate, .firstStrongIsolate: index = max(index, Int(partners[index]))
      case .paragraphSeparator: return level
      default: break
      }
      index += 1
    }
    return level
  }

  // MARK: Explicit levels (X1 to X8)

  private struct Status {
    var level: UInt8
    var override: BidiClass?
    var isIsolate: Bool
  }

  private mutating func resolveExplicitLevels() {
    var stack = [Status(level: baseLevel, override: nil, isIsolate: false)]
    var overflowIsolates = 0
    var overflowEmbeddings = 0
    var validIsolates = 0
    for index in scalars.indices {
      let status = stack[stack.count - 1]
      let kind = original[index]
      switch kind {
      case .leftToRightEmbedding, .leftToRightOverride, .rightToLeftEmbedding, .rightToLeftOverride:
        levels[index] = Self.removed
        let isRight = kind == .rightToLeftEmbedding || kind == .rightToLeftOverride
        let level = Self.next(after: status.level, isRight: isRight)
        guard level <= Self.maximumDepth, overflowIsolates == 0, overflowEmbeddings == 0 else {
          if overflowIsolates == 0 { overflowEmbeddings += 1 }
          continue
        }
        let override: BidiClass? =
          kind == .leftToRightOverride ? .leftToRight : kind == .rightToLeftOverride ? .rightToLeft : nil
        stack.append(Status(level: level, override: override, isIsolate: false))
      case .leftToRightIsolate, .rightToLeftIsolate, .firstStrongIsolate:
        setLevel(of: index, status)
        let level = Self.next(after: status.level, isRight: isRightIsolate(index))
        if level <= Self.maximumDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
          validIsolates += 1
          stack.append(Status(level: level, override: nil, isIsolate: true))
        } else {
          overflowIsolates += 1
        }
      case .popDirectionalIsolate:
        if overflowIsolates > 0 {
          overflowIsolates -= 1
        } else if validIsolates > 0 {
          overflowEmbeddings = 0
          while stack.count > 1, !stack[stack.count - 1].isIsolate { stack.removeLast() }
          if stack.count > 1 { stack.removeLast() }
          validIsolates -= 1
        }
        setLevel(of: index, stack[stack.count - 1])
      case .popDirectionalFormat:
        levels[index] = Self.removed
        if overflowIsolates > 0 { continue }
        if overflowEmbeddings > 0 {
          overflowEmbeddings -= 1
        } else if !status.isIsolate, stack.count > 1 {
          stack.removeLast()
        }
      case .boundaryNeutral: levels[index] = Self.removed
      case .paragraphSeparator:
        stack.removeLast(stack.count - 1)
        overflowIsolates = 0
        overflowEmbeddings = 0
        validIsolates = 0
        levels[index] = baseLevel
      default: setLevel(of: index, status)
      }
    }
  }

  private mutating func setLevel(of index: Int, _ status: Status) {
    levels[index] = status.level
    if let override = status.override { classes[index] = override }
  }

  private func isRightIsolate(_ index: Int) -> Bool {
    switch original[index] {
    case .rightToLeftIsolate: true
    case .firstStrongIsolate:
      Self.firstStrongLevel(original, partners, from: index + 1, to: Int(partners[index]), default: 0) == 1
    default: false
    }
  }

  /// Returns the next higher odd or even level.
  private static func next(after level: UInt8, isRight: Bool) -> UInt8 {
    isRight ? (level + 1) | 1 : (level + 2) & ~1
  }

  // MARK: Isolating run sequences (X10)

  private mutating func resolveSequences() {
    let explicit = levels
    let kept = scalars.indices.filter { explicit[$0] != Self.removed }
    // The level runs as ranges of `kept`, and the run of each character.
    var runs: [Range<Int>] = []
    var runOfScalar = [Int32](repeating: -1, count: scalars.count)
    var start = 0
    for position in kept.indices {
      if position > start, explicit[kept[position]] != explicit[kept[start]] {
        runs.append(start..<position)
        start = position
      }
      runOfScalar[kept[position]] = Int32(runs.count)
    }
    if start < kept.count { runs.append(start..<kept.count) }
    for run in runs {
      let first = kept[run.lowerBound]
      // A run that starts with a matched PDI continues the sequence of its initiator.
      if original[first] == .popDirectionalIsolate, partners[first] >= 0 { continue }
      var indices: [Int] = []
      var current = run
      while true {
        indices.append(contentsOf: kept[current])
        let last = kept[current.upperBound - 1]
        guard original[last].isIsolateInitiator, Int(partners[last]) < scalars.count else { break }
        let next = Int(runOfScalar[Int(partners[last])])
        guard next >= 0 else { break }
        current = runs[next]
      }
      resolve(indices, first: run.lowerBound, end: current.upperBound, kept, explicit)
    }
    spreadToRemoved()
  }

  /// Resolves one sequence: weak types, brackets, neutrals, levels.
  private mutating func resolve(_ indices: [Int], first: Int, end: Int, _ kept: [Int], _ explicit: [UInt8]) {
    let level = explicit[indices[0]]
    let before = first > 0 ? explicit[kept[first - 1]] : baseLevel
    let last = indices[indices.count - 1]
    let isOpen = original[last].isIsolateInitiator && Int(partners[last]) == scalars.count
    let after = isOpen || end >= kept.count ? baseLevel : explicit[kept[end]]
    func direction(_ level: UInt8) -> BidiClass { level & 1 == 1 ? .rightToLeft : .leftToRight }
    var sequence = BidiSequence(
      classes: indices.map { classes[$0] }, start: direction(max(level, before)), end: direction(max(level, after)),
      embedding: direction(level))
    sequence.resolveWeakTypes()
    sequence.resolveBrackets(scalars, original, indices)
    sequence.resolveNeutrals()
    for (position, index) in indices.enumerated() {
      // I1 and I2.
      switch sequence.classes[position] {
      case .leftToRight: levels[index] = level + (level & 1)
      case .rightToLeft: levels[index] = level + (1 - level & 1)
      default: levels[index] = level + (level & 1 == 1 ? 1 : 2)
      }
    }
  }

  /// Assigns to characters that rule X9 removed the level of the preceding one.
  private mutating func spreadToRemoved() {
    var level = baseLevel
    for index in levels.indices {
      if levels[index] == Self.removed { levels[index] = level } else { level = levels[index] }
    }
  }

  // MARK: Separators and the end of the line (L1)

  private mutating func resetWhiteSpace() {
    var index = scalars.count - 1
    var isTrailing = true
    while index >= 0 {
      switch original[index] {
      case .segmentSeparator, .paragraphSeparator:
        levels[index] = baseLevel
        isTrailing = true
      case .whiteSpace, .leftToRightIsolate, .rightToLeftIsolate, .firstStrongIsolate, .popDirectionalIsolate:
        if isTrailing { levels[index] = baseLevel }
      default:
        if original[index].isRemoved {
          if isTrailing { levels[index] = baseLevel }
        } else {
          isTrailing = false
        }
      }
      index -= 1
    }
  }

  // MARK: Reordering (L2)

  /// Returns runs of one level in visual order, from left to right.
  package static func visualRuns(_ levels: some RandomAccessCollection<UInt8>) -> [(range: Range<Int>, level: UInt8)] {
    var runs: [(range: Range<Int>, level: UInt8)] = []
    var start = 0
    var previous: UInt8 = 0
    for (index, level) in levels.enumerated() {
      if index > start, level != previous {
        runs.append((start..<index, previous))
        start = index
      }
      previous = level
    }
    if start < levels.count { runs.append((start..<levels.count, previous)) }
    guard let highest = runs.lazy.map({ $0.level }).max(),
      let lowestOdd = runs.lazy.map({ $0.level }).filter({ $0 & 1 == 1 }).min()
    else { return runs }
    var level = highest
    while level >= lowestOdd {
      var index = 0
      while index < runs.count {
        var end = index
        while end < runs.count, runs[end].level >= level { end += 1 }
        if end > index + 1 { runs[index..<end].reverse() }
        index = max(end, index + 1)
      }
      level -= 1
    }
    return runs
  }
}
