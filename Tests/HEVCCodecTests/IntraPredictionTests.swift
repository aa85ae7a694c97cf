import HEVCCodec
import TestSupport
import Testing

/// Prediction as section 8.4.4.2 defines it, sample by sample.
private struct SlowPrediction {
  let size: Int
  let bitDepth: Int
  /// The neighbours: (−1, y) at `corner − 1 − y`, (x, −1) at `corner + 1 + x`.
  var line: [Int]

  private var corner: Int { 2 * size }

  init(_ block: IntraBlock, _ samples: [UInt16]) {
    size = 1 << block.log2Size
    bitDepth = block.bitDepth
    let corner = 2 * size
    var known = [Int?](repeating: nil, count: 4 * size + 1)
    for y in 0..<block.leftCount { known[corner - 1 - y] = Int(samples[block.index + y * block.stride - 1]) }
    for x in 0..<block.topCount { known[corner + 1 + x] = Int(samples[block.index - block.stride + x]) }
    if block.hasCorner { known[corner] = Int(samples[block.index - block.stride - 1]) }
    if known[0] == nil { known[0] = known.compactMap(\.self).first ?? 1 << (bitDepth - 1) }
    line = []
    for value in known { line.append(value ?? line[line.count - 1]) }
  }

  mutating func smoothen(isStrong: Bool) {
    let old = line
    let last = 4 * size
    if isStrong, abs(old[corner] + old[last] - 2 * old[3 * size]) < 1 << (bitDepth - 5),
      abs(old[corner] + old[0] - 2 * old[size]) < 1 << (bitDepth - 5)
    {
      for place in 1..<64 {
        line[64 - place] = ((64 - place) * old[64] + place * old[0] + 32) >> 6
        line[64 + place] = ((64 - place) * old[64] + place * old[128] + 32) >> 6
      }
    } else {
      for place in 1..<last { line[place] = (old[place - 1] + 2 * old[place] + old[place + 1] + 2) >> 2 }
    }
  }

  private func left(_ y: Int) -> Int { line[corner - 1 - y] }
  private func top(_ x: Int) -> Int { line[corner + 1 + x] }

  func sample(_ x: Int, _ y: Int, mode: Int, blendsEdges: Bool) -> Int {
    switch mode {
    case 0:
      let horizontal = (size - 1 - x) * left(y) + (x + 1) * top(size)
      let vertical = (size - 1 - y) * top(x) + (y + 1) * left(size)
      return (horizontal + vertical + size) / (2 * size)
    case 1:
      let mean = ((0..<size).reduce(size) { $0 + left($1) + top($1) }) / (2 * size)
      guard blendsEdges else { return mean }
      if x == 0, y == 0 { return (left(0) + 2 * mean + top(0) + 2) >> 2 }
      if y == 0 { return (top(x) + 3 * mean + 2) >> 2 }
      return x == 0 ? (left(y) + 3 * mean + 2) >> 2 : mean
    default: return directional(x, y, mode: mode, blendsEdges: blendsEdges)
    }
  }

  private func directional(_ x: Int, _ y: Int, mode: Int, blendsEdges: Bool) -> Int {
    let angles = [32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32]
    let isFromTop = mode >= 18
    let angle = isFromTop ? angles[34 - mode] : angles[mode - 2]
    // The coordinates along and across the reference.
    let (along, across) = isFromTop ? (x, y) : (y, x)
    func main(_ place: Int) -> Int { isFromTop ? line[corner + place] : line[corner - place] }
    func side(_ place: Int) -> Int { isFromTop ? line[corner - place] : line[corner + place] }
    func reference(_ place: Int) -> Int {
      if place >= 0 { return main(place) }
      let inverse = Int((8192.0 / Double(-angle)).rounded())
      return side((-place * inverse + 128) >> 8)
    }
    if angle == 0, blendsEdges, along == 0 {
      return min(max(main(1) + (side(1 + across) - main(0)) >> 1, 0), 1 << bitDepth - 1)
    }
    let position = (across + 1) * angle
    let (whole, fraction) = (position >> 5, position & 31)
    if fraction == 0 { return reference(along + whole + 1) }
    return ((32 - fraction) * reference(along + whole + 1) + fraction * reference(along + whole + 2) + 16) >> 5
  }
}

@Suite struct IntraPredictionTests {
  @Test(arguments: [2, 3, 4, 5], [8, 10, 12, 16])
  func predictionsAreThoseOfTheDefinition(_ log2Size: Int, _ bitDepth: Int) {
    var noise = TestRandom(UInt64(log2Size * 31 + bitDepth))
    let (size, stride) = (1 << log2Size, 144)
    var scratch = [UInt16](repeating: 9, count: intraScratchCount)
    for mode in 0...34 {
      for round in 0..<8 {
        var block = IntraBlock()
        (block.stride, block.log2Size, block.mode, block.bitDepth) = (stride, log2Size, mode, bitDepth)
        block.index = 40 * stride + 48
        block.leftCount = 4 * Int.random(in: 0...size / 2, using: &noise)
        block.topCount = 4 * Int.random(in: 0...size / 2, using: &noise)
        // Left and top neighbours of the block itself are available as a whole or not at all.
        if block.leftCount < size { block.leftCount = round & 1 == 0 ? 0 : size }
        if block.topCount < size { block.topCount = round & 2 == 0 ? 0 : size }
        block.hasCorner = round & 4 == 0 || block.leftCount > 0 && block.topCount > 0
        block.isSmoothed = log2Size > 2 && Bool.random(using: &noise)
        block.isStronglySmoothed = log2Size == 5 && Bool.random(using: &noise)
        block.blendsEdges = log2Size < 5 && Bool.random(using: &noise)
        let top = UInt16((1 << bitDepth) - 1)
        let isFlat = round % 3 == 0
        var samples = (0..<stride * 120).map { index in
          isFlat ? UInt16(1 << (bitDepth - 1) + index / stride / 40) : UInt16.random(in: 0...top, using: &noise)
        }
        var slow = SlowPrediction(block, samples)
        if block.isSmoothed { slow.smoothen(isStrong: block.isStronglySmoothed) }
        var expected = samples
        for y in 0..<size {
          for x in 0..<size {
            expected[block.index + y * stride + x] = UInt16(
              slow.sample(x, y, mode: mode, blendsEdges: block.blendsEdges))
          }
        }
        var span = samples.mutableSpan
        var scratchSpan = scratch.mutableSpan
        predictIntra(&span, &scratchSpan, block)
        #expect(samples == expected, "mode \(mode) \(block)")
      }
    }
  }
}
