import ImageCoding
import JXLCodec
import TestSupport
import Testing

/// Filters and kernels compared with their definitions, sample by sample.
@Suite struct FilterTests {
  private func frame(_ width: Int, _ height: Int, planes: Int) throws -> RenderedFrame {
    var budget = ResourceBudget(.unlimited)
    var random = TestRandom(UInt64(width * 100 + height))
    var frame = try RenderedFrame(PixelSize(width: width, height: height), planeCount: planes, budget: &budget)
    for plane in 0..<planes {
      for index in frame.planes[plane].indices {
        frame.planes[plane][index] = Float.random(in: 0..<0.02, using: &random)
      }
    }
    return frame
  }

  /// The last ones consist of several tiles.
  private static let sizes = [(1, 1), (2, 3), (7, 5), (8, 8), (9, 17), (31, 10), (40, 3), (513, 3), (600, 259)]

  @Test func vectorsOfEveryPlace() {
    var samples = (0..<40).map { Float($0) }
    for index in 0...32 {
      #expect(loadVector(samples.span, at: index) == FloatVector((0..<8).map { Float(index + $0) }))
    }
    for index in 0...32 {
      var expected = samples
      let vector = FloatVector((0..<8).map { Float(100 * index + $0) })
      for lane in 0..<8 { expected[index + lane] = vector[lane] }
      var span = samples.mutableSpan
      storeVector(vector, into: &span, at: index)
      #expect(loadVector(span, at: index) == vector)
      #expect(samples == expected)
    }
  }

  /// Filters a frame in tiles, on one thread and on several ones, whose results must be equal.
  private func filtered(
    _ source: RenderedFrame, _ filter: RestorationFilter, _ strengths: EdgeStrengths
  ) throws -> RenderedFrame {
    let renderer = TileRenderer(
      filter, strengths, size: PixelSize(width: source.width, height: source.height), planeCount: source.planes.count)
    var results: [RenderedFrame] = []
    for parallelism in [1, 3] {
      var budget = ResourceBudget(.unlimited)
      var result = source
      try renderer.filterColors(of: &result, parallelism: parallelism, budget: &budget)
      #expect(budget.heldByteCount == 0)
      results.append(result)
    }
    #expect(results[0].planes == results[1].planes)
    return results[0]
  }

  @Test(arguments: sizes)
  func gaborish(_ width: Int, _ height: Int) throws {
    let source = try frame(width, height, planes: 1)
    let filter = RestorationFilter(gaborishWeights: [0.1, 0.05])
    let result = try filtered(source, filter, EdgeStrengths(filter))
    for y in 0..<height {
      for x in 0..<width {
        var sum: Float = 0
        for dy in -1...1 {
          for dx in -1...1 {
            let sample = source.planes[0][mirrored(y + dy, height) * width + mirrored(x + dx, width)]
            sum += sample * [1, 0.1, 0.05][abs(dx) + abs(dy)]
          }
        }
        #expect(abs(result.planes[0][y * width + x] - sum / 1.6) < 1e-6)
      }
    }
  }

  /// The three iterations, each by the definition of its weights.
  @Test(arguments: sizes)
  func edgePreservingFilter(_ width: Int, _ height: Int) throws {
    let filter = RestorationFilter(edgeIterationCount: 3)
    let source = try frame(width, height, planes: 3)
    let columns = (width + 7) / 8
    var random = TestRandom(7)
    let values = (0..<columns * ((height + 7) / 8)).map { _ in Float.random(in: 0.1..<2, using: &random) }
    let strengths = EdgeStrengths(columns: columns, values: values)
    let result = try filtered(source, filter, strengths)

    let cross = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
    let near = Array(cross.dropFirst())
    let far = near + [(-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, -1), (-1, 1), (1, 1)]
    var expected = source.planes
    for (neighbours, pattern, scale) in [(far, cross, Float(0.9)), (near, cross, 1), (near, [(0, 0)], 6.5)] {
      let input = expected
      func sample(_ plane: Int, _ x: Int, _ y: Int) -> Float {
        input[plane][mirrored(y, height) * width + mirrored(x, width)]
      }
      for y in 0..<height {
        for x in 0..<width {
          let sigma = strengths[x / 8, y / 8]
          guard sigma >= 0.3 else { continue }
          let isBorder = [0, 7].contains(x % 8) || [0, 7].contains(y % 8)
          let factor = scale * (isBorder ? 2.0 / 3 : 1) * 6.6 * (Float(0.5).squareRoot() - 1) / sigma
          var total: Float = 1
          var sums = (0..<3).map { sample($0, x, y) }
          for (dx, dy) in neighbours {
            var distance: Float = 0
            for plane in 0..<3 {
              for (px, py) in pattern {
                let difference = sample(plane, x + px, y + py) - sample(plane, x + px + dx, y + py + dy)
                distance += abs(difference) * [40, 5, 3.5][plane]
              }
            }
            let weight = max(0, 1 + distance * factor)
            total += weight
            for plane in 0..<3 { sums[plane] += weight * sample(plane, x + dx, y + dy) }
          }
          for plane in 0..<3 { expected[plane][y * width + x] = sums[plane] / total }
        }
      }
    }
    for plane in 0..<3 {
      for index in 0..<width * height {
        #expect(abs(result.planes[plane][index] - expected[plane][index]) < 1e-5)
      }
    }
  }

