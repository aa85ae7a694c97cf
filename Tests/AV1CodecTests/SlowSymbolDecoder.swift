// The symbol decoder as section 8.2 of the specification defines it, bit by bit.

struct SlowSymbolDecoder {
  private let bytes: [UInt8]
  private var position = 0
  private var value = 0
  private var range = 1 << 15
  private(set) var maximumBitCount: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    maximumBitCount = 8 * bytes.count - 15
    let count = min(bytes.count * 8, 15)
    value = (1 << 15 - 1) ^ (read(count) << (15 - count))
  }

  private mutating func read(_ count: Int) -> Int {
    var result = 0
    for _ in 0..<count {
      result = result << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return result
  }

  /// - Parameter cdf: N values, the last one 32768, and a counter.
  mutating func decode(_ cdf: inout [Int], adapts: Bool) -> Int {
    let count = cdf.count - 1
    var current = range
    var previous = range
    var symbol = -1
    repeat {
      symbol += 1
      previous = current
      let f = 1 << 15 - cdf[symbol]
      current = ((range >> 8) * (f >> 6)) >> 1 + 4 * (count - symbol - 1)
    } while value < current
    range = previous - current
    value -= current
    var bits = 0
    while range << bits < 1 << 15 { bits += 1 }
    range <<= bits
    let newBitCount = min(bits, max(0, maximumBitCount))
    let data = read(newBitCount) << (bits - newBitCount)
    value = data ^ ((value + 1) << bits - 1)
    maximumBitCount -= bits
    if adapts { adapt(&cdf, symbol) }
    return symbol
  }

  private func adapt(_ cdf: inout [Int], _ symbol: Int) {
    let count = cdf.count - 1
    let rate = 3 + (cdf[count] > 15 ? 1 : 0) + (cdf[count] > 31 ? 1 : 0) + (count < 4 ? 1 : 2)
    for index in 0..<count - 1 {
      if index < symbol {
        cdf[index] -= cdf[index] >> rate
      } else {
        cdf[index] += (1 << 15 - cdf[index]) >> rate
      }
    }
    if cdf[count] < 32 { cdf[count] += 1 }
  }

  mutating func decodeLiteral(_ count: Int) -> Int {
    var result = 0
    for _ in 0..<count {
      var even = [1 << 14, 1 << 15, 0]
      result = result << 1 | decode(&even, adapts: false)
    }
    return result
  }
}
