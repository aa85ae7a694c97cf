// Lossless files by a simple encoder, compared with the samples that it encoded.

import JXLCodec
import TestSupport
import Testing

@Suite struct LosslessTests {
  private func samples(_ count: Int, below limit: Int, seed: UInt64) -> [Int] {
    var random = TestRandom(seed)
    return (0..<count).map { _ in Int.random(in: 0..<limit, using: &random) }
  }

  private func interleaved(_ channels: [[Int]]) -> [Int] {
    (0..<channels[0].count).flatMap { index in channels.map { $0[index] } }
  }

  @Test(arguments: [1, 2, 3, 4])
  func storedSamplesAreThePixels(channelCount: Int) throws {
    let channels = (0..<channelCount).map { samples(7 * 5, below: 256, seed: UInt64($0 + 1)) }
    let file = ModularFile(width: 7, height: 5, channels: channels)
    let image = try JXLDecoder().decode(file.codestream, options: DecodingOptions(tolerance: .strict))
    let formats: [PixelFormat] = [.gray8, .grayAlpha8, .rgb8, .rgba8]
    #expect(image.bitmap.format == formats[channelCount - 1])
    #expect(image.bitmap.packedPixels.map(Int.init) == interleaved(channels))
    #expect(image.isComplete && image.diagnostics.isEmpty)
  }

  @Test func sixteenBits() throws {
    let values = samples(30, below: 65536, seed: 9)
    let file = ModularFile(width: 10, height: 3, channels: [values], bitCount: 16)
    let bitmap = try JXLDecoder().decode(file.codestream).bitmap
    #expect(bitmap.format == .gray16)
    #expect((0..<3).flatMap { y in (0..<10).map { Int(bitmap.row16(y)[$0]) } } == values)
  }

  @Test func samplesOfOtherDepthsAreScaledExactly() throws {
    let values = Array(0..<1024)
    let file = ModularFile(width: 32, height: 32, channels: [values], bitCount: 10)
    let bitmap = try JXLDecoder().decode(file.codestream).bitmap
    let expected = values.map { (Double($0) * 65535 / 1023).rounded() }
    #expect((0..<32).flatMap { y in (0..<32).map { Double(bitmap.row16(y)[$0]) } } == expected)
  }

  /// The predictors but the weighted one, by their definitions.
  private func prediction(_ predictor: Int, _ rows: [[Int]], _ x: Int, _ y: Int) -> Int {
    let width = rows[0].count
    func sample(_ x: Int, _ y: Int) -> Int? { x >= 0 && x < width && y >= 0 ? rows[y][x] : nil }
    let w = sample(x - 1, y) ?? sample(x, y - 1) ?? 0
    let n = sample(x, y - 1) ?? w
    let nw = y > 0 ? sample(x - 1, y - 1) ?? w : w
    let ne = sample(x + 1, y - 1) ?? n
    let nn = sample(x, y - 2) ?? n
    let ww = sample(x - 2, y) ?? w
    let nee = sample(x + 2, y - 1) ?? ne
    switch predictor {
    case 0: return 0
    case 1: return w
    case 2: return n
    case 3: return (w + n) / 2
    case 4: return abs(n - nw) < abs(w - nw) ? w : n
    case 5: return min(max(w + n - nw, min(w, n)), max(w, n))
    case 7: return ne
    case 8: return nw
    case 9: return ww
    case 10: return (w + nw) / 2
    case 11: return (n + nw) / 2
    case 12: return (n + ne) / 2
    default: return (6 * n - 2 * nn + 7 * w + ww + nee + 3 * ne + 8) / 16
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13])
  func predictors(number: Int) throws {
    for (width, height) in [(1, 6), (6, 1), (2, 5), (9, 8)] {
      let values = samples(width * height, below: 256, seed: UInt64(number))
      let rows = (0..<height).map { y in Array(values[y * width..<(y + 1) * width]) }
      let residuals = (0..<height).flatMap { y in
        (0..<width).map { x in rows[y][x] - prediction(number, rows, x, y) - 3 }
      }
      var file = ModularFile(width: width, height: height, channels: [values])
      file.tree = [.leaf(predictor: number, offset: 3, shift: 0)]
      file.residuals = [residuals]
      let bitmap = try JXLDecoder().decode(file.codestream).bitmap
      #expect(bitmap.packedPixels.map(Int.init) == values)
    }
  }

