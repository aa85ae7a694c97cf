// The number of bits that a histogram's symbols will need, together with the prefix code that they need themselves.

/// The estimated cost of coding a histogram with a prefix code.
struct SymbolEntropy {
  private var sumOfProducts: Float = 0
  private var sum: UInt32 = 0
  private var largest: UInt32 = 0
  private var nonzeroCount = 0
  // Runs of equal counts longer than three, and the number of symbols in shorter runs: of zeros and of others.
  private var longRuns: (zero: Int, other: Int) = (0, 0)
  private var longRunSymbols: (zero: Int, other: Int) = (0, 0)
  private var shortRunSymbols: (zero: Int, other: Int) = (0, 0)

  /// - Parameter count: returns the count of each of `size` symbols.
  @inline(__always)
  init(size: Int, _ products: Span<Float>, _ count: (Int) -> UInt32) {
    var index = 0
    while index < size {
      let value = count(index)
      let start = index
      repeat { index &+= 1 } while index < size && count(index) == value
      add(value, runLength: index &- start, products)
    }
  }

  @inline(__always)
  private mutating func add(_ value: UInt32, runLength: Int, _ products: Span<Float>) {
    if value != 0 {
      sum &+= value &* UInt32(truncatingIfNeeded: runLength)
      nonzeroCount &+= runLength
      sumOfProducts += logarithmicProduct(value, products) * Float(runLength)
      largest = max(largest, value)
      if runLength > 3 {
        longRuns.other &+= 1
        longRunSymbols.other &+= runLength
      } else {
        shortRunSymbols.other &+= runLength
      }
    } else if runLength > 3 {
      longRuns.zero &+= 1
      longRunSymbols.zero &+= runLength
    } else {
      shortRunSymbols.zero &+= runLength
    }
  }

  /// The bits of the symbols. The entropy is a poor estimate if there are few of them, because a code has whole bits.
  @inline(__always)
  func symbolBits(_ products: Span<Float>) -> Float {
    if nonzeroCount <= 1 { return 0 }
    let entropy = logarithmicProduct(sum, products) - sumOfProducts
    let total = Float(sum)
    let weight: Float
    switch nonzeroCount {
    case 2: return 0.99 * total + 0.01 * entropy
    case 3: weight = 0.95
    case 4: weight = 0.7
    default: weight = 0.627
    }
    let floor = weight * (2 * total - Float(largest)) + (1 - weight) * entropy
    return max(entropy, floor)
  }

  /// The bits of the code lengths, by what runs cost on average.
  @inline(__always)
  var codeBits: Float {
    47.9 + Float(longRuns.zero) * 1.5625 + 0.234375 * Float(longRunSymbols.zero) + Float(longRuns.other) * 2.578125
      + 0.703125 * Float(longRunSymbols.other) + 1.796875 * Float(shortRunSymbols.zero)
      + 3.28125 * Float(shortRunSymbols.other)
  }

  /// The bits of the symbols and of the code lengths.
  @inline(__always)
  func bits(_ products: Span<Float>) -> Float { symbolBits(products) + codeBits }
}
