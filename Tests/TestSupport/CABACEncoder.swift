// The arithmetic encoder of H.264 (section 9.3.4.2) and H.265 (section 9.3.4.7), bit by bit, with tables independent of
// the decoders'.

/// Encodes bins.
package struct CABACEncoder {
  package private(set) var bytes: [UInt8] = []
  package private(set) var initialModels: [Int]
  /// Twice the state of each model plus its more probable symbol.
  package var models: [Int]
  private var low = 0
  private var range = 510
  private var outstandingCount = 0
  private var isFirstBit = true
  private var partialByte = 0
  private var partialCount = 0

  /// - Parameter models: twice the state plus the more probable symbol.
  package init(models: [Int]) {
    self.models = models
    initialModels = models
  }

  /// Models in various states.
  package init(modelCount: Int, qp: Int) {
    self.init(models: (0..<modelCount).map { ($0 * 17 + qp) % 124 })
  }

  package mutating func setModel(_ value: Int, at index: Int) { models[index] = value }

  package mutating func encode(_ bin: Int, model: Int) {
    let (state, symbol) = (models[model] >> 1, models[model] & 1)
    let size = Self.rangeTable[state * 4 + (range >> 6 & 3)]
    range -= size
    if bin == symbol {
      models[model] = min(state + 1, 62) << 1 | symbol
    } else {
      low += range
      range = size
      models[model] = Self.nextStates[state] << 1 | (state == 0 ? 1 - symbol : symbol)
    }
    renormalize()
  }

  package mutating func encodeBypass(_ bin: Int) {
    low <<= 1
    if bin == 1 { low += range }
    if low >= 1024 {
      put(1)
      low -= 1024
    } else if low < 512 {
      put(0)
    } else {
      low -= 512
      outstandingCount += 1
    }
  }

  package mutating func encodeRemaining(_ value: Int, rice: Int) {
    let prefix = value >> rice
    if prefix < 4 {
      for _ in 0..<prefix { encodeBypass(1) }
      encodeBypass(0)
      for bit in (0..<rice).reversed() { encodeBypass(value >> bit & 1) }
      return
    }
    // An Exp-Golomb code of order rice + 1 of what exceeds four times the step.
    var rest = value - 4 << rice
    for _ in 0..<4 { encodeBypass(1) }
    var order = rice + 1
    while rest >= 1 << order {
      encodeBypass(1)
      rest -= 1 << order
      order += 1
    }
    encodeBypass(0)
    for bit in (0..<order).reversed() { encodeBypass(rest >> bit & 1) }
  }

  package mutating func encodeTerminate(_ isEnd: Bool) {
    range -= 2
    if isEnd {
      low += range
      range = 2
      renormalize()
      put(low >> 9 & 1)
      write(low >> 8 & 1)
      write(1)
    } else {
      renormalize()
    }
  }

  /// Fills the last byte with zeros after the end.
  package mutating func finish() {
    while partialCount > 0 { write(0) }
  }

  /// Appends whole bytes after the end and starts again.
  package mutating func restart(after content: [UInt8] = []) {
    finish()
    bytes += content
    (low, range, outstandingCount, isFirstBit) = (0, 510, 0, true)
  }

  private mutating func renormalize() {
    while range < 256 {
      if low < 256 {
        put(0)
      } else if low >= 512 {
        low -= 512
        put(1)
      } else {
        low -= 256
        outstandingCount += 1
      }
      range <<= 1
      low <<= 1
    }
  }

  private mutating func put(_ bit: Int) {
    if isFirstBit { isFirstBit = false } else { write(bit) }
    while outstandingCount > 0 {
      write(1 - bit)
      outstandingCount -= 1
    }
  }

  private mutating func write(_ bit: Int) {
    partialByte = partialByte << 1 | bit
    partialCount += 1
    if partialCount == 8 {
      bytes.append(UInt8(partialByte))
      (partialByte, partialCount) = (0, 0)
    }
  }

  /// `rangeTabLps`.
  private static let rangeTable: [Int] = [
    128, 176, 208, 240, 128, 167, 197, 227, 128, 158, 187, 216, 123, 150, 178, 205, 116, 142, 169, 195, 111, 135, 160,
    185, 105, 128, 152, 175, 100, 122, 144, 166, 95, 116, 137, 158, 90, 110, 130, 150, 85, 104, 123, 142, 81, 99, 117,
    135, 77, 94, 111, 128, 73, 89, 105, 122, 69, 85, 100, 116, 66, 80, 95, 110, 62, 76, 90, 104, 59, 72, 86, 99, 56, 69,
    81, 94, 53, 65, 77, 89, 51, 62, 73, 85, 48, 59, 69, 80, 46, 56, 66, 76, 43, 53, 63, 72, 41, 50, 59, 69, 39, 48, 56,
    65, 37, 45, 54, 62, 35, 43, 51, 59, 33, 41, 48, 56, 32, 39, 46, 53, 30, 37, 43, 50, 29, 35, 41, 48, 27, 33, 39, 45,
    26, 31, 37, 43, 24, 30, 35, 41, 23, 28, 33, 39, 22, 27, 32, 37, 21, 26, 30, 35, 20, 24, 29, 33, 19, 23, 27, 31, 18,
    22, 26, 30, 17, 21, 25, 28, 16, 20, 23, 27, 15, 19, 22, 25, 14, 18, 21, 24, 14, 17, 20, 23, 13, 16, 19, 22, 12, 15,
    18, 21, 12, 14, 17, 20, 11, 14, 16, 19, 11, 13, 15, 18, 10, 12, 15, 17, 10, 12, 14, 16, 9, 11, 13, 15, 9, 11, 12,
    14, 8, 10, 12, 14, 8, 9, 11, 13, 7, 9, 11, 12, 7, 9, 10, 12, 7, 8, 10, 11, 6, 8, 9, 11, 6, 7, 9, 10, 6, 7, 8, 9, 2,
    2, 2, 2,
  ]

  /// `transIdxLps`.
  private static let nextStates: [Int] = [
    0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12, 13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22, 23, 24,
    24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33, 33, 33, 34, 34, 35, 35, 35, 36, 36, 36, 37, 37, 37,
    38, 38, 63,
  ]
}
