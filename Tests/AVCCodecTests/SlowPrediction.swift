// Prediction as the equations of sections 8.3.1.2, 8.3.2.2, 8.3.3 and 8.3.4 state it, sample by sample.

/// The samples around a block: `p[x, −1]` and `p[−1, y]`.
struct SlowPrediction {
  let size: Int
  private(set) var above: [Int]
  private(set) var left: [Int]
  private(set) var corner: Int
  let hasAbove: Bool
  let hasLeft: Bool
  let hasCorner: Bool
  let bitDepth: Int

  /// - Parameter above: all samples above and at the top right.
  init(
    size: Int, above: [Int]?, aboveRight: [Int]?, left: [Int]?, corner: Int?, bitDepth: Int
  ) {
    self.size = size
    let row = above ?? []
    self.above = row + (aboveRight ?? (row.last.map { [Int](repeating: $0, count: size) } ?? []))
    self.left = left ?? []
    self.corner = corner ?? 0
    (hasAbove, hasLeft, hasCorner, self.bitDepth) = (above != nil, left != nil, corner != nil, bitDepth)
  }

  private func p(_ x: Int, _ y: Int) -> Int { y == -1 ? (x == -1 ? corner : above[x]) : left[y] }

  private func three(_ a: Int, _ b: Int, _ c: Int) -> Int { (a + 2 * b + c + 2) >> 2 }
  private func two(_ a: Int, _ b: Int) -> Int { (a + b + 1) >> 1 }

  /// Section 8.3.2.2.1.
  func filtered() -> SlowPrediction {
    var result = self
    if hasAbove {
      result.above[0] = hasCorner ? three(corner, p(0, -1), p(1, -1)) : (3 * p(0, -1) + p(1, -1) + 2) >> 2
      for x in 1..<15 { result.above[x] = three(p(x - 1, -1), p(x, -1), p(x + 1, -1)) }
      result.above[15] = (p(14, -1) + 3 * p(15, -1) + 2) >> 2
    }
    if hasCorner {
      if !hasAbove || !hasLeft {
        if hasAbove {
          result.corner = (3 * corner + p(0, -1) + 2) >> 2
        } else if hasLeft {
          result.corner = (3 * corner + p(-1, 0) + 2) >> 2
        }
      } else {
        result.corner = three(p(0, -1), corner, p(-1, 0))
      }
    }
    if hasLeft {
      result.left[0] = hasCorner ? three(corner, p(-1, 0), p(-1, 1)) : (3 * p(-1, 0) + p(-1, 1) + 2) >> 2
      for y in 1..<7 { result.left[y] = three(p(-1, y - 1), p(-1, y), p(-1, y + 1)) }
      result.left[7] = (p(-1, 6) + 3 * p(-1, 7) + 2) >> 2
    }
    return result
  }

  /// A sample of a block by the number of its mode.
  func sample(_ mode: Int, _ x: Int, _ y: Int) -> Int {
    let n = size
    switch mode {
    case 0: return p(x, -1)
    case 1: return p(-1, y)
    case 2:
      let samples = (hasAbove ? Array(above[..<n]) : []) + (hasLeft ? left : [])
      return samples.isEmpty
        ? 1 << (bitDepth - 1) : (samples.reduce(0, +) + samples.count / 2) / samples.count
    case 3:
      if x == n - 1, y == n - 1 { return (p(2 * n - 2, -1) + 3 * p(2 * n - 1, -1) + 2) >> 2 }
      return three(p(x + y, -1), p(x + y + 1, -1), p(x + y + 2, -1))
    case 4:
      if x > y { return three(p(x - y - 2, -1), p(x - y - 1, -1), p(x - y, -1)) }
      if x < y { return three(p(-1, y - x - 2), p(-1, y - x - 1), p(-1, y - x)) }
      return three(p(0, -1), p(-1, -1), p(-1, 0))
    case 5:
      let z = 2 * x - y
      if z >= 0, z % 2 == 0 { return two(p(x - (y >> 1) - 1, -1), p(x - (y >> 1), -1)) }
      if z >= 0 { return three(p(x - (y >> 1) - 2, -1), p(x - (y >> 1) - 1, -1), p(x - (y >> 1), -1)) }
      if z == -1 { return three(p(-1, 0), p(-1, -1), p(0, -1)) }
      return three(p(-1, y - 2 * x - 1), p(-1, y - 2 * x - 2), p(-1, y - 2 * x - 3))
    case 6:
      let z = 2 * y - x
      if z >= 0, z % 2 == 0 { return two(p(-1, y - (x >> 1) - 1), p(-1, y - (x >> 1))) }
      if z >= 0 { return three(p(-1, y - (x >> 1) - 2), p(-1, y - (x >> 1) - 1), p(-1, y - (x >> 1))) }
      if z == -1 { return three(p(-1, 0), p(-1, -1), p(0, -1)) }
      return three(p(x - 2 * y - 1, -1), p(x - 2 * y - 2, -1), p(x - 2 * y - 3, -1))
    case 7:
      let first = x + (y >> 1)
      return y % 2 == 0 ? two(p(first, -1), p(first + 1, -1)) : three(p(first, -1), p(first + 1, -1), p(first + 2, -1))
    default:
      let (z, first) = (x + 2 * y, y + (x >> 1))
      if z > 2 * n - 3 { return p(-1, n - 1) }
      if z == 2 * n - 3 { return (p(-1, n - 2) + 3 * p(-1, n - 1) + 2) >> 2 }
      return z % 2 == 0 ? two(p(-1, first), p(-1, first + 1)) : three(p(-1, first), p(-1, first + 1), p(-1, first + 2))
    }
  }
}
