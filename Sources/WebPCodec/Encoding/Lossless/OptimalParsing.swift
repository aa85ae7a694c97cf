// Parsing by cost: the cheapest sequence of literals and copies, given what symbols cost in a first parse.

internal import ImageCoding

/// The bits of every symbol, estimated from a histogram.
private struct SymbolCosts {
  /// Fixed-point numbers with 8 fractional bits.
  let green: [Int64]
  let red: [Int64]
  let blue: [Int64]
  let alpha: [Int64]
  /// The bits of distances by symbol, with the extra bits.
  let distance: [Int64]
  /// The bits of lengths up to the greatest one, with the extra bits.
  let lengths: [Int64]

  init(_ counts: [UInt32], _ layout: HistogramLayout) {
    let table = BinaryLogarithms.shared.products
    func costs(_ part: Range<Int>) -> [Int64] {
      let span = counts.span
      let products = table.span
      let sum = part.reduce(0 as UInt32) { $0 &+ span[$1] }
      let nonzeroCount = part.reduce(0) { $0 + (span[$1] > 0 ? 1 : 0) }
      if nonzeroCount <= 1 { return [Int64](repeating: 0, count: part.count) }
      let total = logarithmicProduct(sum, products) / Float(sum)
      return part.map { index in
        let count = span[index]
        let bits = count == 0 ? total : total - logarithmicProduct(count, products) / Float(count)
        return Int64(bits * 256)
      }
    }
    green = costs(0..<layout.red)
    red = costs(layout.red..<layout.blue)
    blue = costs(layout.blue..<layout.alpha)
    alpha = costs(layout.alpha..<layout.distance)
    distance = costs(layout.distance..<layout.count).enumerated().map { symbol, cost in
      cost + Int64(PrefixValue.extraBitCount(of: symbol) * 256)
    }
    var lengths: [Int64] = [0]
    for length in 1...MatchTable.greatestLength {
      let value = PrefixValue(length)
      lengths.append(green[256 + value.symbol] + Int64(value.extraBitCount * 256))
    }
    self.lengths = lengths
  }
}

/// The cheapest way to every pixel that has been found so far, for a window of pixels.
private struct PathWindow {
  private var costs: [Int64]
  private static let size = 8192
  private static let mask = size - 1

  init() {
    costs = [Int64](repeating: .max, count: Self.size)
    costs[0] = 0
  }

  /// Returns the cost of a pixel, and makes room for another one.
  @inline(__always)
  mutating func take(_ index: Int) -> Int64 {
    let cost = costs[index & Self.mask]
    costs[index & Self.mask] = .max
    return cost
  }

  @inline(__always)
  mutating func relax(_ index: Int, _ cost: Int64, length: Int, _ lengths: inout MutableSpan<UInt16>) {
    if cost < costs[index & Self.mask] {
      costs[index & Self.mask] = cost
      lengths[index &- 1] = UInt16(truncatingIfNeeded: length)
    }
  }
}

/// Returns the cheapest tokens of an image.
///
/// - Parameters:
///   - counts: the histogram of a first parse with the same colour cache.
///   - matches: the matches that copies are taken from.
func cheapestTokens(
  _ pixels: Span<UInt32>, width: Int, _ matches: MatchTable, _ counts: [UInt32], cacheBits: Int,
  _ distances: PlaneDistances, _ budget: inout ResourceBudget
) throws(CodecError) -> PixelParse {
  let costs = SymbolCosts(counts, HistogramLayout(cacheBits: cacheBits))
  // The number of pixels of the last token on the cheapest way that ends with each pixel.
  var lastLengths = [UInt16](repeating: 1, count: pixels.count)
  try fillLengths(pixels, matches, costs, cacheBits: cacheBits, distances, &lastLengths, &budget)
  var parse = PixelParse(lastLengths: lastLengths, width: width)
  parse.useCache(bits: cacheBits, pixels)
  return parse
}

private func fillLengths(
  _ pixels: Span<UInt32>, _ matches: MatchTable, _ costs: SymbolCosts, cacheBits: Int, _ distances: PlaneDistances,
  _ lastLengths: inout [UInt16], _ budget: inout ResourceBudget
) throws(CodecError) {
  let (green, red, blue, alpha) = (costs.green.span, costs.red.span, costs.blue.span, costs.alpha.span)
  let lengthCosts = costs.lengths.span
  let distanceCosts = costs.distance.span
  var window = PathWindow()
  var cache = ColorCache(bits: max(1, cacheBits))
  var lengths = lastLengths.mutableSpan
  // A copy with the same distance as the one before it is of use only where it reaches farther.
  var previousDistance = 0
  var reach = 0
  var examined = 0
  var charged = 0
  var index = 0
  while index < pixels.count {
    if index & 0xFFF == 0 {
      try budget.chargeWork((examined &- charged) &* 2 &+ 4096 * 20)
      charged = examined
    }
    let cost = window.take(index)
    let pixel = pixels[index]
    var literal =
      green[Int(truncatingIfNeeded: pixel &>> 8 & 0xFF)] &+ red[Int(truncatingIfNeeded: pixel &>> 16 & 0xFF)]
      &+ blue[Int(truncatingIfNeeded: pixel & 0xFF)] &+ alpha[Int(truncatingIfNeeded: pixel &>> 24)]
    // Literals make later copies cheaper, which the costs do not show.
    literal = (literal &* 210) &>> 8
    if cacheBits > 0 {
      let place = cache.index(of: pixel)
      if cache.insert(pixel, at: place) {
        literal = (green[256 &+ HistogramLayout.lengthCount &+ place] &* 174) &>> 8
      }
    }
    window.relax(index &+ 1, cost &+ literal, length: 1, &lengths)
    let length = matches.length(at: index)
    if length > 1 {
      let distance = matches.distance(at: index)
      let end = index &+ length
      var target = index &+ 2
      if distance == previousDistance { target = max(target, reach &+ 1) }
      if target <= end {
        let base = cost &+ distanceCosts[PrefixValue(distances.code(distance)).symbol]
        // Bounds the time for images of which every pixel has another long match.
        if examined > 48 &* (index &+ 65_536) { target = end }
        examined &+= end &- target
        while target <= end {
          window.relax(target, base &+ lengthCosts[target &- index], length: target &- index, &lengths)
          target &+= 1
        }
        reach = max(distance == previousDistance ? reach : 0, end)
        previousDistance = distance
      }
    } else {
      previousDistance = 0
      reach = 0
    }
    index &+= 1
  }
}
