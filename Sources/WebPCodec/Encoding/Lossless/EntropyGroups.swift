// Entropy groups: which blocks of an image share prefix codes (RFC 9649, section 3.7.2.2).

internal import ImageCoding

/// The assignment of blocks to groups, and the histogram of each group.
struct EntropyGroups {
  /// The binary logarithm of the size of blocks.
  let blockBits: Int
  let layout: HistogramLayout
  /// The group of each block.
  private(set) var groups: [UInt16]
  /// The counts of all groups, one histogram after another.
  private(set) var counts: [UInt32]

  var groupCount: Int { counts.count / layout.count }

  /// The counts of one group.
  func histogram(_ group: Int) -> Range<Int> { group * layout.count..<(group + 1) * layout.count }

  /// The effort that is spent on the grouping of blocks.
  struct Effort {
    /// The greatest number of groups by place, and of groups by entropy, before all are merged.
    var seedCount: Int
    /// The number of times that blocks are assigned to the group that suits them best.
    var iterationCount: Int
  }

  /// Groups the blocks of an image.
  init(
    _ parse: PixelParse, _ pixels: Span<UInt32>, _ matches: MatchTable, width: Int, height: Int, blockBits: Int,
    effort: Effort, _ distances: PlaneDistances, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.blockBits = blockBits
    layout = HistogramLayout(cacheBits: parse.cacheBits)
    let columns = InverseTransforms.blockCount(width, bits: blockBits)
    let blockCount = columns * InverseTransforms.blockCount(height, bits: blockBits)
    let heldByteCount = budget.heldByteCount
    defer { budget.release(budget.heldByteCount - heldByteCount) }
    try budget.allocate(count: blockCount, bytesEach: layout.count * 4)
    let dense = BlockHistograms.counts(
      parse, pixels, matches, width: width, blockBits: blockBits, columns: columns, count: blockCount, layout, distances
    )
    guard blockCount > 1 else {
      (groups, counts) = ([0], dense)
      return
    }
    var blocks = try BlockHistograms(dense, count: blockCount, layout, &budget)
    let perBlock = effort.seedCount * (blocks.entries.count / blockCount + 1)
    try budget.chargeWorkInParts(count: blockCount, unitsEach: perBlock * (effort.iterationCount + 1))
    let interruption = budget.interruption
    // Blocks that are near each other are often alike, and so are blocks of equal entropies.
    blocks.groups = blocks.seedsByEntropy(effort.seedCount)
    let first = blocks.sums()
    blocks.groups = blocks.seedsByPlace(effort.seedCount, columns: columns)
    try blocks.assign(to: first + blocks.sums(), interruption)
    for _ in 1..<max(1, effort.iterationCount) {
      let sums = blocks.sums()
      try blocks.assign(to: sums, interruption)
    }
    var sums = blocks.sums()
    try budget.chargeWork(count: sums.count, unitsEach: 2 * effort.seedCount)
    blocks.merge(&sums)
    try blocks.assign(to: sums, interruption)
    counts = blocks.sums()
    groups = blocks.groups
  }
}

/// The sparse histograms of all blocks.
private struct BlockHistograms {
  let layout: HistogramLayout
  /// The symbols that occur: the index in the layout in the upper half, the count in the lower.
  var entries: [UInt64] = []
  /// The end of the entries of each block.
  var ends: [Int] = []
  var groups: [UInt16]

