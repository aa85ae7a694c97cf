// Prefix codes from histograms: code lengths of limited size, and the codes themselves (RFC 9649, section 3.7.2).

/// Returns the lengths of an optimal prefix code, 0 for symbols that do not occur. If only one symbol occurs, its length
/// is 1.
///
/// - Parameter limit: the greatest length.
package func prefixCodeLengths(of counts: Span<UInt32>, limit: Int) -> [UInt8] {
  var lengths = [UInt8](repeating: 0, count: counts.count)
  var symbols: [Int] = []
  for index in counts.indices where counts[index] != 0 { symbols.append(index) }
  guard symbols.count > 1 else {
    if let only = symbols.first { lengths[only] = 1 }
    return lengths
  }
  // With a higher floor the rarest symbols get shorter codes, until all are short enough.
  var floor: UInt32 = 1
  while !assignLengths(symbols, counts, floor: floor, limit: limit, &lengths) { floor &*= 2 }
  return lengths
}

/// Assigns the lengths of Huffman's code, and returns whether they are within the limit.
private func assignLengths(
  _ symbols: [Int], _ counts: Span<UInt32>, floor: UInt32, limit: Int, _ lengths: inout [UInt8]
) -> Bool {
  let leafCount = symbols.count
  let leaves = symbols.map { UInt64(max(counts[$0], floor)) << 16 | UInt64($0) }.sorted()
  // Leaves in ascending order, followed by inner nodes, which are created in ascending order too.
  var weights = leaves.map { $0 >> 16 }
  var parents = [Int](repeating: 0, count: 2 * leafCount - 1)
  weights.reserveCapacity(2 * leafCount - 1)
  var (nextLeaf, nextInner) = (0, leafCount)
  while weights.count < 2 * leafCount - 1 {
    var sum: UInt64 = 0
    for _ in 0..<2 {
      let takesLeaf = nextInner >= weights.count || (nextLeaf < leafCount && weights[nextLeaf] <= weights[nextInner])
      let node = takesLeaf ? nextLeaf : nextInner
      if takesLeaf { nextLeaf += 1 } else { nextInner += 1 }
      sum += weights[node]
      parents[node] = weights.count
    }
    weights.append(sum)
  }
  var depths = [Int](repeating: 0, count: 2 * leafCount - 1)
  var deepest = 0
  for node in (0..<2 * leafCount - 2).reversed() {
    depths[node] = depths[parents[node]] + 1
    deepest = max(deepest, depths[node])
  }
  guard deepest <= limit else { return false }
  for (node, leaf) in leaves.enumerated() { lengths[Int(leaf & 0xFFFF)] = UInt8(depths[node]) }
  return true
}

/// Returns the canonical codes of lengths, with their first bit lowest, as they are written.
package func canonicalPrefixCodes(_ lengths: Span<UInt8>) -> [UInt16] {
  var histogram = [16 of UInt32](repeating: 0)
  for index in lengths.indices { histogram[Int(lengths[index])] += 1 }
  histogram[0] = 0
  var next = [17 of UInt32](repeating: 0)
  for length in 1..<16 { next[length + 1] = (next[length] + histogram[length]) << 1 }
  var codes = [UInt16](repeating: 0, count: lengths.count)
  for index in lengths.indices where lengths[index] > 0 {
    let length = Int(lengths[index])
    // Codes of a length start at twice the end of those that are shorter by one.
    codes[index] = reversed(next[length], bitCount: length)
    next[length] += 1
  }
  return codes
}

private func reversed(_ code: UInt32, bitCount: Int) -> UInt16 {
  var (code, result): (UInt32, UInt32) = (code, 0)
  for _ in 0..<bitCount {
    result = result << 1 | code & 1
    code >>= 1
  }
  return UInt16(truncatingIfNeeded: result)
}

/// Replaces counts by similar ones whose code lengths form longer runs, which are cheaper to store.
func smoothForRuns(_ counts: inout MutableSpan<UInt32>) {
  var length = counts.count
  while length > 0, counts[length - 1] == 0 { length -= 1 }
  guard length > 0 else { return }
  // Runs that are already long enough stay as they are.
  var isKept = [Bool](repeating: false, count: length + 1)
  var start = 0
  while start < length {
    var end = start + 1
    while end < length, counts[end] == counts[start] { end += 1 }
    if end - start >= (counts[start] == 0 ? 5 : 7) { for index in start..<end { isKept[index] = true } }
    start = end
  }
  var stride = 0
  var sum: UInt32 = 0
  var average = counts[0]
  for index in 0...length {
    let isNear =
      index < length && (counts[index] > average ? counts[index] - average : average - counts[index]) < 4
    if !isNear || isKept[index] || (index > 0 && isKept[index - 1]) {
      if stride >= 4 || (stride >= 3 && sum == 0) {
        let mean = sum == 0 ? 0 : max(1, (sum + UInt32(stride) / 2) / UInt32(stride))
        for place in index - stride..<index { counts[place] = mean }
      }
      (stride, sum) = (0, 0)
      if index < length - 3 {
        average = (counts[index] + counts[index + 1] + counts[index + 2] + counts[index + 3] + 2) / 4
      } else {
        average = index < length ? counts[index] : 0
      }
    }
    stride += 1
    if index < length {
      sum += counts[index]
      if stride >= 4 { average = (sum + UInt32(stride) / 2) / UInt32(stride) }
    }
  }
}
