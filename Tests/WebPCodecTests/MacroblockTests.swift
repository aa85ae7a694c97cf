// Prediction, residuals and loop filter of VP8, compared with the formulas of RFC 6386 written out sample by sample.

import TestSupport
import Testing
import WebPCodec

/// A macroblock and its neighbours, written as the RFC has it.
private struct SlowMacroblock {
  /// Samples by row and column; −1 is above or to the left.
  var samples: [[Int]]
  let size: Int

  init(_ buffer: [UInt8], at start: Int, size: Int) {
    self.size = size
    samples = (-1..<size).map { y in
      (-1..<size + 4).map { x in
        let index = start + y * MacroblockLayout.stride + x
        return Int(index < buffer.count ? buffer[index] : 0)
      }
    }
  }

  subscript(x: Int, y: Int) -> Int {
    get { samples[y + 1][x + 1] }
    set { samples[y + 1][x + 1] = newValue }
  }

  /// Section 12.2.
  mutating func predict(_ mode: Int, hasAbove: Bool, hasLeft: Bool) {
    var mean = 128
    var (sum, count) = (0, 0)
    for index in 0..<size {
      if hasAbove { sum += self[index, -1] }
      if hasLeft { sum += self[-1, index] }
    }
    if hasAbove { count += size }
    if hasLeft { count += size }
    if count > 0 { mean = (sum + count / 2) / count }
    for y in 0..<size {
      for x in 0..<size {
        switch mode {
        case 0: self[x, y] = mean
        case 1: self[x, y] = clamp(self[-1, y] + self[x, -1] - self[-1, -1])
        case 2: self[x, y] = self[x, -1]
        default: self[x, y] = self[-1, y]
        }
      }
    }
  }

  /// Section 12.3: B[row][column] from the edge array E, which runs from the lower left around the corner to the right.
  mutating func predictSubblock(_ mode: Int, x: Int, y: Int) {
    let above = (0..<8).map { self[x + $0, y - 1] }
    let left = (0..<4).map { self[x - 1, y + $0] }
    let corner = self[x - 1, y - 1]
    let edge: [Int] = Array(left.reversed()) + [corner] + above
    func average3(_ index: Int) -> Int { (edge[index - 1] + 2 * edge[index] + edge[index + 1] + 2) / 4 }
    func average2(_ index: Int) -> Int { (edge[index] + edge[index + 1] + 1) / 2 }
    var block = [[Int]](repeating: [0, 0, 0, 0], count: 4)
    func set(_ places: [(Int, Int)], _ value: Int) { for (row, column) in places { block[row][column] = value } }
    switch mode {
    case 0:
      let sum: Int = above[0..<4].reduce(0, +) + left.reduce(0, +)
      let mean = (sum + 4) / 8
      for row in 0..<4 { block[row] = [mean, mean, mean, mean] }
    case 1: for row in 0..<4 { for column in 0..<4 { block[row][column] = clamp(left[row] + above[column] - corner) } }
    case 2: for row in 0..<4 { for column in 0..<4 { block[row][column] = average3(5 + column) } }
    case 3:
      for column in 0..<4 {
        block[0][column] = average3(3)
        block[1][column] = average3(2)
        block[2][column] = average3(1)
        block[3][column] = (left[2] + 3 * left[3] + 2) / 4
      }
    case 4:
      for row in 0..<4 {
        for column in 0..<4 {
          block[row][column] = row + column == 6 ? (above[6] + 3 * above[7] + 2) / 4 : average3(6 + row + column)
        }
      }
    case 5: for row in 0..<4 { for column in 0..<4 { block[row][column] = average3(4 - row + column) } }
    case 6:
      set([(3, 0)], average3(2))
      set([(2, 0)], average3(3))
      set([(3, 1), (1, 0)], average3(4))
      set([(2, 1), (0, 0)], average2(4))
      set([(3, 2), (1, 1)], average3(5))
      set([(2, 2), (0, 1)], average2(5))
      set([(3, 3), (1, 2)], average3(6))
      set([(2, 3), (0, 2)], average2(6))
      set([(1, 3)], average3(7))
      set([(0, 3)], average2(7))
    case 7:
      set([(0, 0)], average2(5))
      set([(1, 0)], average3(6))
      set([(2, 0), (0, 1)], average2(6))
      set([(1, 1), (3, 0)], average3(7))
      set([(2, 1), (0, 2)], average2(7))
      set([(3, 1), (1, 2)], average3(8))
      set([(2, 2), (0, 3)], average2(8))
      set([(3, 2), (1, 3)], average3(9))
      set([(2, 3)], average3(10))
      set([(3, 3)], average3(11))
    case 8:
      set([(3, 0)], average2(0))
      set([(3, 1)], average3(1))
      set([(2, 0), (3, 2)], average2(1))
      set([(2, 1), (3, 3)], average3(2))
      set([(2, 2), (1, 0)], average2(2))
      set([(2, 3), (1, 1)], average3(3))
      set([(1, 2), (0, 0)], average2(3))
      set([(1, 3), (0, 1)], average3(4))
      set([(0, 2)], average3(5))
      set([(0, 3)], average3(6))
    default:
      func mean2(_ a: Int, _ b: Int) -> Int { (left[a] + left[b] + 1) / 2 }
      func mean3(_ a: Int, _ b: Int, _ c: Int) -> Int { (left[a] + 2 * left[b] + left[c] + 2) / 4 }
      set([(0, 0)], mean2(0, 1))
      set([(0, 1)], mean3(0, 1, 2))
      set([(0, 2), (1, 0)], mean2(1, 2))
      set([(0, 3), (1, 1)], mean3(1, 2, 3))
      set([(1, 2), (2, 0)], mean2(2, 3))
      set([(1, 3), (2, 1)], mean3(2, 3, 3))
      set([(2, 2), (2, 3), (3, 0), (3, 1), (3, 2), (3, 3)], left[3])
    }
    for row in 0..<4 { for column in 0..<4 { self[x + column, y + row] = block[row][column] } }
  }

