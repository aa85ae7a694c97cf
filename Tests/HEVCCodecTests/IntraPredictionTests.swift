import HEVCCodec
import TestSupport
import Testing

/// The neighbours of a block; `nil` for those that are not available.
private func neighbours(_ block: IntraBlock, _ samples: [UInt16]) -> [Int?] {
  let size = 1 << block.log2Size
  let corner = 2 * size
  var known = [Int?](repeating: nil, count: 4 * size + 1)
  for y in 0..<block.leftCount { known[corner - 1 - y] = Int(samples[block.index + y * block.stride - 1]) }
  for x in block.topGap..<block.topCount { known[corner + 1 + x] = Int(samples[block.index - block.stride + x]) }
  if block.hasCorner { known[corner] = Int(samples[block.index - block.stride - 1]) }
  return known
}

@Suite struct IntraPredictionTests {
  @Test(arguments: [2, 3, 4, 5], [8, 10, 12, 16])
  func predictionsAreThoseOfTheDefinition(_ log2Size: Int, _ bitDepth: Int) {
    var noise = TestRandom(UInt64(log2Size * 31 + bitDepth))
    let (size, stride) = (1 << log2Size, 80)
    var scratch = [UInt16](repeating: 9, count: intraScratchCount)
    let top = UInt16((1 << bitDepth) - 1)
    let flat = (0..<stride * 70).map { UInt16(1 << (bitDepth - 1) + $0 / stride / 20) }
    for mode in 0...34 {
      let noisy = flat.map { _ in UInt16.random(in: 0...top, using: &noise) }
      for round in 0..<10 {
        var block = IntraBlock()
        (block.stride, block.log2Size, block.mode, block.bitDepth) = (stride, log2Size, mode, bitDepth)
        block.index = 4 * stride + 8
        block.leftCount = 4 * Int.random(in: 0...size / 2, using: &noise)
        block.topCount = 4 * Int.random(in: 0...size / 2, using: &noise)
        // Left and top neighbours of the block itself are available as a whole or not at all.
        if block.leftCount < size { block.leftCount = round & 1 == 0 ? 0 : size }
        if block.topCount < size { block.topCount = round & 2 == 0 ? 0 : size }
        // Samples at the top right may be available without those at the top.
        if round >= 8 {
          (block.topGap, block.topCount) = (size, size + 4 * Int.random(in: 1...size / 4, using: &noise))
        }
        block.hasCorner = round < 8 && round & 4 == 0 || block.leftCount > 0 && block.topCount > 0 && block.topGap == 0
        block.isSmoothed = log2Size > 2 && Bool.random(using: &noise)
        block.isStronglySmoothed = log2Size == 5 && Bool.random(using: &noise)
        block.blendsEdges = log2Size < 5 && Bool.random(using: &noise)
        var samples = round % 3 == 0 ? flat : noisy
        var slow = SlowPrediction(neighbours(block, samples), bitDepth: bitDepth)
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