  /// Enlarged samples are those at quarters between reduced ones.
  @Test(arguments: [(5, 3, 10, 6), (5, 3, 9, 5), (1, 1, 2, 1), (4, 6, 8, 6), (4, 3, 4, 6)])
  func chromaUpsampling(_ width: Int, _ height: Int, _ targetWidth: Int, _ targetHeight: Int) throws {
    var budget = ResourceBudget(.unlimited)
    let source = try frame(width, height, planes: 1).planes[0]
    var plane = try SamplePlane(width: width, height: height, budget: &budget)
    plane.store(source, width: width, height: height, x: 0, y: 0)
    let target = PixelSize(width: targetWidth, height: targetHeight)
    let result = try ChromaUpsampling.enlarge(plane, to: target, budget: &budget)
    func weights(_ position: Int, _ length: Int, _ isEqual: Bool) -> [(Int, Float)] {
      if isEqual { return [(position, 1)] }
      let center = (Float(position) + 0.5) / 2 - 0.5
      let low = Int(center.rounded(.down))
      let part = center - Float(low)
      return [(min(max(low, 0), length - 1), 1 - part), (min(max(low + 1, 0), length - 1), part)]
    }
    for y in 0..<targetHeight {
      for x in 0..<targetWidth {
        var sum: Float = 0
        for (row, v) in weights(y, height, height == targetHeight) {
          for (column, h) in weights(x, width, width == targetWidth) { sum += v * h * source[row * width + column] }
        }
        #expect(abs(result[y * targetWidth + x] - sum) < 1e-7)
      }
    }
  }

  /// Vectors of transfer functions deviate from the functions by less than 10⁻⁶.
  @Test(arguments: [
    ColorEncoding.Transfer.codePoint(13), .codePoint(1), .codePoint(17), .gamma(0.45455), .codePoint(16),
  ])
  func transferCurves(_ transfer: ColorEncoding.Transfer) {
    let encoder = TransferEncoder(transfer, intensityTarget: 255)
    let curve = TransferCurve(encoder)
    let light = (-100...1200).map { Float($0) / 1000 + Float($0 % 7) / 9000 }
    var row = light
    var span = row.mutableSpan
    curve.encode(&span, count: light.count)
    for (result, light) in zip(row, light) { #expect(abs(result - encoder.encode(light)) < 1e-6) }
  }

  /// Interleaved bytes are the nearest ones, also beyond the range, for rows of every length.
  @Test(arguments: [1, 7, 8, 9, 40])
  func interleavedPixels(_ count: Int) {
    var random = TestRandom(UInt64(count))
    var planes = (0..<3).map { _ in (0..<count).map { _ in Float.random(in: -0.2..<1.2, using: &random) } }
    planes[1][0] = .nan
    planes[2][count - 1] = .infinity
    var pixels = [UInt8](repeating: 0, count: 3 * count)
    var span = pixels.mutableSpan
    let (red, green, blue) = (planes[0], planes[1], planes[2])
    PixelInterleaving.write(red.span, green.span, blue.span, into: &span)
    for x in 0..<count {
      for plane in 0..<3 {
        let value = planes[plane][x]
        let expected = value > 0 ? (min(value, 1) * 255).rounded(.toNearestOrEven) : 0
        #expect(pixels[3 * x + plane] == UInt8(expected))
      }
    }
  }
}
