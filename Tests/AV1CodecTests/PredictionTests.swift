import AV1Codec
import TestSupport
import Testing

@Suite struct PredictionTests {
  /// Blocks of all shapes that predictions have.
  private static let sizes = (2...6).flatMap { width in
    (2...6).filter { abs($0 - width) <= 2 }.map { (width, $0) }
  }

  private static func edge(_ bitDepth: Int, _ random: inout TestRandom) -> SlowEdge {
    let isExtreme = Bool.random(using: &random)
    let maximum = 1 << bitDepth - 1
    return SlowEdge(
      samples: (0..<320).map { _ in
        isExtreme && Bool.random(using: &random)
          ? Int.random(in: 0...1, using: &random) * maximum : Int.random(in: 0...maximum, using: &random)
      })
  }

  /// A block with other samples around it.
  private struct Canvas {
    var samples: [UInt16]
    let block: PredictedBlock
    private let (width, height): (Int, Int)
    private static let (stride, first) = (72, 75)

    init(_ log2Width: Int, _ log2Height: Int) {
      samples = [UInt16](repeating: 0x7777, count: Self.stride * 66)
      block = PredictedBlock(
        index: Self.first, stride: Self.stride, log2Width: log2Width, log2Height: log2Height)
      (width, height) = (1 << log2Width, 1 << log2Height)
    }

    mutating func change(_ body: (PredictedBlock, inout MutableSpan<UInt16>) -> Void) {
      let block = block
      var span = samples.mutableSpan
      body(block, &span)
    }

    /// Whether the block is as expected, and nothing else changed.
    func contains(_ expected: [[Int]]) -> Bool {
      var other = samples
      for y in 0..<height {
        for x in 0..<width {
          let index = Self.first + y * Self.stride + x
          guard Int(samples[index]) == expected[y][x] else { return false }
          other[index] = 0x7777
        }
      }
      return other.allSatisfy { $0 == 0x7777 }
    }
  }

  private static func stored(_ edge: SlowEdge) -> [UInt16] { edge.samples.map { UInt16($0) } }

  @Test(arguments: [8, 10, 12])
  func blocksWithoutDirectionAreThoseOfTheSpecification(_ bitDepth: Int) {
    var random = TestRandom(UInt64(bitDepth))
    for (log2Width, log2Height) in Self.sizes {
      let above = Self.edge(bitDepth, &random)
      var left = Self.edge(bitDepth, &random)
      left.samples[15] = above[-1]
      let slow = SlowPrediction(width: 1 << log2Width, height: 1 << log2Height, above: above, left: left)
      let (top, side) = (Self.stored(above), Self.stored(left))
      for directions in [SmoothDirections.vertical, .horizontal, .both] {
        var canvas = Canvas(log2Width, log2Height)
        canvas.change { predictSmooth($0, directions, above: top.span, left: side.span, &$1) }
        #expect(canvas.contains(slow.smooth(directions)))
      }
      var canvas = Canvas(log2Width, log2Height)
      canvas.change { predictPaeth($0, above: top.span, left: side.span, &$1) }
      #expect(canvas.contains(slow.paeth()))
      canvas.change { predictVertical($0, above: top.span, &$1) }
      #expect(canvas.contains((0..<slow.height).map { _ in (0..<slow.width).map { above[$0] } }))
      canvas.change { predictHorizontal($0, left: side.span, &$1) }
      #expect(canvas.contains((0..<slow.height).map { y in (0..<slow.width).map { _ in left[y] } }))
      canvas.change { fillBlock($0, 77, &$1) }
      #expect(canvas.contains([[Int]](repeating: [Int](repeating: 77, count: slow.width), count: slow.height)))
      guard log2Width <= 5, log2Height <= 5 else { continue }
      let maximum = 1 << bitDepth - 1
      for mode in 0..<5 {
        canvas.change {
          predictRecursively($0, mode: mode, above: top.span, left: side.span, &$1, maximum: maximum)
        }
        #expect(canvas.contains(slow.recursive(mode: mode, maximum: maximum)))
      }
    }
  }

  /// `Dr_Intra_Derivative` of angles from 3 to 87 degrees.
  private static let slopes = [
    1023, 547, 372, 273, 215, 178, 151, 132, 116, 102, 90, 80, 71, 64, 57, 51, 45, 40, 35, 31, 27, 23, 19, 15, 11, 7, 3,
  ]

