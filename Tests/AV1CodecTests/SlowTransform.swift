// Inverse transforms as section 7.13 of the specification defines them, one value at a time.

import Foundation

struct SlowTransform {
  private var t = [Int](repeating: 0, count: 64)
  private let range: Int

  private init(range: Int) {
    self.range = range
  }

  private static func round(_ value: Int, _ shift: Int) -> Int {
    shift == 0 ? value : (value + 1 << (shift - 1)) >> shift
  }

  /// 4096 times the cosines of angles of π/128.
  private static let cosines = (0..<256).map { Int((4096 * cos(Double($0) * .pi / 128)).rounded()) }

  private static func cosine(_ angle: Int) -> Int { cosines[angle & 255] }

  private static func reversed(_ bitCount: Int, _ value: Int) -> Int {
    (0..<bitCount).reduce(0) { $0 | (value >> $1 & 1) << (bitCount - 1 - $1) }
  }

  private mutating func b(_ a: Int, _ b: Int, _ angle: Int, _ flips: Bool) {
    let (cosine, sine) = (Self.cosine(angle), Self.cosine(angle - 64))
    let x = Self.round(t[a] * cosine - t[b] * sine, 12)
    let y = Self.round(t[a] * sine + t[b] * cosine, 12)
    (t[a], t[b]) = flips ? (y, x) : (x, y)
  }

  private mutating func h(_ a: Int, _ b: Int, _ flips: Bool) {
    let (a, b) = flips ? (b, a) : (a, b)
    let (x, y) = (t[a], t[b])
    let limit = 1 << (range - 1)
    t[a] = min(max(x + y, -limit), limit - 1)
    t[b] = min(max(x - y, -limit), limit - 1)
  }

  /// The cosine transform by its recursion: even inputs form the transform of half the size, odd ones a network.
  private mutating func cosine(_ n: Int) {
    let copy = t
    for i in 0..<1 << n { t[i] = copy[Self.reversed(n, i)] }
    if n == 6 { for i in 0..<16 { b(32 + i, 63 - i, 63 - 4 * Self.reversed(4, i), false) } }
    if n >= 5 { for i in 0..<8 { b(16 + i, 31 - i, 6 + Self.reversed(3, 7 - i) << 3, false) } }
    if n == 6 { for i in 0..<16 { h(32 + i * 2, 33 + i * 2, i & 1 == 1) } }
    if n >= 4 { for i in 0..<4 { b(8 + i, 15 - i, 12 + Self.reversed(2, 3 - i) << 4, false) } }
    if n >= 5 { for i in 0..<8 { h(16 + 2 * i, 17 + 2 * i, i & 1 == 1) } }
    if n == 6 {
      for i in 0..<4 {
        for j in 0..<2 { b(62 - i * 4 - j, 33 + i * 4 + j, 60 - 16 * Self.reversed(2, i) + 64 * j, true) }
      }
    }
    if n >= 3 { for i in 0..<2 { b(4 + i, 7 - i, 56 - 32 * i, false) } }
    if n >= 4 { for i in 0..<4 { h(8 + 2 * i, 9 + 2 * i, i & 1 == 1) } }
    if n >= 5 {
      for i in 0..<2 {
        for j in 0..<2 { b(30 - 4 * i - j, 17 + 4 * i + j, 24 + j << 6 + (1 - i) << 5, true) }
      }
    }
    if n == 6 { for i in 0..<8 { for j in 0..<2 { h(32 + i * 4 + j, 35 + i * 4 - j, i & 1 == 1) } } }
    for i in 0..<2 { b(2 * i, 2 * i + 1, 32 + 16 * i, i == 0) }
    finishCosine(n)
  }

  private mutating func finishCosine(_ n: Int) {
    if n >= 3 { for i in 0..<2 { h(4 + 2 * i, 5 + 2 * i, i == 1) } }
    if n >= 4 { for i in 0..<2 { b(14 - i, 9 + i, 48 + 64 * i, true) } }
    if n >= 5 { for i in 0..<4 { for j in 0..<2 { h(16 + 4 * i + j, 19 + 4 * i - j, i & 1 == 1) } } }
    if n == 6 {
      for i in 0..<2 { for j in 0..<4 { b(61 - i * 8 - j, 34 + i * 8 + j, 56 - i * 32 + (j >> 1) * 64, true) } }
    }
    for i in 0..<2 { h(i, 3 - i, false) }
    if n >= 3 { b(6, 5, 32, true) }
    if n >= 4 { for i in 0..<2 { for j in 0..<2 { h(8 + 4 * i + j, 11 + 4 * i - j, i == 1) } } }
    if n >= 5 { for i in 0..<4 { b(29 - i, 18 + i, 48 + (i >> 1) * 64, true) } }
    if n == 6 { for i in 0..<4 { for j in 0..<4 { h(32 + 8 * i + j, 39 + 8 * i - j, i & 1 == 1) } } }
    if n >= 3 { for i in 0..<4 { h(i, 7 - i, false) } }
    if n >= 4 { for i in 0..<2 { b(13 - i, 10 + i, 32, true) } }
    if n >= 5 { for i in 0..<2 { for j in 0..<4 { h(16 + i * 8 + j, 23 + i * 8 - j, i == 1) } } }
    if n == 6 { for i in 0..<8 { b(59 - i, 36 + i, i < 4 ? 48 : 112, true) } }
    if n >= 4 { for i in 0..<8 { h(i, 15 - i, false) } }
    if n >= 5 { for i in 0..<4 { b(27 - i, 20 + i, 32, true) } }
    if n == 6 {
      for i in 0..<8 {
        h(32 + i, 47 - i, false)
        h(48 + i, 63 - i, true)
      }
    }
    if n >= 5 { for i in 0..<16 { h(i, 31 - i, false) } }
    if n == 6 { for i in 0..<8 { b(55 - i, 40 + i, 32, true) } }
    if n == 6 { for i in 0..<32 { h(i, 63 - i, false) } }
  }

