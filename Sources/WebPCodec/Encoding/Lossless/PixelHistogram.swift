// The frequencies of the symbols of one entropy group: five alphabets (RFC 9649, section 3.7.1).

/// The layout of the counts of the five alphabets in one array.
struct HistogramLayout: Hashable, Sendable {
  /// The number of symbols of green, lengths and the colour cache.
  let greenCount: Int

  static let lengthCount = 24
  static let distanceCount = 40

  init(cacheBits: Int) {
    greenCount = 256 + Self.lengthCount + (cacheBits > 0 ? 1 << cacheBits : 0)
  }

  var red: Int { greenCount }
  var blue: Int { greenCount + 256 }
  var alpha: Int { greenCount + 512 }
  var distance: Int { greenCount + 768 }
  /// The number of counts of a histogram.
  var count: Int { greenCount + 768 + Self.distanceCount }

  /// The ranges of the alphabets: green, red, blue, alpha, distance, which is the order of the codes in the stream.
  var parts: [Range<Int>] {
    [0..<red, red..<blue, blue..<alpha, alpha..<distance, distance..<count]
  }
}

/// Counts the symbols of a token.
@inline(__always)
func countSymbols(
  of token: PixelToken, in counts: inout MutableSpan<UInt32>, at base: Int, _ layout: HistogramLayout,
  _ distances: PlaneDistances
) {
  if token.isLiteral {
    let pixel = token.value
    counts[base &+ Int(truncatingIfNeeded: pixel &>> 8 & 0xFF)] &+= 1
    counts[base &+ layout.red &+ Int(truncatingIfNeeded: pixel &>> 16 & 0xFF)] &+= 1
    counts[base &+ layout.blue &+ Int(truncatingIfNeeded: pixel & 0xFF)] &+= 1
    counts[base &+ layout.alpha &+ Int(truncatingIfNeeded: pixel &>> 24)] &+= 1
  } else if token.isCached {
    counts[base &+ 256 &+ HistogramLayout.lengthCount &+ Int(token.value)] &+= 1
  } else {
    counts[base &+ 256 &+ PrefixValue(token.pixelCount).symbol] &+= 1
    counts[base &+ layout.distance &+ PrefixValue(distances.code(Int(token.value))).symbol] &+= 1
  }
}

/// The number of bits of all extra bits in a histogram.
func extraBitCount(_ counts: Span<UInt32>, _ layout: HistogramLayout) -> Int {
  var sum = 0
  for symbol in 4..<HistogramLayout.lengthCount {
    sum += Int(counts[256 + symbol]) * PrefixValue.extraBitCount(of: symbol)
  }
  for symbol in 4..<HistogramLayout.distanceCount {
    sum += Int(counts[layout.distance + symbol]) * PrefixValue.extraBitCount(of: symbol)
  }
  return sum
}

/// The estimated bits of everything in a histogram, codes included.
func estimatedBits(_ counts: Span<UInt32>, _ layout: HistogramLayout) -> Float {
  let table = BinaryLogarithms.shared.products
  let products = table.span
  var sum = Float(extraBitCount(counts, layout))
  for part in layout.parts {
    let entropy = SymbolEntropy(size: part.count, products) { counts[part.lowerBound &+ $0] }
    sum += entropy.bits(products)
  }
  return sum
}
