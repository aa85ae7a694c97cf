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
  /// Whether at most three levels, apart from the DC, are not zero.
  let isFlat: Bool

  private static let zigzag: InlineArray<16, UInt8> = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]

  @inline(__always)
  init(kind: Int, base: Int, _ levels: Span<Int16>) {
    self.kind = kind
    self.base = base
    first = kind == 0 ? 1 : 0
    let mask = UInt32(nonzeroLanes(levels, at: base))
    var rest = mask & 0xFFFE
    let ordered =
      (zigzagBitsOfUpperRows[Int(mask & 0xFF)] | zigzagBitsOfLowerRows[Int(mask &>> 8)])
      & (first == 0 ? 0xFFFF : 0xFFFE)
    // The bit below makes the last position less than the first if no other is set.
    last = 30 &- ((UInt32(ordered) &<< 1 | 1).leadingZeroBitCount)
    rest &= rest &- 1
    rest &= rest &- 1
    isFlat = rest & (rest &- 1) == 0
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

/// For each mask of the first eight levels in raster order, the mask of their positions in zigzag order.
private let zigzagBitsOfUpperRows: InlineArray<256, UInt16> = [
  0x0000, 0x0001, 0x0002, 0x0003, 0x0020, 0x0021, 0x0022, 0x0023, 0x0040, 0x0041, 0x0042, 0x0043,
  0x0060, 0x0061, 0x0062, 0x0063, 0x0004, 0x0005, 0x0006, 0x0007, 0x0024, 0x0025, 0x0026, 0x0027,
  0x0044, 0x0045, 0x0046, 0x0047, 0x0064, 0x0065, 0x0066, 0x0067, 0x0010, 0x0011, 0x0012, 0x0013,
  0x0030, 0x0031, 0x0032, 0x0033, 0x0050, 0x0051, 0x0052, 0x0053, 0x0070, 0x0071, 0x0072, 0x0073,
  0x0014, 0x0015, 0x0016, 0x0017, 0x0034, 0x0035, 0x0036, 0x0037, 0x0054, 0x0055, 0x0056, 0x0057,
  0x0074, 0x0075, 0x0076, 0x0077, 0x0080, 0x0081, 0x0082, 0x0083, 0x00A0, 0x00A1, 0x00A2, 0x00A3,
  0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00E0, 0x00E1, 0x00E2, 0x00E3, 0x0084, 0x0085, 0x0086, 0x0087,
  0x00A4, 0x00A5, 0x00A6, 0x00A7, 0x00C4, 0x00C5, 0x00C6, 0x00C7, 0x00E4, 0x00E5, 0x00E6, 0x00E7,
  0x0090, 0x0091, 0x0092, 0x0093, 0x00B0, 0x00B1, 0x00B2, 0x00B3, 0x00D0, 0x00D1, 0x00D2, 0x00D3,
  0x00F0, 0x00F1, 0x00F2, 0x00F3, 0x0094, 0x0095, 0x0096, 0x0097, 0x00B4, 0x00B5, 0x00B6, 0x00B7,
  0x00D4, 0x00D5, 0x00D6, 0x00D7, 0x00F4, 0x00F5, 0x00F6, 0x00F7, 0x1000, 0x1001, 0x1002, 0x1003,
  0x1020, 0x1021, 0x1022, 0x1023, 0x1040, 0x1041, 0x1042, 0x1043, 0x1060, 0x1061, 0x1062, 0x1063,
  0x1004, 0x1005, 0x1006, 0x1007, 0x1024, 0x1025, 0x1026, 0x1027, 0x1044, 0x1045, 0x1046, 0x1047,
  0x1064, 0x1065, 0x1066, 0x1067, 0x1010, 0x1011, 0x1012, 0x1013, 0x1030, 0x1031, 0x1032, 0x1033,
  0x1050, 0x1051, 0x1052, 0x1053, 0x1070, 0x1071, 0x1072, 0x1073, 0x1014, 0x1015, 0x1016, 0x1017,
  0x1034, 0x1035, 0x1036, 0x1037, 0x1054, 0x1055, 0x1056, 0x1057, 0x1074, 0x1075, 0x1076, 0x1077,
  0x1080, 0x1081, 0x1082, 0x1083, 0x10A0, 0x10A1, 0x10A2, 0x10A3, 0x10C0, 0x10C1, 0x10C2, 0x10C3,
  0x10E0, 0x10E1, 0x10E2, 0x10E3, 0x1084, 0x1085, 0x1086, 0x1087, 0x10A4, 0x10A5, 0x10A6, 0x10A7,
  0x10C4, 0x10C5, 0x10C6, 0x10C7, 0x10E4, 0x10E5, 0x10E6, 0x10E7, 0x1090, 0x1091, 0x1092, 0x1093,
  0x10B0, 0x10B1, 0x10B2, 0x10B3, 0x10D0, 0x10D1, 0x10D2, 0x10D3, 0x10F0, 0x10F1, 0x10F2, 0x10F3,
  0x1094, 0x1095, 0x1096, 0x1097, 0x10B4, 0x10B5, 0x10B6, 0x10B7, 0x10D4, 0x10D5, 0x10D6, 0x10D7,
  0x10F4, 0x10F5, 0x10F6, 0x10F7,
]

/// The same for the last eight levels.
private let zigzagBitsOfLowerRows: InlineArray<256, UInt16> = [
  0x0000, 0x0008, 0x0100, 0x0108, 0x0800, 0x0808, 0x0900, 0x0908, 0x2000, 0x2008, 0x2100, 0x2108,
  0x2800, 0x2808, 0x2900, 0x2908, 0x0200, 0x0208, 0x0300, 0x0308, 0x0A00, 0x0A08, 0x0B00, 0x0B08,
  0x2200, 0x2208, 0x2300, 0x2308, 0x2A00, 0x2A08, 0x2B00, 0x2B08, 0x0400, 0x0408, 0x0500, 0x0508,
  0x0C00, 0x0C08, 0x0D00, 0x0D08, 0x2400, 0x2408, 0x2500, 0x2508, 0x2C00, 0x2C08, 0x2D00, 0x2D08,
  0x0600, 0x0608, 0x0700, 0x0708, 0x0E00, 0x0E08, 0x0F00, 0x0F08, 0x2600, 0x2608, 0x2700, 0x2708,
  0x2E00, 0x2E08, 0x2F00, 0x2F08, 0x4000, 0x4008, 0x4100, 0x4108, 0x4800, 0x4808, 0x4900, 0x4908,
  0x6000, 0x6008, 0x6100, 0x6108, 0x6800, 0x6808, 0x6900, 0x6908, 0x4200, 0x4208, 0x4300, 0x4308,
  0x4A00, 0x4A08, 0x4B00, 0x4B08, 0x6200, 0x6208, 0x6300, 0x6308, 0x6A00, 0x6A08, 0x6B00, 0x6B08,
  0x4400, 0x4408, 0x4500, 0x4508, 0x4C00, 0x4C08, 0x4D00, 0x4D08, 0x6400, 0x6408, 0x6500, 0x6508,
  0x6C00, 0x6C08, 0x6D00, 0x6D08, 0x4600, 0x4608, 0x4700, 0x4708, 0x4E00, 0x4E08, 0x4F00, 0x4F08,
  0x6600, 0x6608, 0x6700, 0x6708, 0x6E00, 0x6E08, 0x6F00, 0x6F08, 0x8000, 0x8008, 0x8100, 0x8108,
  0x8800, 0x8808, 0x8900, 0x8908, 0xA000, 0xA008, 0xA100, 0xA108, 0xA800, 0xA808, 0xA900, 0xA908,
  0x8200, 0x8208, 0x8300, 0x8308, 0x8A00, 0x8A08, 0x8B00, 0x8B08, 0xA200, 0xA208, 0xA300, 0xA308,
  0xAA00, 0xAA08, 0xAB00, 0xAB08, 0x8400, 0x8408, 0x8500, 0x8508, 0x8C00, 0x8C08, 0x8D00, 0x8D08,
  0xA400, 0xA408, 0xA500, 0xA508, 0xAC00, 0xAC08, 0xAD00, 0xAD08, 0x8600, 0x8608, 0x8700, 0x8708,
  0x8E00, 0x8E08, 0x8F00, 0x8F08, 0xA600, 0xA608, 0xA700, 0xA708, 0xAE00, 0xAE08, 0xAF00, 0xAF08,
  0xC000, 0xC008, 0xC100, 0xC108, 0xC800, 0xC808, 0xC900, 0xC908, 0xE000, 0xE008, 0xE100, 0xE108,
  0xE800, 0xE808, 0xE900, 0xE908, 0xC200, 0xC208, 0xC300, 0xC308, 0xCA00, 0xCA08, 0xCB00, 0xCB08,
  0xE200, 0xE208, 0xE300, 0xE308, 0xEA00, 0xEA08, 0xEB00, 0xEB08, 0xC400, 0xC408, 0xC500, 0xC508,
  0xCC00, 0xCC08, 0xCD00, 0xCD08, 0xE400, 0xE408, 0xE500, 0xE508, 0xEC00, 0xEC08, 0xED00, 0xED08,
  0xC600, 0xC608, 0xC700, 0xC708, 0xCE00, 0xCE08, 0xCF00, 0xCF08, 0xE600, 0xE608, 0xE700, 0xE708,
  0xEE00, 0xEE08, 0xEF00, 0xEF08,
]
