import AVCCodec
import TestSupport
import Testing

/// A field of random samples, of which a block in the middle is predicted.
private struct Canvas {
  static let stride = 48
  /// The place of the block.
  static let (left, top) = (16, 8)
  var samples: [UInt16]

  init(bitDepth: Int, _ noise: inout TestRandom) {
    samples = (0..<Self.stride * 32).map { _ in UInt16.random(in: 0..<1 << UInt16(bitDepth), using: &noise) }
  }

  subscript(x: Int, y: Int) -> Int { Int(samples[(Self.top + y) * Self.stride + Self.left + x]) }

  static var position: SamplePosition { SamplePosition(index: top * stride + left, stride: stride) }
}

@Suite struct PredictionTests {
  @Test(arguments: [4, 8], [8, 10, 14])
  func blocks(_ size: Int, _ bitDepth: Int) {
    var noise = TestRandom(UInt64(size + bitDepth))
    for flags in 0..<16 {
      let (hasLeft, hasAbove) = (flags & 1 != 0, flags & 2 != 0)
      let (hasCorner, hasRight) = (flags & 4 != 0, flags & 8 != 0)
      let available = BlockAvailability(left: hasLeft, above: hasAbove, aboveLeft: hasCorner, aboveRight: hasRight)
      for mode in BlockMode.allCases where mode.isValid(available) {
        var canvas = Canvas(bitDepth: bitDepth, &noise)
        var slow = SlowPrediction(
          size: size, above: hasAbove ? (0..<size).map { canvas[$0, -1] } : nil,
          aboveRight: hasRight && hasAbove ? (size..<2 * size).map { canvas[$0, -1] } : nil,
          left: hasLeft ? (0..<size).map { canvas[-1, $0] } : nil, corner: hasCorner ? canvas[-1, -1] : nil,
          bitDepth: bitDepth)
        if size == 8 { slow = slow.filtered() }
        let before = canvas.samples
        var values = canvas.samples.mutableSpan
        PredictedBlock(
          position: Canvas.position, size: size, available: available, mode: mode, bitDepth: bitDepth
        ).predict(&values)
        var mismatches = 0
        for (index, old) in before.enumerated() {
          let (x, y) = (index % Canvas.stride - Canvas.left, index / Canvas.stride - Canvas.top)
          let isInside = (0..<size).contains(x) && (0..<size).contains(y)
          let expected = isInside ? slow.sample(Int(mode.rawValue), x, y) : Int(old)
          if Int(canvas.samples[index]) != expected { mismatches += 1 }
        }
        #expect(mismatches == 0, "mode \(mode), neighbours \(flags)")
      }
    }
  }

  @Test(arguments: [(16, 16), (8, 8), (8, 16)], [8, 12])
  func macroblocks(_ size: (width: Int, height: Int), _ bitDepth: Int) {
    var noise = TestRandom(UInt64(size.width + size.height + bitDepth))
    for flags in 0..<8 {
      let (hasLeft, hasAbove, hasCorner) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
      let available = BlockAvailability(left: hasLeft, above: hasAbove, aboveLeft: hasCorner, aboveRight: false)
      for mode in MacroblockPrediction.Mode.allCases where mode.isValid(available) {
        var canvas = Canvas(bitDepth: bitDepth, &noise)
        let old = canvas
        let prediction = MacroblockPrediction(
          width: size.width, height: size.height, position: Canvas.position, available: available, bitDepth: bitDepth)
        var values = canvas.samples.mutableSpan
        prediction.predict(mode, &values)
        var mismatches = 0
        for y in 0..<size.height {
          for x in 0..<size.width {
            let expected =
              switch mode {
              case .vertical: old[x, -1]
              case .horizontal: old[-1, y]
              case .dc: Self.mean(x, y, size, hasLeft, hasAbove, bitDepth, old)
              case .plane: Self.plane(x, y, size, bitDepth, old)
              }
            if canvas[x, y] != expected { mismatches += 1 }
          }
        }
        #expect(mismatches == 0, "mode \(mode), neighbours \(flags)")
      }
    }
  }

  /// Equations 8-116 to 8-119 and 8-132 to 8-138.
  private static func mean(
    _ x: Int, _ y: Int, _ size: (width: Int, height: Int), _ hasLeft: Bool, _ hasAbove: Bool, _ bitDepth: Int,
    _ canvas: Canvas
  ) -> Int {
    let step = size.width == 16 ? 16 : 4
    let (left, top) = (x / step * step, y / step * step)
    let above = hasAbove ? (0..<step).map { canvas[left + $0, -1] } : []
    let beside = hasLeft ? (0..<step).map { canvas[-1, top + $0] } : []
    var used = above + beside
    if step == 4, left > 0, top == 0, hasAbove { used = above }
    if step == 4, left == 0, top > 0, hasLeft { used = beside }
    return used.isEmpty ? 1 << (bitDepth - 1) : (used.reduce(0, +) + used.count / 2) / used.count
  }

  /// Equations 8-121 to 8-125 and 8-144 to 8-150.
  private static func plane(
    _ x: Int, _ y: Int, _ size: (width: Int, height: Int), _ bitDepth: Int, _ canvas: Canvas
  ) -> Int {
    let (xCF, yCF) = (size.width == 16 ? 4 : 0, size.height == 16 ? 4 : 0)
    let h = (0...3 + xCF).map { ($0 + 1) * (canvas[4 + xCF + $0, -1] - canvas[2 + xCF - $0, -1]) }.reduce(0, +)
    let v = (0...3 + yCF).map { ($0 + 1) * (canvas[-1, 4 + yCF + $0] - canvas[-1, 2 + yCF - $0]) }.reduce(0, +)
    let a = 16 * (canvas[-1, size.height - 1] + canvas[size.width - 1, -1])
    let b = ((size.width == 16 ? 5 : 34) * h + 32) >> 6
    let c = ((size.height == 16 ? 5 : 34) * v + 32) >> 6
    let value = (a + b * (x - 3 - xCF) + c * (y - 3 - yCF) + 16) >> 5
    return min(max(value, 0), 1 << bitDepth - 1)
  }
}
