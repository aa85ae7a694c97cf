// Perlin noise as defined by the reference generator of the Filter Effects specification (section 9.21; independent of
// SVG): its random numbers, gradient lattice and sum of octaves. All four channels are computed together.

package import ImageCore

/// A noise texture.
package struct Turbulence: Hashable, Sendable {
  /// Further octaves contribute less than a tenth of an 8-bit step.
  package static let maximumOctaveCount = 12

  package var frequencyX: Double
  package var frequencyY: Double
  package var octaveCount: Int
  package var seed: Int
  /// A rectangle of user space at whose edges the texture tiles seamlessly; `nil` for no tiling.
  package var tile: Rect?
  /// Whether octaves are added with their signs.
  package var isFractalNoise: Bool

  package init(
    frequencyX: Double, frequencyY: Double, octaveCount: Int, seed: Int, tile: Rect?, isFractalNoise: Bool
  ) {
    self.frequencyX = frequencyX
    self.frequencyY = frequencyY
    self.octaveCount = min(max(octaveCount, 0), Self.maximumOctaveCount)
    self.seed = seed
    self.tile = tile
    self.isFractalNoise = isFractalNoise
  }

  /// Returns the pixels of an area.
  ///
  /// - Parameter toPixels: the transform from user space to pixels, without rotation or skew. The texture is evaluated
  ///   at the top left corner of each pixel.
  package func draw(
    area: PixelRect, toPixels: AffineTransform, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    guard !area.isEmpty, let inverse = toPixels.inverted else { return Layer(bounds: .empty) }
    let lattice = NoiseLattice(seed: seed)
    var stitching: Stitching?
    var frequency = Point(x: frequencyX, y: frequencyY)
    if let tile {
      frequency = Point(x: adjusted(frequencyX, tile.width), y: adjusted(frequencyY, tile.height))
      stitching = Stitching(tile, frequency)
    }
    var result = Layer(bounds: area)
    let scale = isFractalNoise ? Float(127.5) : 255
    let offset = isFractalNoise ? Float(127.5) : 0
    // A pixel takes up to a quarter of a microsecond, so rows are divided to allow timely cancellation.
    try result.updateNumberedRows(interruption) { row, y in
      for index in row.indices {
        let place = inverse.apply(Point(x: Double(area.minX &+ index), y: Double(y)))
        let sum = self.sum(Point(x: place.x * frequency.x, y: place.y * frequency.y), stitching, lattice)
        row[index] = premultipliedWord(sum * scale + offset)
      }
    }
    return result
  }

  /// The sum of all octaves at a point of the lattice.
  private func sum(_ place: Point, _ stitching: Stitching?, _ lattice: NoiseLattice) -> FloatPixel {
    var sum = FloatPixel(repeating: 0)
    var place = place
    var stitching = stitching
    var weight: Float = 1
    for _ in 0..<octaveCount {
      let noise = lattice.noise(place, stitching)
      let signed = isFractalNoise ? noise : noise.replacing(with: -noise, where: noise .< FloatPixel(repeating: 0))
      sum += signed * weight
      place = Point(x: place.x * 2, y: place.y * 2)
      weight /= 2
      stitching?.doubleFrequency()
    }
    return sum
  }

  /// The frequency closest in proportion that has a whole number of periods in a length.
  private func adjusted(_ frequency: Double, _ length: Double) -> Double {
    guard frequency > 0, length > 0 else { return frequency }
    let low = (length * frequency).rounded(.down) / length
    let high = (length * frequency).rounded(.up) / length
    return low > 0 && frequency / low < high / frequency ? low : high
  }
}

/// The position at which the lattice wraps.
struct Stitching: Hashable {
  private(set) var width: Int
  private(set) var height: Int
  private(set) var wrapX: Int
  private(set) var wrapY: Int

  init(_ tile: Rect, _ frequency: Point) {
    func integer(_ value: Double) -> Int { Int(min(max(-0x1p30, value), 0x1p30)) }
    width = integer(tile.width * frequency.x + 0.5)
    height = integer(tile.height * frequency.y + 0.5)
    wrapX = integer(tile.x * frequency.x) + NoiseLattice.origin + width
    wrapY = integer(tile.y * frequency.y) + NoiseLattice.origin + height
  }