  @Test(arguments: [8, 10, 12])
  func directionalBlocksAreThoseOfTheSpecification(_ bitDepth: Int) {
    var random = TestRandom(UInt64(bitDepth))
    var scratch = [UInt16](repeating: 0, count: columnScratchCount)
    for (log2Width, log2Height) in Self.sizes {
      let (width, height) = (1 << log2Width, 1 << log2Height)
      for (index, slope) in Self.slopes.enumerated() {
        // Angles near the perpendicular of the edge of a small block.
        let mayUpsample = width + height <= 16 && slope < 64
        let upsamples = mayUpsample && Bool.random(using: &random)
        let last = (width + height - 1) << (upsamples ? 1 : 0)
        var edge = Self.edge(bitDepth, &random)
        for index in last..<304 { edge.samples[index + 16] = edge[last] }
        let slow = SlowPrediction(width: width, height: height, above: edge, left: edge)
        let lines = DirectionalLines(slope: slope, isUpsampled: upsamples)
        var canvas = Canvas(log2Width, log2Height)
        let side = Self.stored(edge)
        canvas.change { predictFromAbove($0, lines, above: side.span, last: last, &$1) }
        #expect(canvas.contains(slow.fromAbove(dx: slope, upsamples: upsamples)))
        canvas = Canvas(log2Width, log2Height)
        canvas.change {
          var work = scratch.mutableSpan
          predictFromLeft($0, lines, left: side.span, last: last, &work, &$1)
        }
        #expect(canvas.contains(slow.fromLeft(dy: slope, upsamples: upsamples)))
        check(bitDepth, (log2Width, log2Height), slope, Self.slopes[Self.slopes.count - 1 - index], &scratch, &random)
      }
    }
  }

  private func check(
    _ bitDepth: Int, _ size: (Int, Int), _ dx: Int, _ dy: Int, _ scratch: inout [UInt16], _ random: inout TestRandom
  ) {
    let (above, left) = (Self.edge(bitDepth, &random), Self.edge(bitDepth, &random))
    let slow = SlowPrediction(width: 1 << size.0, height: 1 << size.1, above: above, left: left)
    let isSmall = slow.width + slow.height <= 16
    let upsamplesAbove = isSmall && dx < 64 && Bool.random(using: &random)
    let upsamplesLeft = isSmall && dy < 64 && Bool.random(using: &random)
    let rows = DirectionalLines(slope: -dx, isUpsampled: upsamplesAbove)
    let columns = DirectionalLines(slope: -dy, isUpsampled: upsamplesLeft)
    let (top, side) = (Self.stored(above), Self.stored(left))
    var canvas = Canvas(size.0, size.1)
    canvas.change {
      var work = scratch.mutableSpan
      predictFromBoth($0, rows, columns, above: top.span, left: side.span, &work, &$1)
    }
    #expect(
      canvas.contains(
        slow.fromBoth(dx: dx, dy: dy, upsamplesAbove: upsamplesAbove, upsamplesLeft: upsamplesLeft)))
  }

  @Test(arguments: [8, 10, 12], [(0, 0), (1, 0), (1, 1)])
  func chromaFromLumaIsThatOfTheSpecification(bitDepth: Int, shifts: (x: Int, y: Int)) {
    var random = TestRandom(UInt64(bitDepth * 4 + shifts.x + shifts.y))
    let maximum = 1 << bitDepth - 1
    for (log2Width, log2Height) in Self.sizes where log2Width <= 5 && log2Height <= 5 {
      let (width, height) = (1 << log2Width, 1 << log2Height)
      let minimum = [0, maximum / 2, maximum][(log2Width + log2Height) % 3]
      let luma = (0..<64).map { _ in (0..<64).map { _ in Int.random(in: minimum...maximum, using: &random) } }
      let (columns, rows) = (
        Int.random(in: 1...width / 4, using: &random) * 4, Int.random(in: 1...height / 4, using: &random) * 4
      )
      let samples = luma.flatMap { $0.map { UInt16($0) } } + [UInt16](repeating: 0x3FF, count: 128)
      var values = [Int16](repeating: 0x5555, count: 32 * lumaStride)
      var span = values.mutableSpan
      loadLumaDifferences(
        LumaSource(index: 0, stride: 64, shiftX: shifts.x, shiftY: shifts.y, columns: columns, rows: rows),
        samples.span, log2Width: log2Width, log2Height: log2Height, &span)
      let expected = slowLuma(
        luma, width: width, height: height, shiftX: shifts.x, shiftY: shifts.y, columns: columns, rows: rows)
      for y in 0..<height {
        #expect(values[y * lumaStride..<y * lumaStride + width].map { Int($0) } == expected[y])
      }
      for alpha in [-16, -3, 1, 16] {
        let dc = Int.random(in: 0...maximum, using: &random)
        var canvas = Canvas(log2Width, log2Height)
        canvas.change {
          fillBlock($0, UInt16(dc), &$1)
          addLuma($0, values.span, alpha: alpha, &$1, maximum: maximum)
        }
        let block = expected.map {
          $0.map { value in
            let product = alpha * value
            let scaled = product < 0 ? -((32 - product) >> 6) : (product + 32) >> 6
            return min(max(dc + scaled, 0), maximum)
          }
        }
        #expect(canvas.contains(block))
      }
    }
  }

  @Test func valuesAreAddedToBlocks() {
    for (log2Width, log2Height) in Self.sizes {
      for (value, added, expected) in [(100, 20, 120), (100, -120, 0), (1000, 900, 1023), (0, -70_000, 0)] {
        var canvas = Canvas(log2Width, log2Height)
        canvas.change {
          fillBlock($0, UInt16(value), &$1)
          addToBlock($0, added, &$1, maximum: 1023)
        }
        let row = [Int](repeating: expected, count: 1 << log2Width)
        #expect(canvas.contains([[Int]](repeating: row, count: 1 << log2Height)))
      }
    }
  }
}