  /// Section 14.3: the inverse transform, added.
  mutating func add(_ input: [Int16], x: Int, y: Int) {
    func pass(_ i0: Int, _ i1: Int, _ i2: Int, _ i3: Int) -> [Int] {
      let (a, b) = (i0 + i2, i0 - i2)
      func cosine(_ value: Int) -> Int { value + (value * 20091) >> 16 }
      func sine(_ value: Int) -> Int { (value * 35468) >> 16 }
      let c = sine(i1) - cosine(i3)
      let d = cosine(i1) + sine(i3)
      return [a + d, b + c, b - c, a - d]
    }
    let coefficients = input.map { Int($0) }
    let columns = (0..<4).map { column in
      pass(
        coefficients[column], coefficients[4 + column], coefficients[8 + column], coefficients[12 + column])
    }
    for row in 0..<4 {
      let values = pass(columns[0][row], columns[1][row], columns[2][row], columns[3][row])
      for column in 0..<4 {
        let residual: Int = (values[column] + 4) >> 3
        self[x + column, y + row] = clamp(self[x + column, y + row] + residual)
      }
    }
  }
}

private func clamp(_ value: Int) -> Int { min(max(value, 0), 255) }

/// Returns the class of a block's coefficients by the last one that is not zero.
private func code(_ block: ArraySlice<Int16>) -> UInt32 {
  let zigzag = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]
  let last = zigzag.lastIndex { block[block.startIndex + $0] != 0 }
  return last.map { $0 >= 3 ? 3 : $0 >= 1 ? 2 : 1 } ?? 0
}

/// Blocks without coefficients, with one, with three, and with many.
private func randomCoefficients(_ blockCount: Int, _ noise: inout TestRandom) -> [Int16] {
  let zigzag = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]
  return (0..<blockCount).flatMap { _ -> [Int16] in
    var block = [Int16](repeating: 0, count: 16)
    for position in 0..<[0, 1, 3, 16][Int.random(in: 0..<4, using: &noise)] {
      block[zigzag[position]] = Int16.random(in: -700...700, using: &noise)
    }
    return block
  }
}

private func codes(_ coefficients: [Int16]) -> UInt32 {
  stride(from: 0, to: coefficients.count, by: 16).reduce(0) { $0 << 2 | code(coefficients[$1..<$1 + 16]) }
}

@Suite struct MacroblockTests {
  private func expectSame(_ buffer: [UInt8], _ slow: SlowMacroblock, at start: Int, _ label: String) {
    for y in 0..<slow.size {
      let row = (0..<slow.size).map { Int(buffer[start + y * MacroblockLayout.stride + $0]) }
      #expect(row == (0..<slow.size).map { slow[$0, y] }, "\(label), row \(y)")
    }
  }

