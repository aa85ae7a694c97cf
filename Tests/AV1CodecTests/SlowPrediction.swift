// Intra prediction as section 7.11 of the specification defines it, one sample at a time.

import AV1Codec

/// The neighbours of a block by index, from −16 on.
struct SlowEdge {
  var samples: [Int]

  subscript(index: Int) -> Int { samples[index + 16] }
}

/// A block that is predicted from its neighbours.
struct SlowPrediction {
  let width: Int
  let height: Int
  let above: SlowEdge
  let left: SlowEdge

  private func block(_ sample: (_ i: Int, _ j: Int) -> Int) -> [[Int]] {
    (0..<height).map { i in (0..<width).map { j in sample(i, j) } }
  }

  private func round(_ value: Int, _ shift: Int) -> Int { (value + 1 << (shift - 1)) >> shift }

  /// Sections 7.11.2.6: the interpolations of columns, of rows or of both.
  func smooth(_ directions: SmoothDirections) -> [[Int]] {
    let weights = (0..<128).map { Int(smoothWeights[$0]) }
    func vertical(_ i: Int, _ j: Int) -> Int {
      weights[height + i] * above[j] + (256 - weights[height + i]) * left[height - 1]
    }
    func horizontal(_ i: Int, _ j: Int) -> Int {
      weights[width + j] * left[i] + (256 - weights[width + j]) * above[width - 1]
    }
    return block { i, j in
      switch directions {
      case .vertical: round(vertical(i, j), 8)
      case .horizontal: round(horizontal(i, j), 8)
      case .both: round(vertical(i, j) + horizontal(i, j), 9)
      }
    }
  }

  /// Section 7.11.2.2.
  func paeth() -> [[Int]] {
    block { i, j in
      let base = above[j] + left[i] - above[-1]
      let (toLeft, toTop, toCorner) = (abs(base - left[i]), abs(base - above[j]), abs(base - above[-1]))
      if toLeft <= toTop && toLeft <= toCorner { return left[i] }
      return toTop <= toCorner ? above[j] : above[-1]
    }
  }

  /// Section 7.11.2.3.
  func recursive(mode: Int, maximum: Int) -> [[Int]] {
    var result = [[Int]](repeating: [Int](repeating: 0, count: width), count: height)
    func sample(_ i: Int, _ j: Int) -> Int { i < 0 ? above[j] : j < 0 ? left[i] : result[i][j] }
    for i2 in 0..<height / 2 {
      for j4 in 0..<width / 4 {
        let neighbours =
          (0..<5).map { sample(i2 * 2 - 1, j4 * 4 + $0 - 1) } + (0..<2).map { sample(i2 * 2 + $0, j4 * 4 - 1) }
        for position in 0..<8 {
          let sum = (0..<7).reduce(0) { $0 + Int(filterTaps[mode * 56 + position * 7 + $1]) * neighbours[$1] }
          let value = sum < 0 ? -round(-sum, 4) : round(sum, 4)
          result[i2 * 2 + position / 4][j4 * 4 + position % 4] = min(max(value, 0), maximum)
        }
      }
    }
    return result
  }

  private func interpolated(_ edge: SlowEdge, _ base: Int, _ shift: Int) -> Int {
    round(edge[base] * (32 - shift) + edge[base + 1] * shift, 5)
  }

  /// Section 7.11.2.4, angles less than 90 degrees.
  func fromAbove(dx: Int, upsamples: Bool) -> [[Int]] {
    let scale = upsamples ? 1 : 0
    return block { i, j in
      let idx = (i + 1) * dx
      let base = idx >> (6 - scale) + j << scale
      let last = (width + height - 1) << scale
      return base < last ? interpolated(above, base, (idx << scale) >> 1 & 31) : above[last]
    }
  }

  /// Angles greater than 180 degrees.
  func fromLeft(dy: Int, upsamples: Bool) -> [[Int]] {
    let scale = upsamples ? 1 : 0
    return block { i, j in
      let idx = (j + 1) * dy
      let base = idx >> (6 - scale) + i << scale
      let last = (width + height - 1) << scale
      return base < last ? interpolated(left, base, (idx << scale) >> 1 & 31) : left[last]
    }
  }

  /// Angles between 90 and 180 degrees.
  func fromBoth(dx: Int, dy: Int, upsamplesAbove: Bool, upsamplesLeft: Bool) -> [[Int]] {
    let (scaleX, scaleY) = (upsamplesAbove ? 1 : 0, upsamplesLeft ? 1 : 0)
    return block { i, j in
      let idx = j << 6 - (i + 1) * dx
      if idx >> (6 - scaleX) >= -1 << scaleX {
        return interpolated(above, idx >> (6 - scaleX), (idx << scaleX) >> 1 & 31)
      }
      let side = i << 6 - (j + 1) * dy
      return interpolated(left, side >> (6 - scaleY), (side << scaleY) >> 1 & 31)
    }
  }
}

/// Section 7.11.5: the luma of a block of chroma, in eighths, less its mean.
func slowLuma(
  _ luma: [[Int]], width: Int, height: Int, shiftX: Int, shiftY: Int, columns: Int, rows: Int
) -> [[Int]] {
  let sums = (0..<height).map { i in
    (0..<width).map { j in
      let (y, x) = (min(i, rows - 1) << shiftY, min(j, columns - 1) << shiftX)
      var sum = 0
      for dy in 0...shiftY {
        for dx in 0...shiftX { sum += luma[y + dy][x + dx] }
      }
      return sum << (3 - shiftX - shiftY)
    }
  }
  let count = width * height
  let mean = (sums.joined().reduce(0, +) + count / 2) / count
  return sums.map { $0.map { $0 - mean } }
}
