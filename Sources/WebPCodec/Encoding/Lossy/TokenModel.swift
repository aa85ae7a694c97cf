// The probabilities of coefficient tokens: how often each branch of the tree was taken, what levels cost, and which
// probabilities are worth an update in the header (RFC 6386, section 13).

internal import ImageCoding

/// The probabilities of tokens with the costs and statistics that belong to them.
struct TokenModel: Sendable {
  /// In the order of ``CoefficientProbabilities``.
  private(set) var probabilities = CoefficientProbabilities.initial
  /// For each of the same nodes, how often it was passed and how often with `true`.
  private var branches = [UInt32](repeating: 0, count: nodeCount * 2)
  /// For each block type, position (0…16), context and level up to 67, the cost of the level.
  private(set) var levelCosts = [UInt16](repeating: 0, count: 4 * 17 * 3 * levelCount)
  /// For each block type, position and context, the cost of ending the block there, and of not doing so.
  private(set) var endCosts = [UInt16](repeating: 0, count: 4 * 17 * 3 * 2)

  static let levelCount = 68
  private static let nodeCount = 4 * 8 * 3 * 11
  static let bands: InlineArray<17, UInt8> = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0]

  init() {
    updateCosts()
  }

  /// Forgets how often branches were taken.
  mutating func resetStatistics() {
    branches = [UInt32](repeating: 0, count: Self.nodeCount * 2)
  }

  /// The index of a context's probabilities.
  @inline(__always)
  static func node(kind: Int, position: Int, context: Int) -> Int {
    ((kind &* 8 &+ Int(bands[position])) &* 3 &+ context) &* 11
  }

  // MARK: Probabilities

  /// Adapts the probabilities to the statistics where the gain exceeds the cost of an update.
  mutating func adaptProbabilities() {
    let costs = BitCosts.shared
    for index in probabilities.indices {
      let (total, count) = (Int64(branches[index * 2]), Int64(branches[index * 2 + 1]))
      let adapted = count == 0 ? 255 : UInt8(255 - count * 255 / total)
      let initial = CoefficientProbabilities.initial[index]
      let update = CoefficientProbabilities.update[index]
      func cost(_ probability: UInt8) -> Int64 {
        count * Int64(costs.cost(true, probability)) + (total - count) * Int64(costs.cost(false, probability))
      }
      let oldCost = cost(initial) + Int64(costs.cost(false, update))
      let newCost = cost(adapted) + Int64(costs.cost(true, update)) + 8 * 256
      probabilities[index] = newCost < oldCost ? max(1, adapted) : initial
    }
  }

  /// Recalculates the costs of levels.
  mutating func updateCosts() {
    let costs = BitCosts.shared
    var levelCosts = levelCosts
    var endCosts = endCosts
    for kind in 0..<4 {
      for position in 0..<17 {
        for context in 0..<3 {
          let node = Self.node(kind: kind, position: position, context: context)
          let p = Array(probabilities[node..<node + 11])
          let place = (kind * 17 + position) * 3 + context
          endCosts[place * 2] = UInt16(costs.cost(false, p[0]))
          endCosts[place * 2 + 1] = UInt16(costs.cost(true, p[0]))
          // After a zero no end can follow.
          let notEnded = context > 0 ? costs.cost(true, p[0]) : 0
          levelCosts[place * Self.levelCount] = UInt16(notEnded + costs.cost(false, p[1]))
          let base = notEnded + costs.cost(true, p[1])
          var branches: Int32 = 0
          for level in 1..<Self.levelCount {
            if Self.startsBranch(level) { branches = Self.treeCost(level, p, costs) }
            levelCosts[place * Self.levelCount + level] = UInt16(
              clamping: base + branches + Int32(costs.fixedLevels[level]))
          }
        }
      }
    }
    self.levelCosts = levelCosts
    self.endCosts = endCosts
  }

  /// Whether a level is the first one of its branches: a single level, or a category of levels.
  private static func startsBranch(_ level: Int) -> Bool {
    switch level {
    case 1...5, 7, 11, 19, 35, 67: true
    default: false
    }
  }

  /// Returns the cost of the branches of a level after "not zero".
  private static func treeCost(_ level: Int, _ p: [UInt8], _ costs: BitCosts) -> Int32 {
    if level == 1 { return costs.cost(false, p[2]) }
    var cost = costs.cost(true, p[2])
    if level <= 4 {
      cost += costs.cost(false, p[3]) + costs.cost(level != 2, p[4])
      return level == 2 ? cost : cost + costs.cost(level == 4, p[5])
    }
    cost += costs.cost(true, p[3])
    if level <= 10 { return cost + costs.cost(false, p[6]) + costs.cost(level > 6, p[7]) }
    let category = LevelCategory.index(level)
    cost += costs.cost(true, p[6]) + costs.cost(category > 1, p[8])
    return cost + costs.cost(category & 1 == 1, p[category > 1 ? 10 : 9])
  }

  // MARK: Blocks

  /// Counts the branches of a block's tokens.
  mutating func record(_ block: TokenBlock, _ levels: Span<Int16>, context: Int) {
    var statistics = BranchCounter(span: branches.mutableSpan)
    var position = block.first
    var node = Self.node(kind: block.kind, position: position, context: context)
    guard block.last >= block.first else { return statistics.count(node, false) }
    var endIsPossible = true
    while position <= block.last {
      if endIsPossible { statistics.count(node, true) }
      let level = block.magnitude(levels, position)
      position &+= 1
      statistics.count(node &+ 1, level != 0)
      endIsPossible = level != 0
      if level > 0 {
        statistics.count(node &+ 2, level > 1)
        if level > 1 { statistics.countLarge(level, node) }
      }
      if position < 16 { node = Self.node(kind: block.kind, position: position, context: min(level, 2)) }
    }
    if position < 16 { statistics.count(node, false) }
  }

  /// Writes a block's tokens.
  func write(_ block: TokenBlock, _ levels: Span<Int16>, context: Int, _ writer: inout BoolEncoder) {
    let p = probabilities.span
    var position = block.first
    var node = Self.node(kind: block.kind, position: position, context: context)
    guard block.last >= block.first else { return writer.write(false, p[node]) }
    var endIsPossible = true
    while position <= block.last {
      if endIsPossible { writer.write(true, p[node]) }
      let level = block.magnitude(levels, position)
      let isNegative = block.isNegative(levels, position)
      position &+= 1
      writer.write(level != 0, p[node &+ 1])
      endIsPossible = level != 0
      if level > 0 {
        writer.write(level > 1, p[node &+ 2])
        if level > 1 { Self.writeLarge(level, p, node, &writer) }
        writer.writeFlag(isNegative)
      }
      if position < 16 { node = Self.node(kind: block.kind, position: position, context: min(level, 2)) }
    }
    if position < 16 { writer.write(false, p[node]) }
  }

  private static func writeLarge(_ level: Int, _ p: Span<UInt8>, _ node: Int, _ writer: inout BoolEncoder) {
    writer.write(level > 4, p[node &+ 3])
    if level <= 4 {
      writer.write(level != 2, p[node &+ 4])
      if level != 2 { writer.write(level == 4, p[node &+ 5]) }
      return
    }
    writer.write(level > 10, p[node &+ 6])
    if level <= 10 {
      writer.write(level > 6, p[node &+ 7])
    } else {
      let category = LevelCategory.index(level)
      writer.write(category > 1, p[node &+ 8])
      writer.write(category & 1 == 1, p[node &+ (category > 1 ? 10 : 9)])
    }
    for (bit, probability) in LevelCategory.extraBits(of: level) { writer.write(bit, probability) }
  }

  /// Returns the cost of a block's tokens.
  @inline(__always)
  static func cost(
    _ block: TokenBlock, _ levels: Span<Int16>, context: Int, _ levelCosts: Span<UInt16>, _ endCosts: Span<UInt16>,
    _ fixedLevels: Span<UInt16>
  ) -> Int32 {
    var place = (block.kind &* 17 &+ block.first) &* 3 &+ context
    if block.last < block.first { return Int32(endCosts[place &* 2]) }
    // The tables have this cost for other contexts.
    var cost = context == 0 ? Int32(endCosts[place &* 2 &+ 1]) : 0
    var position = block.first
    while position <= block.last {
      let level = block.magnitude(levels, position)
      if level < levelCount {
        cost &+= Int32(levelCosts[place &* levelCount &+ level])
      } else {
        cost &+=
          Int32(levelCosts[place &* levelCount &+ levelCount &- 1]) &+ Int32(fixedLevels[level])
          &- Int32(fixedLevels[levelCount &- 1])
      }
      position &+= 1
      place = (block.kind &* 17 &+ position) &* 3 &+ min(level, 2)
    }
    if position < 16 { cost &+= Int32(endCosts[place &* 2]) }
    return cost
  }
}