  private mutating func sine4() {
    let s0 = 1321 * t[0] + 3803 * t[2] + 2482 * t[3]
    let s1 = 2482 * t[0] - 1321 * t[2] - 3803 * t[3]
    let s3 = 3344 * t[1]
    let s2 = 3344 * (t[0] - t[2] + t[3])
    t[0] = Self.round(s0 + s3, 12)
    t[1] = Self.round(s1 + s3, 12)
    t[2] = Self.round(s2, 12)
    t[3] = Self.round(s0 + s1 - s3, 12)
  }

  private mutating func sine(_ n: Int) {
    if n == 2 { return sine4() }
    var copy = t
    let count = 1 << n
    for i in 0..<count { t[i] = copy[i & 1 == 1 ? i - 1 : count - i - 1] }
    if n == 3 {
      for i in 0..<4 { b(2 * i, 2 * i + 1, 60 - 16 * i, true) }
      for i in 0..<4 { h(i, 4 + i, false) }
      for i in 0..<2 { b(4 + 3 * i, 5 + i, 48 - 32 * i, true) }
      for i in 0..<2 { for j in 0..<2 { h(4 * j + i, 2 + 4 * j + i, false) } }
      for i in 0..<2 { b(2 + 4 * i, 3 + 4 * i, 32, true) }
    } else {
      for i in 0..<8 { b(2 * i, 2 * i + 1, 62 - 8 * i, true) }
      for i in 0..<8 { h(i, 8 + i, false) }
      for i in 0..<2 {
        b(8 + 2 * i, 9 + 2 * i, 56 - 32 * i, true)
        b(13 + 2 * i, 12 + 2 * i, 8 + 32 * i, true)
      }
      for i in 0..<4 { for j in 0..<2 { h(8 * j + i, 4 + 8 * j + i, false) } }
      for i in 0..<2 { for j in 0..<2 { b(4 + 8 * j + 3 * i, 5 + 8 * j + i, 48 - 32 * i, true) } }
      for i in 0..<2 { for j in 0..<4 { h(4 * j + i, 2 + 4 * j + i, false) } }
      for i in 0..<4 { b(2 + 4 * i, 3 + 4 * i, 32, true) }
    }
    copy = t
    for i in 0..<count {
      let a = i >> 3 & 1
      let b = (i >> 2 ^ i >> 3) & 1
      let c = (i >> 1 ^ i >> 2) & 1
      let d = (i ^ i >> 1) & 1
      let index = (d << 3 | c << 2 | b << 1 | a) >> (4 - n)
      t[i] = i & 1 == 1 ? -copy[index] : copy[index]
    }
  }

  private mutating func identity(_ n: Int) {
    for i in 0..<1 << n {
      switch n {
      case 2: t[i] = Self.round(t[i] * 5793, 12)
      case 3: t[i] *= 2
      case 4: t[i] = Self.round(t[i] * 11586, 12)
      default: t[i] *= 4
      }
    }
  }

  /// The kinds of columns and of rows: 0 cosine, 1 sine, 2 reversed sine, 3 identity, by transform type.
  private static let columnKinds = [0, 1, 0, 1, 2, 0, 2, 1, 2, 3, 0, 3, 1, 3, 2, 3]
  private static let rowKinds = [0, 0, 1, 1, 0, 2, 2, 2, 1, 3, 3, 0, 3, 1, 3, 2]
  private static let rowShifts = [0, 1, 2, 2, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]

  private static func transform(_ values: [Int], _ n: Int, _ kind: Int, range: Int) -> [Int] {
    var line = SlowTransform(range: range)
    for (index, value) in values.enumerated() { line.t[index] = value }
    switch kind {
    case 0: line.cosine(n)
    case 3: line.identity(n)
    default: line.sine(n)
    }
    return Array(line.t.prefix(values.count))
  }

  /// Returns the residuals of a block, row by row.
  ///
  /// - Parameter coefficients: row by row, at most 32 in each of at most 32.
  static func residuals(
    _ coefficients: [[Int]], number: Int, log2Width: Int, log2Height: Int, type: Int, bitDepth: Int
  ) -> [[Int]] {
    let (width, height) = (1 << log2Width, 1 << log2Height)
    var rows: [[Int]] = []
    let limit = 1 << (max(bitDepth + 6, 16) - 1)
    for y in 0..<height {
      var line = (0..<width).map { y < coefficients.count && $0 < coefficients[0].count ? coefficients[y][$0] : 0 }
      if abs(log2Width - log2Height) == 1 { line = line.map { round($0 * 2896, 12) } }
      line = transform(line, log2Width, rowKinds[type], range: bitDepth + 8)
      rows.append(line.map { min(max(round($0, rowShifts[number]), -limit), limit - 1) })
    }
    var result = rows
    for x in 0..<width {
      let column = transform(rows.map { $0[x] }, log2Height, columnKinds[type], range: max(bitDepth + 6, 16))
      for y in 0..<height {
        let target = columnKinds[type] == 2 ? height - 1 - y : y
        result[target][x] = round(column[y], 4)
      }
    }
    return rowKinds[type] == 2 ? result.map { $0.reversed() } : result
  }
}
