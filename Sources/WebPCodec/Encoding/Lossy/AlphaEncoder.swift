// The alpha plane of a lossy image: quantized on request, filtered, and stored as the green samples of a VP8L image
// (RFC 9649, section 2.7.1.2).

internal import ImageCoding

/// Encodes alpha planes.
struct AlphaEncoder: Sendable {
  /// 0 … 100; 100 is exact.
  let quality: Int
  /// 0 … 9.
  let effort: Int
  let parallelism: Int

  private enum Filter: Int, CaseIterable {
    case none, horizontal, vertical, gradient
  }

  /// Returns the payload of an ALPH chunk, which the budget then holds.
  func encode(
    _ picture: EncodablePicture, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let (width, height) = (picture.size.width, picture.size.height)
    let heldByteCount = budget.heldByteCount
    // The plane and its filtered form, and the latter as pixels.
    try budget.allocate(count: width * height, bytesEach: 6)
    var plane = picture.pixels.map { UInt8(truncatingIfNeeded: $0 >> 24) }
    if quality < 100 { quantize(&plane) }
    // Of which each filter takes a few units, and the streams charge theirs.
    try budget.chargeWorkInParts(count: plane.count, unitsEach: 20)
    let candidates = try filters(plane, width: width, budget.interruption)
    let values = plane
    let results = try parallelResults(count: candidates.count, parallelism: parallelism, &budget) {
      index, budget throws(CodecError) in
      let differences = Self.filtered(values, candidates[index], width: width, height: height)
      let encoder = LosslessEncoder(effort: LosslessEffort(level: effort))
      var pixels = differences.map { 0xFF00_0000 | UInt32($0) << 8 }
      let stream = try encoder.encodeStream(&pixels, width: width, height: height, &budget)
      // Noise is stored as it is.
      let isCompressed = stream.count < differences.count
      let header = UInt8(candidates[index].rawValue << 2 | (isCompressed ? 1 : 0))
      let preprocessing: UInt8 = quality < 100 ? 1 << 4 : 0
      return [header | preprocessing] + (isCompressed ? stream : differences)
    }
    let best = results.min { $0.count < $1.count } ?? []
    budget.settle(heldByteCount: heldByteCount + best.count)
    return best
  }

  /// Returns the filters that are worth a try: none for few levels, and otherwise the one with the smallest entropy.
  private func filters(_ plane: [UInt8], width: Int, _ interruption: Interruption) throws(CodecError) -> [Filter] {
    var used = [Bool](repeating: false, count: 256)
    for value in plane { used[Int(value)] = true }
    let levelCount = used.reduce(0) { $0 + ($1 ? 1 : 0) }
    if levelCount <= 1 { return [.none] }
    if effort >= 8 { return Filter.allCases }
    // With few levels a palette is better.
    let best = try leastEntropy(plane, width: width, interruption)
    if levelCount <= 16 { return effort >= 6 ? [.none, best].filter { $0 != .none } + [.none] : [.none] }
    return best == .none ? [.none] : [best, .none]
  }

  /// Returns the filter whose differences have the smallest entropy.
  private func leastEntropy(
    _ plane: [UInt8], width: Int, _ interruption: Interruption
  ) throws(CodecError) -> Filter {
    let table = BinaryLogarithms.shared.products
    let height = plane.count / width
    var best = (filter: Filter.none, bits: Float.infinity)
    for filter in Filter.allCases {
      try interruption.check()
      let differences = Self.filtered(plane, filter, width: width, height: height)
      var counts = [UInt32](repeating: 0, count: 256)
      for value in differences { counts[Int(value)] += 1 }
      let span = counts.span
      let products = table.span
      let bits = SymbolEntropy(size: 256, products) { span[$0] }.symbolBits(products)
      if bits < best.bits { best = (filter, bits) }
    }
    return best.filter
  }

  /// Returns the differences that a filter leaves.
  private static func filtered(_ plane: [UInt8], _ filter: Filter, width: Int, height: Int) -> [UInt8] {
    guard filter != .none else { return plane }
    let input = plane.span
    var result = plane
    var output = result.mutableSpan
    for y in 0..<height {
      let start = y * width
      for x in 0..<width {
        let index = start &+ x
        let prediction: UInt8
        if y == 0 {
          prediction = x == 0 ? 0 : input[index &- 1]
        } else if x == 0 {
          prediction = input[index &- width]
        } else {
          switch filter {
          case .none: prediction = 0
          case .horizontal: prediction = input[index &- 1]
          case .vertical: prediction = input[index &- width]
          case .gradient:
            let sum = Int(input[index &- 1]) &+ Int(input[index &- width]) &- Int(input[index &- width &- 1])
            prediction = UInt8(min(max(sum, 0), 255))
          }
        }
        output[index] = input[index] &- prediction
      }
    }
    return result
  }

  /// Reduces the number of levels. The lowest and the highest level stay.
  private func quantize(_ plane: inout [UInt8]) {
    // As libwebp: up to 70 the number of levels grows slowly, then quickly.
    let levelCount = quality <= 70 ? 2 + quality / 5 : 16 + (quality - 70) * 8
    var counts = [Int](repeating: 0, count: 256)
    for value in plane { counts[Int(value)] += 1 }
    let low = counts.firstIndex { $0 > 0 } ?? 0
    let high = counts.lastIndex { $0 > 0 } ?? 0
    guard counts.filter({ $0 > 0 }).count > levelCount else { return }
    var centers = (0..<levelCount).map { Double(low) + Double((high - low) * $0) / Double(levelCount - 1) }
    var assignment = [Int](repeating: 0, count: 256)
    for _ in 0..<6 {
      var sums = [Double](repeating: 0, count: levelCount)
      var totals = sums
      var level = 0
      for value in low...high {
        while level + 1 < levelCount, Double(2 * value) > centers[level] + centers[level + 1] { level += 1 }
        assignment[value] = level
        sums[level] += Double(value * counts[value])
        totals[level] += Double(counts[value])
      }
      for level in 1..<max(1, levelCount - 1) where totals[level] > 0 { centers[level] = sums[level] / totals[level] }
    }
    let map = (0..<256).map { UInt8(min(max(centers[assignment[$0]].rounded(), 0), 255)) }
    for index in plane.indices { plane[index] = map[Int(plane[index])] }
  }
}