  mutating func doubleFrequency() {
    width *= 2
    height *= 2
    wrapX = 2 * wrapX - NoiseLattice.origin
    wrapY = 2 * wrapY - NoiseLattice.origin
  }
}

/// The permuted lattice and the gradients of four channels.
struct NoiseLattice {
  /// The offset added to coordinates to make them positive (`PerlinN`).
  static let origin = 4096
  private static let size = 256

  private var selector: [Int]
  private var gradientX: [FloatPixel]
  private var gradientY: [FloatPixel]

  init(seed: Int) {
    let size = Self.size
    var random = ReferenceRandom(seed: seed)
    selector = Array(0..<size)
    gradientX = Array(repeating: FloatPixel(repeating: 0), count: size)
    gradientY = gradientX
    for channel in 0..<4 {
      for index in 0..<size {
        let x = Double(random.next() % (2 * size) - size) / Double(size)
        let y = Double(random.next() % (2 * size) - size) / Double(size)
        let length = (x * x + y * y).squareRoot()
        gradientX[index][channel] = length > 0 ? Float(x / length) : 0
        gradientY[index][channel] = length > 0 ? Float(y / length) : 0
      }
    }
    for index in (1..<size).reversed() { selector.swapAt(index, random.next() % size) }
    // Sums of two entries and one stay in range.
    selector += selector + selector[..<2]
    gradientX += gradientX + gradientX[..<2]
    gradientY += gradientY + gradientY[..<2]
  }

  /// The noise of all channels at a point.
  @inline(__always)
  func noise(_ place: Point, _ stitching: Stitching?) -> FloatPixel {
    let (left, fractionX) = split(place.x)
    let (top, fractionY) = split(place.y)
    var (x0, x1, y0, y1) = (left, left &+ 1, top, top &+ 1)
    if let stitching {
      if x0 >= stitching.wrapX { x0 &-= stitching.width }
      if x1 >= stitching.wrapX { x1 &-= stitching.width }
      if y0 >= stitching.wrapY { y0 &-= stitching.height }
      if y1 >= stitching.wrapY { y1 &-= stitching.height }
    }
    let row0 = selector[x0 & 255]
    let row1 = selector[x1 & 255]
    let (rx, ry) = (Float(fractionX), Float(fractionY))
    let weightX = rx * rx * (3 - 2 * rx)
    let weightY = ry * ry * (3 - 2 * ry)
    let upper0 = slope(selector[row0 &+ (y0 & 255)], rx, ry)
    let upper1 = slope(selector[row1 &+ (y0 & 255)], rx - 1, ry)
    let lower0 = slope(selector[row0 &+ (y1 & 255)], rx, ry - 1)
    let lower1 = slope(selector[row1 &+ (y1 & 255)], rx - 1, ry - 1)
    let upper = upper0 + (upper1 - upper0) * weightX
    let lower = lower0 + (lower1 - lower0) * weightX
    return upper + (lower - upper) * weightY
  }

  @inline(__always)
  private func slope(_ index: Int, _ x: Float, _ y: Float) -> FloatPixel {
    gradientX[index] * x + gradientY[index] * y
  }

  /// The lattice column of a coordinate and the remaining fraction, truncated towards zero as in the reference.
  @inline(__always)
  private func split(_ value: Double) -> (Int, Double) {
    let shifted = value + Double(Self.origin)
    guard abs(shifted) < 0x1p50 else { return (0, 0) }
    let whole = Int(shifted)
    return (whole, shifted - Double(whole))
  }
}

/// The random number generator of the specification: 16807 times the previous number, modulo 2^31 - 1.
struct ReferenceRandom {
  private static let modulus: Int64 = 2_147_483_647
  private var value: Int64

  init(seed: Int) {
    var seed = min(max(Int64(seed), -(1 << 31)), 1 << 31)
    if seed <= 0 { seed = -seed % (Self.modulus - 1) + 1 }
    value = min(seed, Self.modulus - 1)
  }

  mutating func next() -> Int {
    value = value * 16807 % Self.modulus
    return Int(truncatingIfNeeded: value)
  }
}
