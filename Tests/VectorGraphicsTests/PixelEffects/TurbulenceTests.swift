import ImageCore
import Testing
import VectorGraphics

/// The reference generator of Filter Effects 1, section 9.21, in plain steps and double precision.
private struct ReferenceTurbulence {
  var lattice = [Int](repeating: 0, count: 514)
  var gradient = [[[Double]]](repeating: [[Double]](repeating: [0, 0], count: 514), count: 4)

  init(seed: Int) {
    // Schrage's method, as the text has it: a = 16807, q = 127773, r = 2836.
    func random(_ seed: Int) -> Int {
      let result = 16807 * (seed % 127773) - 2836 * (seed / 127773)
      return result <= 0 ? result + 2_147_483_647 : result
    }
    var value = seed <= 0 ? -(seed % 2_147_483_646) + 1 : min(seed, 2_147_483_646)
    for k in 0..<4 {
      for i in 0..<256 {
        lattice[i] = i
        for j in 0..<2 {
          value = random(value)
          gradient[k][i][j] = Double(value % 512 - 256) / 256
        }
        let s = (gradient[k][i][0] * gradient[k][i][0] + gradient[k][i][1] * gradient[k][i][1]).squareRoot()
        gradient[k][i][0] /= s
        gradient[k][i][1] /= s
      }
    }
    for i in stride(from: 255, to: 0, by: -1) {
      let k = lattice[i]
      value = random(value)
      let j = value % 256
      lattice[i] = lattice[j]
      lattice[j] = k
    }
    for i in 0..<258 {
      lattice[256 + i] = lattice[i]
      for k in 0..<4 { gradient[k][256 + i] = gradient[k][i] }
    }
  }

  struct Stitch {
    var width = 0
    var height = 0
    var wrapX = 0
    var wrapY = 0
  }

  func noise2(_ channel: Int, _ x: Double, _ y: Double, _ stitch: Stitch?) -> Double {
    var t = x + 4096
    var (bx0, bx1) = (Int(t), Int(t) + 1)
    let rx0 = t - Double(Int(t))
    let rx1 = rx0 - 1
    t = y + 4096
    var (by0, by1) = (Int(t), Int(t) + 1)
    let ry0 = t - Double(Int(t))
    let ry1 = ry0 - 1
    if let stitch {
      if bx0 >= stitch.wrapX { bx0 -= stitch.width }
      if bx1 >= stitch.wrapX { bx1 -= stitch.width }
      if by0 >= stitch.wrapY { by0 -= stitch.height }
      if by1 >= stitch.wrapY { by1 -= stitch.height }
    }
    bx0 &= 255
    bx1 &= 255
    by0 &= 255
    by1 &= 255
    let (i, j) = (lattice[bx0], lattice[bx1])
    let (b00, b10, b01, b11) = (lattice[i + by0], lattice[j + by0], lattice[i + by1], lattice[j + by1])
    func curve(_ t: Double) -> Double { t * t * (3 - 2 * t) }
    func lerp(_ t: Double, _ a: Double, _ b: Double) -> Double { a + t * (b - a) }
    let (sx, sy) = (curve(rx0), curve(ry0))
    let q = gradient[channel]
    let a = lerp(sx, rx0 * q[b00][0] + ry0 * q[b00][1], rx1 * q[b10][0] + ry0 * q[b10][1])
    let b = lerp(sx, rx0 * q[b01][0] + ry1 * q[b01][1], rx1 * q[b11][0] + ry1 * q[b11][1])
    return lerp(sy, a, b)
  }

  func turbulence(
    _ channel: Int, _ point: (Double, Double), _ frequency: (Double, Double), _ octaves: Int, isFractal: Bool,
    tile: Rect?
  ) -> Double {
    var (fx, fy) = frequency
    var stitch: Stitch?
    if let tile {
      func adjust(_ frequency: Double, _ size: Double) -> Double {
        if frequency == 0 { return 0 }
        let low = (size * frequency).rounded(.down) / size
        let high = (size * frequency).rounded(.up) / size
        return frequency / low < high / frequency ? low : high
      }
      fx = adjust(fx, tile.width)
      fy = adjust(fy, tile.height)
      var own = Stitch()
      own.width = Int(tile.width * fx + 0.5)
      own.wrapX = Int(tile.x * fx) + 4096 + own.width
      own.height = Int(tile.height * fy + 0.5)
      own.wrapY = Int(tile.y * fy) + 4096 + own.height
      stitch = own
    }
    var sum = 0.0
    var (x, y) = (point.0 * fx, point.1 * fy)
    var ratio = 1.0
    for _ in 0..<octaves {
      let value = noise2(channel, x, y, stitch)
      sum += (isFractal ? value : abs(value)) / ratio
      x *= 2
      y *= 2
      ratio *= 2
      if var own = stitch {
        own.width *= 2
        own.wrapX = 2 * own.wrapX - 4096
        own.height *= 2
        own.wrapY = 2 * own.wrapY - 4096
        stitch = own
      }
    }
    return isFractal ? (sum * 255 + 255) / 2 : sum * 255
  }
}

@Suite struct TurbulenceTests {
  private let area = PixelRect(x: -9, y: 14, width: 61, height: 37)

  @Test(arguments: [0, 1, -20, 20, 2_147_483_647, -2_147_483_648], [false, true])
  func equalsTheReference(_ seed: Int, _ isFractal: Bool) throws {
    let reference = ReferenceTurbulence(seed: seed)
    let toPixels = AffineTransform(1.5, 0, 0, 0.75, 3.25, -1)
    for tile in [nil, Rect(x: -4, y: 20, width: 41.5, height: 33)] {
      let effect = Turbulence(
        frequencyX: 0.053, frequencyY: 0.11, octaveCount: 3, seed: seed, tile: tile, isFractalNoise: isFractal)
      let result = try effect.draw(area: area, toPixels: toPixels)
      let difference = largestDifference(result, area) { x, y in
        let point = ((Double(x) - 3.25) / 1.5, (Double(y) + 1) / 0.75)
        return premultiplied(
          (0..<4).map { channel in
            reference.turbulence(
              channel, point, (0.053, 0.11), 3, isFractal: isFractal, tile: tile) / 255
          })
      }
      #expect(difference <= 1.01, "\(seed) \(isFractal) \(String(describing: tile))")
    }
  }

  @Test func extremes() throws {
    for frequency in [0, 1e-300, 1e300] {
      let effect = Turbulence(
        frequencyX: frequency, frequencyY: frequency, octaveCount: .max, seed: .min, tile: nil, isFractalNoise: true)
      #expect(effect.octaveCount == Turbulence.maximumOctaveCount)
      let result = try effect.draw(area: area, toPixels: .identity)
      #expect(result.bounds == area)
    }
    let none = Turbulence(
      frequencyX: 0.1, frequencyY: 0.1, octaveCount: 0, seed: 1, tile: nil, isFractalNoise: false)
    let empty = try none.draw(area: area, toPixels: .identity)
    #expect(largestDifference(empty, area) { _, _ in [0, 0, 0, 0] } == 0)
    #expect(try none.draw(area: area, toPixels: .scale(x: 0, y: 1)).bounds.isEmpty)
  }
}
