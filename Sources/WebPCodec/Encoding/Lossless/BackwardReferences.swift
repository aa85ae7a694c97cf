// Parsing: pixels become literals and copies, without regard to what symbols cost.

internal import ImageCoding

/// Returns copies of the longest matches, of which each is cut where another one reaches farther.
func longestMatchTokens(_ pixels: Span<UInt32>, width: Int, _ matches: MatchTable) -> PixelParse {
  let shortest = 4
  var parse = PixelParse.Builder(pixelCount: pixels.count, width: width)
  var lastChecked = -1
  while parse.index < pixels.count {
    let index = parse.index
    var length = matches.length(at: index)
    guard length >= shortest else {
      parse.appendLiteral()
      continue
    }
    let lastStart = min(pixels.count - 1, index &+ length)
    lastChecked = max(lastChecked, index)
    var reach = 0
    var start = lastChecked &+ 1
    while start <= lastStart {
      let nextLength = matches.length(at: start)
      let end = start &+ (nextLength >= shortest ? nextLength : 1)
      if end > reach {
        length = start &- index
        reach = end
        if reach >= pixels.count { break }
      }
      start &+= 1
    }
    if length > 1 {
      parse.appendCopy(length: length, from: .match)
    } else {
      parse.appendLiteral()
    }
  }
  return parse.finish()
}

/// Returns copies of the pixels to the left and above only, which leaves few distances to code.
func runLengthTokens(_ pixels: Span<UInt32>, width: Int) -> PixelParse {
  let shortest = 4
  var parse = PixelParse.Builder(pixelCount: pixels.count, width: width)
  parse.appendLiteral()
  while parse.index < pixels.count {
    let index = parse.index
    let limit = min(pixels.count - index, MatchTable.greatestLength)
    let left = matchLength(pixels, index, index &- 1, limit: limit)
    let above = index < width ? 0 : matchLength(pixels, index, index &- width, limit: limit)
    if left >= above, left >= shortest {
      parse.appendCopy(length: left, from: .left)
    } else if above >= shortest {
      parse.appendCopy(length: above, from: .above)
    } else {
      parse.appendLiteral()
    }
  }
  return parse.finish()
}

/// Counts all symbols of an image.
func histogram(
  _ parse: PixelParse, _ pixels: Span<UInt32>, _ matches: MatchTable, _ distances: PlaneDistances
) -> [UInt32] {
  let layout = HistogramLayout(cacheBits: parse.cacheBits)
  var counts = [UInt32](repeating: 0, count: layout.count)
  var span = counts.mutableSpan
  let words = parse.words.span
  var index = 0
  while index < words.count {
    let token = parse.token(at: index, words, pixels, matches)
    countSymbols(of: token, in: &span, at: 0, layout, distances)
    index &+= token.pixelCount
  }
  return counts
}

// MARK: Colour cache

/// Returns the size of the colour cache, as a binary logarithm, with which an image is estimated to be smallest; 0 for no
/// cache.
///
/// - Parameter greatestBits: the greatest result, at most 10.
func bestCacheBits(
  _ parse: PixelParse, _ pixels: Span<UInt32>, _ matches: MatchTable, greatestBits: Int, _ distances: PlaneDistances,
  _ budget: inout ResourceBudget
) throws(CodecError) -> Int {
  guard greatestBits > 0 else { return 0 }
  let layouts = (0...greatestBits).map { HistogramLayout(cacheBits: $0) }
  // The counts of all sizes, and the pixels of all caches, one after another.
  let bases = layouts.indices.map { layouts[..<$0].reduce(0) { $0 + $1.count } }
  var counts = [UInt32](repeating: 0, count: layouts.reduce(0) { $0 + $1.count })
  var caches = [UInt32](repeating: 0, count: 2 << greatestBits)
  var span = counts.mutableSpan
  var places = caches.mutableSpan
  let starts = bases.span
  let plans = layouts.span
  let words = parse.words.span
  var index = 0
  var chargedCount = 0
  while index < words.count {
    let token = parse.token(at: index, words, pixels, matches)
    if index >= chargedCount {
      try budget.chargeWork(count: index - chargedCount + 4096, unitsEach: 5 * greatestBits)
      chargedCount = index + 4096
    }
    if token.isLiteral {
      let pixel = token.value
      countSymbols(of: token, in: &span, at: 0, plans[0], distances)
      let hash = pixel &* 0x1E35_A7BD
      var bits = greatestBits
      while bits > 0 {
        let key = Int(truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: 32 &- bits))
        // The cache of b bits has the places from 2ᵇ on.
        let place = 1 &<< bits | key
        if places[place] == pixel {
          span[starts[bits] &+ 256 &+ HistogramLayout.lengthCount &+ key] &+= 1
        } else {
          places[place] = pixel
          countSymbols(of: token, in: &span, at: starts[bits], plans[bits], distances)
        }
        bits &-= 1
      }
      index &+= 1
    } else {
      countSymbols(of: token, in: &span, at: 0, plans[0], distances)
      let end = index &+ token.pixelCount
      var previous = ~pixels[index]
      while index < end {
        let pixel = pixels[index]
        index &+= 1
        if pixel == previous { continue }
        previous = pixel
        let hash = pixel &* 0x1E35_A7BD
        var bits = greatestBits
        while bits > 0 {
          places[1 &<< bits | Int(truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: 32 &- bits))] = pixel
          bits &-= 1
        }
      }
    }
  }
  // The copies are the same with every size.
  for bits in 1...greatestBits {
    for symbol in 256..<256 + HistogramLayout.lengthCount { span[starts[bits] + symbol] = span[symbol] }
    for symbol in 0..<HistogramLayout.distanceCount {
      span[starts[bits] + plans[bits].distance + symbol] = span[plans[0].distance + symbol]
    }
  }
  var best = (bits: 0, cost: Float.infinity)
  for bits in 0...greatestBits {
    let cost = estimatedBits(span.span.extracting(starts[bits]..<starts[bits] + plans[bits].count), plans[bits])
    if cost < best.cost { best = (bits, cost) }
  }
  return best.bits
}
