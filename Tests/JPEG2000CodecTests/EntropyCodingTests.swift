// The MQ decoder and tag trees, against encoders that follow the definitions.

import JPEG2000Codec
import TestSupport
import Testing

/// The MQ encoder (ITU-T T.800, C.2), with the registers of the flow charts.
private struct MQEncoder {
  private var bytes: [UInt8] = [0]
  private var code: UInt32 = 0
  private var interval: UInt32 = 0x8000
  private var count = 12
  private var states = [Int](repeating: 0, count: 19)
  private var symbols = [UInt32](repeating: 0, count: 19)

  init() {
    states[0] = 4
    states[17] = 3
    states[18] = 46
  }

  mutating func encode(_ symbol: UInt32, _ context: Int) {
    let row = ProbabilityStates.rows[states[context]]
    interval -= row.probability
    if symbol == symbols[context] {
      if interval & 0x8000 != 0 {
        code += row.probability
        return
      }
      if interval < row.probability { interval = row.probability } else { code += row.probability }
      states[context] = Int(row.nextMore)
    } else {
      if interval < row.probability { code += row.probability } else { interval = row.probability }
      if row.exchanges == 1 { symbols[context] = 1 - symbols[context] }
      states[context] = Int(row.nextLess)
    }
    repeat {
      interval <<= 1
      code <<= 1
      count -= 1
      if count == 0 { writeByte() }
    } while interval & 0x8000 == 0
  }

  private mutating func writeByte() {
    if bytes[bytes.count - 1] != 0xFF, code >= 0x800_0000 {
      bytes[bytes.count - 1] += 1
      code &= 0x7FF_FFFF
    }
    if bytes[bytes.count - 1] == 0xFF {
      bytes.append(UInt8(truncatingIfNeeded: code >> 20))
      code &= 0xFFFFF
      count = 7
    } else {
      bytes.append(UInt8(truncatingIfNeeded: code >> 19))
      code &= 0x7FFFF
      count = 8
    }
  }

  mutating func finish() -> [UInt8] {
    let limit = code + interval
    code |= 0xFFFF
    if code >= limit { code -= 0x8000 }
    for _ in 0..<2 {
      code <<= UInt32(count)
      writeByte()
    }
    return Array(bytes.dropFirst())
  }
}

@Suite struct EntropyCodingTests {
  @Test func symbolsAreRestored() {
    for seed: UInt64 in 1...20 {
      var random = TestRandom(seed)
      let symbols = (0..<3000).map { _ in
        let context = Int.random(in: 0..<19, using: &random)
        return (symbol: UInt32(Int.random(in: 0..<20, using: &random) < context ? 1 : 0), context: context)
      }
      var encoder = MQEncoder()
      for entry in symbols { encoder.encode(entry.symbol, entry.context) }
      let bytes = encoder.finish()
      var decoder = MQDecoder()
      decoder.start(bytes.span, 0..<bytes.count)
      let states = ProbabilityStates.packed
      let decoded = symbols.map { decoder.decode($0.context, bytes.span, states.span) }
      #expect(decoded == symbols.map { $0.symbol })
    }
  }

  /// The states that table C.2 states for the start and the end of its two chains, and the sum of its probabilities.
  @Test func probabilityStatesAreThoseOfTheStandard() {
    let rows = ProbabilityStates.rows
    #expect(rows.count == 47)
    #expect(rows[0] == (0x5601, 1, 1, 1))
    #expect(rows[6] == (0x5601, 7, 6, 1))
    #expect(rows[14] == (0x5601, 15, 14, 1))
    #expect(rows[45] == (0x0001, 45, 43, 0))
    #expect(rows[46] == (0x5601, 46, 46, 0))
    #expect(rows.allSatisfy { $0.nextMore < 47 && $0.nextLess < 47 })
  }

  /// A tag tree with all numbers of its levels, from the leaves: a node is the smallest of its four children.
  private func levels(_ leaves: [[Int]]) -> [[[Int]]] {
    var levels = [leaves]
    while let last = levels.last, last.count > 1 || last[0].count > 1 {
      var next = [[Int]](
        repeating: [Int](repeating: .max, count: (last[0].count + 1) / 2), count: (last.count + 1) / 2)
      for (y, row) in last.enumerated() {
        for (x, value) in row.enumerated() { next[y / 2][x / 2] = min(next[y / 2][x / 2], value) }
      }
      levels.append(next)
    }
    return levels
  }

  @Test func tagTreesAreRestored() {
    var random = TestRandom(3)
    for (width, height) in [(1, 1), (2, 2), (5, 3), (1, 7), (9, 8)] {
      let leaves = (0..<height).map { _ in (0..<width).map { _ in Int.random(in: 0..<6, using: &random) } }
      let tree = levels(leaves)
      // Bits of a depth-first encoder: for each node its excess over its parent in unary, unless it was written before.
      var bits: [UInt8] = []
      var written: Set<[Int]> = []
      for y in 0..<height {
        for x in 0..<width {
          var bound = 0
          for level in tree.indices.reversed() {
            let value = tree[level][y >> level][x >> level]
            if written.insert([level, y >> level, x >> level]).inserted {
              bits += [UInt8](repeating: 0, count: value - bound) + [1]
            }
            bound = value
          }
        }
      }
      var bytes: [UInt8] = []
      var position = 0
      while position < bits.count {
        let count = bytes.last == 0xFF ? 7 : 8
        let part = bits[position..<min(position + count, bits.count)]
        var byte: UInt8 = 0
        for bit in part { byte = byte << 1 | bit }
        bytes.append(byte << UInt8(count - part.count))
        position += count
      }
      var decoded = TagTree(width: width, height: height)
      var reader = PacketBitReader(at: 0)
      for y in 0..<height {
        for x in 0..<width {
          var threshold: UInt16 = 1
          while !decoded.isLess(than: threshold, x: x, y: y, &reader, bytes.span), threshold < 10 { threshold += 1 }
          #expect(Int(threshold) - 1 == leaves[y][x])
        }
      }
      #expect(!reader.isExhausted)
    }
  }
}