  @Test func decisionsOnPositionAndNeighbours() throws {
    // Below row 1: the left neighbour; otherwise, right of column 2, constant 7; otherwise the stored value.
    let (width, height) = (6, 5)
    var rows = [[Int]](repeating: [], count: height)
    var residuals: [Int] = []
    let stored = samples(width * height, below: 100, seed: 4)
    for y in 0..<height {
      for x in 0..<width {
        let residual = stored[y * width + x]
        let base = y > 1 ? (x > 0 ? rows[y][x - 1] : rows[y - 1][0]) : x > 2 ? 7 : 0
        let value = y > 1 ? base : base + residual
        residuals.append(y > 1 ? 0 : residual)
        rows[y].append(value)
      }
    }
    var file = ModularFile(width: width, height: height, channels: [rows.flatMap { $0 }])
    file.tree = [
      .decision(property: 2, value: 1), .leaf(predictor: 1, offset: 0, shift: 0), .decision(property: 3, value: 2),
      .leaf(predictor: 0, offset: 7, shift: 0), .leaf(predictor: 0, offset: 0, shift: 0),
    ]
    file.residuals = [residuals]
    #expect(try JXLDecoder().decode(file.codestream).bitmap.packedPixels.map(Int.init) == rows.flatMap { $0 })
  }

  @Test func orientationIsApplied() throws {
    let values = Array(0..<6)
    let file = ModularFile(width: 3, height: 2, channels: [values], orientation: 6)
    let bitmap = try JXLDecoder().decode(file.codestream).bitmap
    #expect(bitmap.width == 2 && bitmap.height == 3)
    #expect(bitmap.packedPixels == [3, 0, 4, 1, 5, 2])
    #expect(try JXLDecoder().info(file.codestream).orientation == .right)
  }

  /// A colour transform: type 6, YCoCg, and type 10, a permutation with differences from the first channel.
  @Test func colorTransforms() throws {
    let (r, g, b) = (
      samples(20, below: 256, seed: 1), samples(20, below: 256, seed: 2), samples(20, below: 256, seed: 3)
    )
    var file = ModularFile(width: 5, height: 4, channels: [r, g, b])
    var transform = BitWriter()
    transform.write(0, 2)
    transform.writeU32(form: 0, 0, 3)
    transform.writeU32(form: 0)
    file.transforms = [transform]
    let co = zip(r, b).map { $0 - $1 }
    let t = zip(b, co).map { $0 + $1 >> 1 }
    let cg = zip(g, t).map { $0 - $1 }
    let luma = zip(t, cg).map { $0 + $1 >> 1 }
    file.residuals = [luma, co, cg]
    #expect(try JXLDecoder().decode(file.codestream).bitmap.packedPixels.map(Int.init) == interleaved([r, g, b]))
  }

  @Test func palettes() throws {
    let colors = [[10, 20, 30], [200, 100, 50], [255, 0, 255]]
    let indices = samples(24, below: 3, seed: 5)
    let channels = (0..<3).map { component in indices.map { colors[$0][component] } }
    var file = ModularFile(width: 6, height: 4, channels: channels)
    var transform = BitWriter()
    transform.write(1, 2)
    transform.writeU32(form: 0, 0, 3)
    transform.writeU32(form: 1)
    transform.writeU32(form: 0, 3, 8)
    transform.writeU32(form: 0)
    transform.write(0, 4)
    file.transforms = [transform]
    file.residuals = [(0..<3).flatMap { component in colors.map { $0[component] } }, indices]
    #expect(try JXLDecoder().decode(file.codestream).bitmap.packedPixels.map(Int.init) == interleaved(channels))
  }

  @Test func contract() {
    let channels = (0..<4).map { samples(6, below: 256, seed: UInt64($0 + 20)) }
    let file = ModularFile(width: 3, height: 2, channels: channels)
    #expect(DecoderContract(JXLDecoder(), file.codestream).violations().prefix(8) == [])
  }
}