  @Test(arguments: 0..<4) func wholeBlocksAreThoseOfTheRFC(_ mode: Int) {
    var noise = TestRandom(UInt64(mode))
    for round in 0..<24 {
      var buffer = noise.bytes(MacroblockLayout.byteCount)
      let edges = MacroblockEdges(hasAbove: round & 1 == 0, hasLeft: round & 2 == 0)
      let luma = randomCoefficients(16, &noise)
      let chroma = randomCoefficients(8, &noise)
      var slow = [
        SlowMacroblock(buffer, at: MacroblockLayout.luma, size: 16),
        SlowMacroblock(buffer, at: MacroblockLayout.u, size: 8),
        SlowMacroblock(buffer, at: MacroblockLayout.v, size: 8),
      ]
      for plane in 0..<3 { slow[plane].predict(mode, hasAbove: edges.hasAbove, hasLeft: edges.hasLeft) }
      for block in 0..<16 { slow[0].add(Array(luma[block * 16..<block * 16 + 16]), x: block % 4 * 4, y: block / 4 * 4) }
      for block in 0..<8 {
        slow[1 + block / 4].add(Array(chroma[block * 16..<block * 16 + 16]), x: block % 2 * 4, y: block / 2 % 2 * 4)
      }
      var span = buffer.mutableSpan
      reconstructLuma(&span, mode: UInt8(mode), edges: edges, coefficients: luma.span, codes: codes(luma))
      let chromaCodes = codes(Array(chroma[0..<64])) | codes(Array(chroma[64..<128])) << 8
      reconstructChroma(&span, mode: UInt8(mode), edges: edges, coefficients: chroma.span, codes: chromaCodes)
      for (plane, start) in [MacroblockLayout.luma, MacroblockLayout.u, MacroblockLayout.v].enumerated() {
        expectSame(buffer, slow[plane], at: start, "plane \(plane), round \(round)")
      }
    }
  }

  @Test(arguments: 0..<10) func subblocksAreThoseOfTheRFC(_ mode: Int) {
    var noise = TestRandom(UInt64(100 + mode))
    for _ in 0..<12 {
      var buffer = noise.bytes(MacroblockLayout.byteCount)
      let coefficients = randomCoefficients(16, &noise)
      var slow = SlowMacroblock(buffer, at: MacroblockLayout.luma, size: 16)
      // The lower subblocks of the last column have the row above the macroblock to their upper right.
      for row in [3, 7, 11] { for x in 16..<20 { slow[x, row] = slow[x, -1] } }
      var modes = InlineArray<16, UInt8>(repeating: UInt8(mode))
      for block in 0..<16 {
        // Others in between, so that blocks do not settle.
        if block % 3 == 1 { modes[block] = UInt8.random(in: 0..<10, using: &noise) }
        slow.predictSubblock(Int(modes[block]), x: block % 4 * 4, y: block / 4 * 4)
        slow.add(Array(coefficients[block * 16..<block * 16 + 16]), x: block % 4 * 4, y: block / 4 * 4)
      }
      var span = buffer.mutableSpan
      reconstructSubblocks(&span, modes: modes, coefficients: coefficients.span, codes: codes(coefficients))
      expectSame(buffer, slow, at: MacroblockLayout.luma, "mode \(mode)")
    }
  }

  @Test func theWalshHadamardTransformIsThatOfTheRFC() {
    var noise = TestRandom(77)
    for _ in 0..<50 {
      let input = (0..<16).map { _ in Int16.random(in: -2000...2000, using: &noise) }
      func pass(_ i: [Int]) -> [Int] {
        let (a, b, c, d) = (i[0] + i[3], i[1] + i[2], i[1] - i[2], i[0] - i[3])
        return [a + b, c + d, a - b, d - c]
      }
      let columns = (0..<4).map { x in pass((0..<4).map { Int(input[$0 * 4 + x]) }) }
      var output = [Int16](repeating: 0, count: 256)
      var span = output.mutableSpan
      invertWalshHadamard(input.span, into: &span)
      for y in 0..<4 {
        let row = pass((0..<4).map { columns[$0][y] }).map { ($0 + 3) >> 3 }
        #expect((0..<4).map { Int(output[(y * 4 + $0) * 16]) } == row)
      }
    }
  }
}

// MARK: Loop filter

/// The loop filter of section 15, on one edge of a plane.
private struct SlowFilter {
  var samples: [Int]
  let stride: Int

  private func signed(_ value: Int) -> Int { min(max(value, -128), 127) }

