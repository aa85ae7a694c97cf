// Permutations by their Lehmer codes (ISO/IEC 18181-1, F.6.3).

internal import ImageCoding

package enum Permutation {
  /// Reads a permutation of `size` elements, of which the first `skip` remain where they are.
  static func read(
    _ bits: inout BitReader, _ code: borrowing EntropyCode, size: Int, skip: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [Int] {
    var symbols = SymbolReader(&bits, code)
    let elements = try read(&symbols, &bits, code, size: size, skip: skip, budget: &budget)
    try symbols.finish(&bits, code)
    return elements
  }

  /// Reads one of several permutations of a stream. The memory of the elements remains charged.
  static func read(
    _ symbols: inout SymbolReader, _ bits: inout BitReader, _ code: borrowing EntropyCode, size: Int, skip: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) -> [Int] {
    try budget.chargeWork(count: size, unitsEach: 60)
    try budget.allocate(count: size, bytesEach: 24)
    defer { budget.release(size * 16) }
    var lehmer = [Int](repeating: 0, count: size - skip)
    let count = Int(symbols.read(context: context(size), code, &bits) & 0x7FFF_FFFF)
    guard count <= size - skip else { throw bits.error(.malformed, "a permutation is longer than its elements") }
    var previous = 0
    for index in 0..<count {
      let value = Int(symbols.read(context: context(previous), code, &bits) & 0x7FFF_FFFF)
      guard value < size - skip - index else { throw bits.error(.malformed, "a permutation exceeds its elements") }
      lehmer[index] = value
      previous = value
    }
    return Array(0..<skip) + elements(lehmer).map { $0 + skip }
  }

  private static func context(_ value: Int) -> Int {
    // ⌈log2(value + 1)⌉.
    min(7, Int.bitWidth - value.leadingZeroBitCount)
  }

  /// Returns the permutation of a Lehmer code: each digit is the number of smaller unused elements.
  package static func elements(_ lehmer: [Int]) -> [Int] {
    let count = lehmer.count
    // A binary indexed tree of the unused elements.
    var tree = [Int](repeating: 0, count: count + 1)
    for index in stride(from: 1, through: count, by: 1) { tree[index] = index & -index }
    var top = 1
    while top * 2 <= count { top *= 2 }
    var result: [Int] = []
    result.reserveCapacity(count)
    for digit in lehmer {
      var (position, remaining, step) = (0, digit, top)
      while step > 0 {
        let next = position + step
        if next <= count, tree[next] <= remaining {
          position = next
          remaining -= tree[next]
        }
        step >>= 1
      }
      result.append(position)
      var index = position + 1
      while index <= count {
        tree[index] -= 1
        index += index & -index
      }
    }
    return result
  }
}
