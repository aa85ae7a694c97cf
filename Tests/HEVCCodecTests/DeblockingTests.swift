import HEVCCodec
import TestSupport
import Testing

@Suite struct DeblockingTests {
  private let stride = 64

  private func edges(_ noise: inout TestRandom, at indices: [Int], bitDepth: Int) -> [FilterEdge] {
    indices.map { index in
      var edge = FilterEdge()
      edge.index = index
      edge.limit = Int16.random(in: 1...24, using: &noise) << Int16(bitDepth - 8)
      edge.flatness = Int16.random(in: 6...64, using: &noise) << Int16(bitDepth - 8)
      edge.segments = UInt8.random(in: 1...3, using: &noise)
      edge.finals = UInt8([0, 0, 0, 1, 2, 3].randomElement(using: &noise) ?? 0)
      return edge
    }
  }

  /// Steps and slopes with some noise, so that all decisions occur.
  private func samples(_ noise: inout TestRandom, bitDepth: Int) -> [UInt16] {
    let scale = 1 << (bitDepth - 8)
    var values: [UInt16] = []
    let levels = (0..<64).map { _ in Int.random(in: 0...255, using: &noise) }
    let spread = [0, 1, 3, 20].randomElement(using: &noise) ?? 0
    for y in 0..<40 {
      for x in 0..<stride {
        let level = levels[(y / 8 * 8 + x / 8) % 64] % 24 + 100 + x % 8 / 3
        let value = (level + Int.random(in: -spread...spread, using: &noise)) * scale
        values.append(UInt16(min(max(value, 0), 256 * scale - 1)))
      }
    }
    return values
  }

  @Test(arguments: [8, 10, 12, 16])
  func lumaIsFilteredAsDefined(_ bitDepth: Int) {
    var noise = TestRandom(UInt64(bitDepth))
    for _ in 0..<150 {
      let original = samples(&noise, bitDepth: bitDepth)
      let columnEdges = edges(&noise, at: [8 * stride + 8, 8 * stride + 16, 16 * stride + 40], bitDepth: bitDepth)
      let rowEdges = edges(&noise, at: [8 * stride + 8, 16 * stride + 16, 24 * stride + 40], bitDepth: bitDepth)
      for (isHorizontal, edges) in [(false, columnEdges), (true, rowEdges)] {
        var expected = original
        let (along, across) = isHorizontal ? (1, stride) : (stride, 1)
        for edge in edges {
          for segment in 0..<2 where edge.segments >> segment & 1 == 1 {
            filterSegment(
              &expected, at: edge.index + 4 * segment * along, along: along, across: across, edge, bitDepth: bitDepth)
          }
        }
        var result = original
        if bitDepth > 12 {
          filterWideLuma(&result, step: across, pitch: along, edges, bitDepth: bitDepth)
          #expect(result == expected)
          continue
        }
        var span = result.mutableSpan
        if isHorizontal {
          filterLumaRows(&span, stride: stride, edges.span, bitDepth: bitDepth)
        } else {
          filterLumaColumns(&span, stride: stride, edges.span, bitDepth: bitDepth)
        }
        #expect(result == expected)
      }
    }
  }

  @Test(arguments: [8, 12, 16], [4, 8])
  func chromaIsFilteredAsDefined(_ bitDepth: Int, _ lineCount: Int) {
    var noise = TestRandom(UInt64(bitDepth + lineCount))
    for _ in 0..<100 {
      let original = samples(&noise, bitDepth: bitDepth)
      let edges = edges(&noise, at: [8 * stride + 8, 16 * stride + 24], bitDepth: bitDepth)
      for (step, pitch) in [(1, stride), (stride, 1)] {
        var expected = original
        for edge in edges {
          filterChromaEdge(&expected, edge, along: pitch, across: step, lineCount: lineCount, bitDepth: bitDepth)
        }
        var result = original
        var span = result.mutableSpan
        filterChroma(&span, step: step, pitch: pitch, lineCount: lineCount, edges.span, bitDepth: bitDepth)
        #expect(result == expected)
      }
    }
  }
}