  /// Returns the counts of all blocks, one histogram after another.
  static func counts(
    _ parse: PixelParse, _ pixels: Span<UInt32>, _ matches: MatchTable, width: Int, blockBits: Int, columns: Int,
    count: Int, _ layout: HistogramLayout, _ distances: PlaneDistances
  ) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: count * layout.count)
    var span = counts.mutableSpan
    let words = parse.words.span
    var index = 0
    var (x, y) = (0, 0)
    while index < words.count {
      let token = parse.token(at: index, words, pixels, matches)
      index &+= token.pixelCount
      let block = (y &>> blockBits) &* columns &+ x &>> blockBits
      countSymbols(of: token, in: &span, at: block &* layout.count, layout, distances)
      x &+= token.pixelCount
      while x >= width {
        x &-= width
        y &+= 1
      }
    }
    return counts
  }

  init(
    _ counts: [UInt32], count: Int, _ layout: HistogramLayout, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.layout = layout
    groups = [UInt16](repeating: 0, count: count)
    let filled = counts.span
    var entryCount = 0
    for index in filled.indices where filled[index] != 0 { entryCount &+= 1 }
    try budget.allocate(count: entryCount, bytesEach: MemoryLayout<UInt64>.stride)
    var (entries, ends): ([UInt64], [Int]) = ([], [])
    entries.reserveCapacity(entryCount)
    ends.reserveCapacity(count)
    for block in 0..<count {
      let base = block &* layout.count
      for index in 0..<layout.count where filled[base &+ index] != 0 {
        entries.append(UInt64(index) << 32 | UInt64(filled[base &+ index]))
      }
      ends.append(entries.count)
    }
    self.entries = entries
    self.ends = ends
  }

  private func entries(of block: Int) -> Range<Int> { (block == 0 ? 0 : ends[block - 1])..<ends[block] }

  /// Returns first groups: the blocks of regions of the image.
  func seedsByPlace(_ count: Int, columns: Int) -> [UInt16] {
    let rows = groups.count / columns
    var side = 1
    while (side + 1) * (side + 1) <= count { side += 1 }
    let (across, down) = (min(side, columns), min(side, rows))
    return groups.indices.map { block in
      UInt16(block / columns * down / rows * across + block % columns * across / columns)
    }
  }

  /// Returns first groups: blocks alike in the entropies of green, red and blue.
  func seedsByEntropy(_ count: Int) -> [UInt16] {
    let levels = count > 64 ? 6 : 4
    let table = BinaryLogarithms.shared.products
    let products = table.span
    var entropies = [[Float]](repeating: [], count: 3)
    for block in ends.indices {
      var sums = [3 of UInt32](repeating: 0)
      var logs = [3 of Float](repeating: 0)
      for entry in entries(of: block) {
        let index = Int(truncatingIfNeeded: entries[entry] >> 32)
        let value = UInt32(truncatingIfNeeded: entries[entry])
        guard index < layout.alpha else { continue }
        let part = index < layout.red ? 0 : index < layout.blue ? 1 : 2
        sums[part] &+= value
        logs[part] += logarithmicProduct(value, products)
      }
      for part in 0..<3 { entropies[part].append(logarithmicProduct(sums[part], products) - logs[part]) }
    }
    var bins = [Int](repeating: 0, count: ends.count)
    for values in entropies {
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      let scale = high > low ? (Float(levels) - 0.001) / (high - low) : 0
      for block in bins.indices { bins[block] = bins[block] * levels + Int((values[block] - low) * scale) }
    }
    // Numbers the bins that are used.
    var numbers: [Int: UInt16] = [:]
    return bins.map { bin in
      if let number = numbers[bin] { return number }
      let number = UInt16(numbers.count)
      numbers[bin] = number
      return number
    }
  }

  /// Returns the counts of all groups, whose numbers become consecutive.
  mutating func sums() -> [UInt32] {
    var numbers: [UInt16: UInt16] = [:]
    for block in groups.indices {
      let group = groups[block]
      let number = numbers[group] ?? UInt16(numbers.count)
      numbers[group] = number
      groups[block] = number
    }
    var sums = [UInt32](repeating: 0, count: numbers.count * layout.count)
    var span = sums.mutableSpan
    for block in groups.indices {
      let base = Int(groups[block]) &* layout.count
      for entry in entries(of: block) {
        let index = Int(truncatingIfNeeded: entries[entry] >> 32)
        span[base &+ index] &+= UInt32(truncatingIfNeeded: entries[entry])
      }
    }
    return sums
  }

  /// Assigns every block to the group whose code would code it in the fewest bits.
  mutating func assign(to sums: [UInt32], _ interruption: Interruption) throws(CodecError) {
    let costs = costs(sums)
    let bits = costs.span
    let groupCount = sums.count / layout.count
    let entries = entries
    let pairs = entries.span
    var groups = groups
    for block in groups.indices {
      // Few blocks have entries for more than a thousand symbols.
      try interruption.check(row: block, width: groupCount &* 64)
      let range = self.entries(of: block)
      guard !range.isEmpty else {
        // A block without symbols: a copy covers it.
        if block > 0 { groups[block] = groups[block - 1] }
        continue
      }
      var best = (group: 0, cost: Float.infinity)
      for group in 0..<groupCount {
        let base = group &* layout.count
        var cost: Float = 0
        var entry = range.lowerBound
        while entry < range.upperBound {
          let pair = pairs[entry]
          cost += bits[base &+ Int(truncatingIfNeeded: pair &>> 32)] * Float(UInt32(truncatingIfNeeded: pair))
          entry &+= 1
        }
        if cost < best.cost { best = (group, cost) }
      }
      groups[block] = UInt16(best.group)
    }
    self.groups = groups
  }

  /// Returns the bits of every symbol in every group.
  private func costs(_ sums: [UInt32]) -> [Float] {
    let table = BinaryLogarithms.shared.products
    let products = table.span
    let span = sums.span
    var costs = [Float](repeating: 0, count: sums.count)
    var output = costs.mutableSpan
    for group in 0..<sums.count / layout.count {
      let base = group * layout.count
      for part in layout.parts {
        var sum: UInt32 = 0
        for index in part { sum &+= span[base &+ index] }
        // A quarter of an occurrence more for every symbol: a group of few symbols must not look cheap for all others.
        let total = logarithm(sum &* 4 &+ UInt32(part.count), products)
        for index in part {
          output[base &+ index] = total - logarithm(span[base &+ index] &* 4 &+ 1, products)
        }
      }
    }
    return costs
  }

  @inline(__always)
  private func logarithm(_ value: UInt32, _ products: Span<Float>) -> Float {
    logarithmicProduct(value, products) / Float(value)
  }

  /// Merges groups as long as that saves bits.
  mutating func merge(_ sums: inout [UInt32]) {
    let size = layout.count
    var costs = (0..<sums.count / size).map { estimatedCost(sums.span, $0 * size, nil) }
    var isAlive = [Bool](repeating: true, count: costs.count)
    var targets = Array(costs.indices)
    // The saving of each pair; a group is merged into one of a lower number.
    var savings: [Float] = []
    for second in costs.indices {
      for first in 0..<second {
        savings.append(costs[first] + costs[second] - estimatedCost(sums.span, first * size, second * size))
      }
    }
    func place(_ a: Int, _ b: Int) -> Int { max(a, b) * (max(a, b) - 1) / 2 + min(a, b) }
    while true {
      var best = (saving: 0 as Float, first: 0, second: 0)
      for second in costs.indices where isAlive[second] {
        for first in 0..<second where isAlive[first] && savings[place(first, second)] > best.saving {
          best = (savings[place(first, second)], first, second)
        }
      }
      guard best.saving > 0 else { break }
      for index in 0..<size { sums[best.first * size + index] &+= sums[best.second * size + index] }
      isAlive[best.second] = false
      targets[best.second] = best.first
      costs[best.first] = estimatedCost(sums.span, best.first * size, nil)
      for other in costs.indices where isAlive[other] && other != best.first {
        savings[place(best.first, other)] =
          costs[best.first] + costs[other] - estimatedCost(sums.span, best.first * size, other * size)
      }
    }
    for block in groups.indices {
      var group = Int(groups[block])
      while targets[group] != group { group = targets[group] }
      groups[block] = UInt16(group)
    }
    sums = self.sums()
  }

  /// Returns the bits of one histogram, or of the sum of two.
  private func estimatedCost(_ sums: Span<UInt32>, _ first: Int, _ second: Int?) -> Float {
    let table = BinaryLogarithms.shared.products
    let products = table.span
    var bits: Float = 0
    for part in layout.parts {
      let start = first &+ part.lowerBound
      if let second {
        let other = second &+ part.lowerBound
        bits += SymbolEntropy(size: part.count, products) { sums[start &+ $0] &+ sums[other &+ $0] }.bits(products)
      } else {
        bits += SymbolEntropy(size: part.count, products) { sums[start &+ $0] }.bits(products)
      }
    }
    return bits
  }
}
