// Trellis quantization: the levels of a block with the lowest cost of rate and distortion, by dynamic programming over
// positions with two candidates each.

internal import ImageCoding

/// One candidate level of a coefficient.
private struct TrellisNode {
  var level: Int32 = 0
  /// The candidate of the previous position on the best path.
  var previous = 0
  var score = Int64.max
  /// The context that the level leaves.
  var context = 0
}

private let zigzag: InlineArray<16, UInt8> = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]
/// The weight of the distortion of each frequency.
private let weights: InlineArray<16, Int64> = [30, 27, 19, 11, 27, 24, 17, 10, 19, 17, 12, 8, 11, 10, 8, 6]
/// The increase of each frequency, in units of 1/2048 of a step.
private let sharpening: InlineArray<16, Int32> = [0, 30, 60, 90, 30, 60, 90, 90, 60, 90, 90, 90, 90, 90, 90, 90]

/// Chooses the levels of a block of luma.
///
/// - Parameters:
///   - base: the index of the block in `coefficients` and in `levels`.
///   - kind: the block type: 0 or 3.
///   - multiplier: the weight of rates.
/// - Returns: whether a level is not zero.
func optimizeLevels(
  _ coefficients: Span<Int16>, at base: Int, _ levels: inout [Int16], kind: Int, context: Int,
  _ quantizer: ScalarQuantizer, _ tables: CostTables, multiplier: Int64
) -> Bool {
  let first = kind == 0 ? 1 : 0
  let (levelCosts, ends) = (tables.levels.span, tables.ends.span)
  @inline(__always)
  func place(_ position: Int, _ context: Int) -> Int { (kind &* 17 &+ position) &* 3 &+ context }
  // Coefficients after the last one of half a step remain zero, except for one.
  let threshold = quantizer.others * quantizer.others / 4
  var last = 15
  while last >= first {
    let value = Int32(coefficients[base + Int(zigzag[last])])
    if value * value > threshold { break }
    last -= 1
  }
  last = min(15, last + 1)
  var nodes = InlineArray<32, TrellisNode>(repeating: TrellisNode())
  var best = (score: multiplier * Int64(ends[place(first, context) * 2]), position: -1, node: 0, previous: 0)
  let start = context == 0 ? multiplier * Int64(ends[place(first, context) * 2 + 1]) : 0
  for position in first...max(first, last) where position <= last {
    let index = Int(zigzag[position])
    let isFirst = index == 0
    let step = isFirst ? quantizer.first : quantizer.others
    let coefficient = Int32(coefficients[base + index])
    let magnitude = abs(coefficient) + (sharpening[index] * step) >> 11
    let limit = Int32(PairQuantizer.greatestLevel)
    let lower = min(limit, quantizer.level(magnitude: magnitude, isFirst: isFirst, bias: 0))
    let highest = min(limit, quantizer.level(magnitude: magnitude, isFirst: isFirst, bias: 128))
    for candidate in 0..<2 {
      let level = lower + Int32(candidate)
      var node = TrellisNode(level: level, context: Int(min(level, 2)))
      guard level <= highest else {
        nodes[position * 2 + candidate] = node
        continue
      }
      let error = Int64(magnitude - level * step)
      let distortion = weights[index] * (error * error - Int64(magnitude) * Int64(magnitude))
      for previous in 0..<2 {
        let from = position == first ? start : nodes[(position - 1) * 2 + previous].score
        if from == .max || (position == first && previous > 0) { continue }
        let before = position == first ? context : nodes[(position - 1) * 2 + previous].context
        let cost = levelCost(Int(level), at: place(position, before), levelCosts, tables.fixed)
        let score = from + multiplier * cost + 256 * distortion
        if score < node.score {
          node.score = score
          node.previous = previous
        }
      }
      nodes[position * 2 + candidate] = node
      guard level != 0, node.score != .max else { continue }
      let end = position < 15 ? Int64(ends[place(position + 1, node.context) * 2]) : 0
      let score = node.score + multiplier * end
      if score < best.score { best = (score, position, candidate, node.previous) }
    }
  }
  for position in 0..<16 { levels[base + position] = 0 }
  guard best.position >= 0 else { return false }
  var (position, candidate) = (best.position, best.node)
  while position >= first {
    let node = nodes[position * 2 + candidate]
    let index = Int(zigzag[position])
    levels[base + index] = Int16(truncatingIfNeeded: coefficients[base + index] < 0 ? 0 - node.level : node.level)
    candidate = node.previous
    position -= 1
  }
  return true
}

@inline(__always)
private func levelCost(_ level: Int, at place: Int, _ costs: Span<UInt16>, _ fixed: [UInt16]) -> Int64 {
  let count = TokenModel.levelCount
  if level < count { return Int64(costs[place * count + level]) }
  return Int64(costs[place * count + count - 1]) + Int64(fixed[level]) - Int64(fixed[count - 1])
}