/// Counts how often branches are passed.
private struct BranchCounter: ~Copyable, ~Escapable {
  private var counts: MutableSpan<UInt32>

  @_lifetime(copy span)
  init(span: consuming MutableSpan<UInt32>) {
    counts = span
  }

  @inline(__always)
  mutating func count(_ node: Int, _ bit: Bool) {
    counts[node &* 2] &+= 1
    if bit { counts[node &* 2 &+ 1] &+= 1 }
  }

  /// Counts the branches of a level of at least 2, after the one that tells so.
  mutating func countLarge(_ level: Int, _ node: Int) {
    count(node &+ 3, level > 4)
    if level <= 4 {
      count(node &+ 4, level != 2)
      if level != 2 { count(node &+ 5, level == 4) }
      return
    }
    count(node &+ 6, level > 10)
    if level <= 10 { return count(node &+ 7, level > 6) }
    let category = LevelCategory.index(level)
    count(node &+ 8, category > 1)
    count(node &+ (category > 1 ? 10 : 9), category & 1 == 1)
  }
}

/// The levels of one block within an array.
struct TokenBlock {
  /// The block type: 0 for luma without DC, 1 for Y2, 2 for chroma, 3 for luma with DC.
  let kind: Int
  /// The index of the block's levels, which are in raster order.
  let base: Int
  /// The position of the first coefficient and of the last one that is not zero; less than the first if all are zero.
  let first: Int
  let last: Int

  private static let zigzag: InlineArray<16, UInt8> = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]

  @inline(__always)
  init(kind: Int, base: Int, _ levels: Span<Int16>) {
    self.kind = kind
    self.base = base
    first = kind == 0 ? 1 : 0
    var last = 15
    while last >= first, levels[base &+ Int(Self.zigzag[last])] == 0 { last &-= 1 }
    self.last = last
  }

  @inline(__always)
  var hasCoefficients: Bool { last >= first }

  @inline(__always)
  func magnitude(_ levels: Span<Int16>, _ position: Int) -> Int {
    abs(Int(levels[base &+ Int(Self.zigzag[position])]))
  }

  @inline(__always)
  func isNegative(_ levels: Span<Int16>, _ position: Int) -> Bool {
    levels[base &+ Int(Self.zigzag[position])] < 0
  }
}