  mutating func filter(at position: Int, step: Int, _ limits: MacroblockFilter, isOuter: Bool, isSimple: Bool) {
    func sample(_ index: Int) -> Int { samples[position + index * step] - 128 }
    let (p3, p2, p1, p0) = isSimple ? (0, 0, sample(-2), sample(-1)) : (sample(-4), sample(-3), sample(-2), sample(-1))
    let (q0, q1, q2, q3) = isSimple ? (sample(0), sample(1), 0, 0) : (sample(0), sample(1), sample(2), sample(3))
    let edgeLimit = Int(limits.edgeLimit) + (isOuter ? 4 : 0)
    guard abs(p0 - q0) * 2 + abs(p1 - q1) / 2 <= edgeLimit else { return }
    var changed: [Int: Int] = [:]
    func common(_ usesOuterTaps: Bool) -> Int {
      let filter = signed((usesOuterTaps ? signed(p1 - q1) : 0) + 3 * (q0 - p0))
      let after = signed(filter + 4) >> 3
      changed[0] = signed(q0 - after)
      changed[-1] = signed(p0 + signed(filter + 3) >> 3)
      return after
    }
    if isSimple {
      _ = common(true)
    } else {
      let interior = Int(limits.interiorLimit)
      guard [(p3, p2), (p2, p1), (p1, p0), (q1, q0), (q2, q1), (q3, q2)].allSatisfy({ abs($0 - $1) <= interior }) else {
        return
      }
      let threshold = Int(limits.varianceThreshold)
      let isVarying = abs(p1 - p0) > threshold || abs(q1 - q0) > threshold
      if isVarying {
        _ = common(true)
      } else if isOuter {
        let weight = signed(signed(p1 - q1) + 3 * (q0 - p0))
        for (index, factor) in [27, 18, 9].enumerated() {
          let change = signed((factor * weight + 63) >> 7)
          changed[index] = signed([q0, q1, q2][index] - change)
          changed[-1 - index] = signed([p0, p1, p2][index] + change)
        }
      } else {
        let half = (common(false) + 1) >> 1
        changed[1] = signed(q1 - half)
        changed[-2] = signed(p1 + half)
      }
    }
    for (index, value) in changed { samples[position + index * step] = value + 128 }
  }

  /// Section 15.1: the order of the edges of a macroblock.
  mutating func filterMacroblock(x: Int, y: Int, size: Int, _ limits: MacroblockFilter, hasAbove: Bool, isSimple: Bool)
  {
    guard limits.edgeLimit > 0 else { return }
    for isVertical in [true, false] {
      for edge in Swift.stride(from: 0, to: size, by: 4) {
        if edge == 0, isVertical ? x == 0 : !hasAbove { continue }
        if edge > 0, !limits.filtersInside { continue }
        for line in 0..<size {
          let position = isVertical ? (y + line) * stride + x + edge : (y + edge) * stride + x + line
          filter(at: position, step: isVertical ? 1 : stride, limits, isOuter: edge == 0, isSimple: isSimple)
        }
      }
    }
  }
}

@Suite struct LoopFilterTests {
  @Test(arguments: [false, true]) func edgesAreThoseOfTheRFC(_ isSimple: Bool) {
    var noise = TestRandom(isSimple ? 1 : 2)
    for round in 0..<60 {
      let columns = 3
      let stride = columns * 16
      // Small differences, so that all branches are taken.
      let amplitude = [2, 6, 20, 120][round % 4]
      func plane(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(clamping: 128 + Int.random(in: -amplitude...amplitude, using: &noise)) }
      }
      var (luma, u, v) = (plane(26 * stride), plane(13 * stride / 2), plane(13 * stride / 2))
      let filters = (0..<columns).map { _ in
        MacroblockFilter(
          edgeLimit: UInt8.random(in: 0...189, using: &noise), interiorLimit: UInt8.random(in: 1...63, using: &noise),
          varianceThreshold: UInt8.random(in: 0...2, using: &noise), filtersInside: Bool.random(using: &noise))
      }
      var slow = [luma, u, v].enumerated().map {
        SlowFilter(samples: $1.map(Int.init), stride: $0 == 0 ? stride : stride / 2)
      }
      let hasAbove = round % 3 != 0
      for (column, filter) in filters.enumerated() {
        slow[0].filterMacroblock(x: column * 16, y: 10, size: 16, filter, hasAbove: hasAbove, isSimple: isSimple)
        guard !isSimple else { continue }
        for plane in 1...2 {
          slow[plane].filterMacroblock(x: column * 8, y: 5, size: 8, filter, hasAbove: hasAbove, isSimple: false)
        }
      }
      var lumaSpan = luma.mutableSpan
      var uSpan = u.mutableSpan
      var vSpan = v.mutableSpan
      filterMacroblocks(
        luma: &lumaSpan, u: &uSpan, v: &vSpan, stride: stride, row: 10, filters.span, isSimple: isSimple,
        hasRowAbove: hasAbove)
      #expect(
        luma.map(Int.init) == slow[0].samples && u.map(Int.init) == slow[1].samples
          && v.map(Int.init) == slow[2].samples)
    }
  }
}
