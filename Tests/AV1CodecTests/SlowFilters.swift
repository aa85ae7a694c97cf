// In-loop filters as section 7 of the specification defines them, one sample at a time.

/// Section 7.14.6: filters one line across an edge.
///
/// - Parameters:
///   - samples: 8 before the edge, then 8 after it.
///   - length: `filterLen`.
func slowEdgeFilter(
  _ samples: [Int], limit: Int, edgeLimit: Int, threshold: Int, length: Int, bitDepth: Int
) -> [Int] {
  let shift = bitDepth - 8
  func p(_ index: Int) -> Int { samples[7 - index] }
  func q(_ index: Int) -> Int { samples[8 + index] }
  var isFiltered = abs(p(1) - p(0)) <= limit << shift && abs(q(1) - q(0)) <= limit << shift
  isFiltered = isFiltered && abs(p(0) - q(0)) * 2 + abs(p(1) - q(1)) / 2 <= edgeLimit << shift
  if length >= 6 {
    isFiltered = isFiltered && abs(p(2) - p(1)) <= limit << shift && abs(q(2) - q(1)) <= limit << shift
  }
  if length >= 8 {
    isFiltered = isFiltered && abs(p(3) - p(2)) <= limit << shift && abs(q(3) - q(2)) <= limit << shift
  }
  guard isFiltered else { return samples }
  func isFlat(_ range: ClosedRange<Int>) -> Bool {
    range.allSatisfy { abs(p($0) - p(0)) <= 1 << shift && abs(q($0) - q(0)) <= 1 << shift }
  }
  if length >= 6, isFlat(1...(length == 6 ? 2 : 3)) {
    let isWidest = length == 16 && isFlat(4...6)
    let (n, n2, log2) = isWidest ? (6, 1, 4) : length == 6 ? (2, 1, 3) : (3, 0, 3)
    var result = samples
    for i in -n..<n {
      var sum = 0
      for j in -n...n { sum += samples[8 + min(max(i + j, -n - 1), n)] * (abs(j) <= n2 ? 2 : 1) }
      result[8 + i] = (sum + 1 << (log2 - 1)) >> log2
    }
    return result
  }
  let half = 128 << shift
  func limited(_ value: Int) -> Int { min(max(value, -half), half - 1) }
  let hasVariance = abs(p(1) - p(0)) > threshold << shift || abs(q(1) - q(0)) > threshold << shift
  let base = limited((hasVariance ? limited(p(1) - q(1)) : 0) + 3 * (q(0) - p(0)))
  let (first, second) = (limited(base + 4) >> 3, limited(base + 3) >> 3)
  var result = samples
  result[8] = limited(q(0) - half - first) + half
  result[7] = limited(p(0) - half + second) + half
  if !hasVariance {
    let outer = (first + 1) >> 1
    result[9] = limited(q(1) - half - outer) + half
    result[6] = limited(p(1) - half + outer) + half
  }
  return result
}

/// Section 7.15.2: the direction of a square, and its variance.
func slowDirection(_ square: [[Int]], shift: Int) -> (direction: Int, variance: Int) {
  var partial = [[Int]](repeating: [Int](repeating: 0, count: 15), count: 8)
  for i in 0..<8 {
    for j in 0..<8 {
      let x = square[i][j] >> shift - 128
      let lines = [i + j, i + j / 2, i, 3 + i - j / 2, 7 + i - j, 3 - i / 2 + j, j, i / 2 + j]
      for (direction, line) in lines.enumerated() { partial[direction][line] += x }
    }
  }
  let costs = partial.enumerated().map { direction, sums in
    // How many samples each line has.
    var counts = [Int](repeating: 0, count: 15)
    for i in 0..<8 {
      for j in 0..<8 {
        counts[[i + j, i + j / 2, i, 3 + i - j / 2, 7 + i - j, 3 - i / 2 + j, j, i / 2 + j][direction]] += 1
      }
    }
    return zip(sums, counts).reduce(0) { $0 + ($1.1 == 0 ? 0 : $1.0 * $1.0 * 840 / $1.1) }
  }
  var best = 0
  for direction in 1..<8 where costs[direction] > costs[best] { best = direction }
  return (best, (costs[best] - costs[(best + 4) & 7]) >> 10)
}

/// Section 7.15.3: filters a square in the middle of a window of 16 columns, with two rows and columns around it.
func slowEnhancement(
  _ window: [Int?], width: Int, height: Int, primary: Int, secondary: Int, direction: Int, damping: Int, isEven: Bool
) -> [[Int]] {
  let offsets = [
    [(-1, 1), (-2, 2)], [(0, 1), (-1, 2)], [(0, 1), (0, 2)], [(0, 1), (1, 2)], [(1, 1), (2, 2)], [(1, 0), (2, 1)],
    [(1, 0), (2, 0)], [(1, 0), (2, -1)],
  ]
  func constrained(_ difference: Int, _ threshold: Int) -> Int {
    guard threshold > 0 else { return 0 }
    var log2 = 0
    while threshold >> (log2 + 1) > 0 { log2 += 1 }
    let magnitude = min(max(threshold - abs(difference) >> max(0, damping - log2), 0), abs(difference))
    return difference < 0 ? -magnitude : magnitude
  }
  return (0..<height).map { y in
    (0..<width).map { x in
      let center = window[(y + 2) * 16 + x + 2] ?? 0
      var (sum, low, high) = (0, center, center)
      for k in 0..<2 {
        for sign in [-1, 1] {
          for turn in [0, -2, 2] {
            let offset = offsets[(direction + turn) & 7][k]
            guard let value = window[(y + 2 + sign * offset.0) * 16 + x + 2 + sign * offset.1] else { continue }
            let tap = turn == 0 ? (isEven ? [4, 2] : [3, 3])[k] : [2, 1][k]
            sum += tap * constrained(value - center, turn == 0 ? primary : secondary)
            (low, high) = (min(low, value), max(high, value))
          }
        }
      }
      return min(max(center + (8 + sum - (sum < 0 ? 1 : 0)) >> 4, low), high)
    }
  }
}

/// Section 7.17.4.
///
/// - Parameter window: the block and three rows and columns around it.
func slowWiener(_ window: [[Int]], vertical: [Int], horizontal: [Int], bitDepth: Int) -> [[Int]] {
  let (width, height) = (window[0].count - 6, window.count - 6)
  let first = bitDepth == 12 ? 5 : 3
  let offset = 1 << (bitDepth + 6 - first)
  let limit = 1 << (bitDepth + 8 - first) - 1
  let middle = window.map { row in
    (0..<width).map { x in
      let sum = (0..<7).reduce(0) { $0 + row[x + $1] * horizontal[$1] }
      return min(max((sum + 1 << (first - 1)) >> first, -offset), limit - offset)
    }
  }
  return (0..<height).map { y in
    (0..<width).map { x in
      let sum = (0..<7).reduce(0) { $0 + middle[y + $1][x] * vertical[$1] }
      let value = (sum + 1 << (13 - first)) >> (14 - first)
      return min(max(value, 0), 1 << bitDepth - 1)
    }
  }
}

/// Sections 7.17.2 and 7.17.3.
///
/// - Parameters:
///   - window: the block and three rows and columns around it.
///   - parameters: the radius and the strength of both passes.
func slowSelfGuided(_ window: [[Int]], parameters: [Int], w0: Int, w1: Int, bitDepth: Int) -> [[Int]] {
  let (width, height) = (window[0].count - 6, window.count - 6)
  func round(_ value: Int, _ shift: Int) -> Int { shift == 0 ? value : (value + 1 << (shift - 1)) >> shift }
  func box(_ pass: Int) -> [[Int]]? {
    let (r, strength) = (parameters[pass * 2], parameters[pass * 2 + 1])
    guard r > 0 else { return nil }
    let n = (2 * r + 1) * (2 * r + 1)
    let scaled = n * n * strength
    let s = (1 << 20 + scaled / 2) / scaled
    func measure(_ i: Int, _ j: Int) -> (Int, Int) {
      var (a, b) = (0, 0)
      for y in i - r...i + r {
        for x in j - r...j + r {
          a += window[y + 3][x + 3] * window[y + 3][x + 3]
          b += window[y + 3][x + 3]
        }
      }
      let d = round(b, bitDepth - 8)
      let z = round(max(0, round(a, 2 * (bitDepth - 8)) * n - d * d) * s, 20)
      let a2 = z >= 255 ? 256 : z == 0 ? 1 : (z << 8 + z / 2) / (z + 1)
      return (a2, round((256 - a2) * b * ((4096 + n / 2) / n), 12))
    }
    return (0..<height).map { i in
      (0..<width).map { j in
        var (a, b) = (0, 0)
        for dy in -1...1 {
          for dx in -1...1 {
            let weight = pass == 0 ? ((i + dy) & 1 == 1 ? (dx == 0 ? 6 : 5) : 0) : dx == 0 || dy == 0 ? 4 : 3
            guard weight > 0 else { continue }
            let value = measure(i + dy, j + dx)
            a += weight * value.0
            b += weight * value.1
          }
        }
        return round(a * window[i + 3][j + 3] + b, pass == 0 && i & 1 == 1 ? 8 : 9)
      }
    }
  }
  let (first, second) = (box(0), box(1))
  return (0..<height).map { i in
    (0..<width).map { j in
      let u = window[i + 3][j + 3] << 4
      let v = w1 * u + w0 * (first?[i][j] ?? u) + (128 - w0 - w1) * (second?[i][j] ?? u)
      return min(max(round(v, 11), 0), 1 << bitDepth - 1)
    }
  }
}
