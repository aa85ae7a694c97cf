// Sharp chroma: luma and chroma are adjusted to each other until the picture that a decoder will show has the luminance of
// the original at every pixel, also where subsampled chroma spreads over an edge.

internal import ImageCoding

/// Finds the planes of a picture by iteration.
struct SharpChromaConverter {
  private let width: Int
  private let height: Int
  private let chromaWidth: Int
  private let chromaHeight: Int
  private let transfer = TransferTables()
  /// The gray of each pixel, as it is now, and the luminance that it shall have.
  private var gray: [Float]
  private var luminance: [Float]
  /// The differences of red, green and blue from gray for each 2 × 2 pixels, as they are now and as they shall be.
  private var differences: [SIMD4<Float>]
  private var targets: [SIMD4<Float>]

  private static let iterationCount = 4
  /// The work of an iteration per pixel, and the bytes held.
  private static let workPerPixel = 60
  static let bytesPerPixel = 16

  init(_ picture: EncodablePicture) {
    (width, height) = (picture.size.width, picture.size.height)
    (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
    gray = []
    luminance = []
    gray.reserveCapacity(width * height)
    luminance.reserveCapacity(width * height)
    for pixel in picture.pixels {
      let color = Self.color(pixel)
      gray.append(Self.gray(color))
      luminance.append(transfer.luminance(color))
    }
    targets = []
    targets.reserveCapacity(chromaWidth * chromaHeight)
    for y in 0..<chromaHeight {
      for x in 0..<chromaWidth {
        let (right, bottom) = (min(2 * x + 1, width - 1), min(2 * y + 1, height - 1))
        targets.append(
          transfer.difference(
            Self.color(picture.pixels[2 * y * width + 2 * x]), Self.color(picture.pixels[2 * y * width + right]),
            Self.color(picture.pixels[bottom * width + 2 * x]), Self.color(picture.pixels[bottom * width + right])))
      }
    }
    differences = targets
  }

  /// Improves the planes. They converge within a few iterations.
  mutating func iterate(_ budget: inout ResourceBudget) throws(CodecError) {
    var previousError = Float.infinity
    for _ in 0..<Self.iterationCount {
      let current = differences
      var error: Float = 0
      for y in 0..<chromaHeight {
        try budget.chargeWork(count: width, unitsEach: 2 * Self.workPerPixel)
        for x in 0..<chromaWidth { error += adjust(x, y, current) }
      }
      if error < 3 * Float(width * height) / 100 || error > previousError { break }
      previousError = error
    }
  }

  /// Adjusts 2 × 2 pixels, and returns how far their luminance was from that of the original.
  private mutating func adjust(_ x: Int, _ y: Int, _ current: [SIMD4<Float>]) -> Float {
    let (right, bottom) = (min(2 * x + 1, width - 1), min(2 * y + 1, height - 1))
    let places = [(2 * x, 2 * y), (right, 2 * y), (2 * x, bottom), (right, bottom)]
    var colors = InlineArray<4, SIMD4<Float>>(repeating: SIMD4())
    var error: Float = 0
    for index in 0..<4 {
      let (column, row) = places[index]
      let pixel = row * width + column
      // A neighbour beyond the edge is the cell itself.
      let besideX = min(max(x + (column & 1 == 0 ? -1 : 1), 0), chromaWidth - 1)
      let besideY = min(max(y + (row & 1 == 0 ? -1 : 1), 0), chromaHeight - 1)
      let near = current[y * chromaWidth + x] * 9 + current[y * chromaWidth + besideX] * 3
      let far = current[besideY * chromaWidth + x] * 3 + current[besideY * chromaWidth + besideX]
      let color = ((near + far) * (1 / 16) + gray[pixel]).clamped(
        lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
      colors[index] = color
    }
    for index in 0..<4 {
      let (column, row) = places[index]
      // At an odd edge a pixel occurs twice.
      if (index & 1 == 1 && column == 2 * x) || (index >= 2 && row == 2 * y) { continue }
      let pixel = row * width + column
      let difference = luminance[pixel] - transfer.luminance(colors[index])
      error += abs(difference)
      gray[pixel] = min(max(gray[pixel] + difference, 0), 255)
    }
    let cell = y * chromaWidth + x
    differences[cell] += targets[cell] - transfer.difference(colors[0], colors[1], colors[2], colors[3])
    return error
  }

  /// Returns the luma of a pixel.
  func luma(x: Int, y: Int) -> UInt8 {
    let color = differences[(y / 2) * chromaWidth + x / 2] + gray[y * width + x]
    return Self.sample((16839 * color.x + 33059 * color.y + 6420 * color.z) / 65_536 + 16)
  }

  /// Returns U and V of 2 × 2 pixels.
  func chroma(x: Int, y: Int) -> (u: UInt8, v: UInt8) {
    let color = differences[y * chromaWidth + x]
    return (
      Self.sample((-9719 * color.x - 19081 * color.y + 28800 * color.z) / 65_536 + 128),
      Self.sample((28800 * color.x - 24116 * color.y - 4684 * color.z) / 65_536 + 128)
    )
  }

  // MARK: Colours

  @inline(__always)
  private static func color(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4(Float(pixel &>> 16 & 0xFF), Float(pixel &>> 8 & 0xFF), Float(pixel & 0xFF), 0)
  }

  /// Returns the gray of a colour: BT.709's weights on samples that are not linear.
  @inline(__always)
  fileprivate static func gray(_ color: SIMD4<Float>) -> Float {
    0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
  }

  @inline(__always)
  private static func sample(_ value: Float) -> UInt8 { UInt8(min(max(value + 0.5, 0), 255)) }
}

/// BT.709's transfer function and its inverse, by tables.
private struct TransferTables {
  /// The linear values of samples, and the samples of linear values, at equal steps of their ranges.
  private let linear: [Float]
  private let samples: [Float]

  private static let stepCount = 1024

  init() {
    let steps = Self.stepCount
    linear = (0...steps + 1).map { step in
      let value = min(1, Double(step) / Double(steps))
      return Float(value < 0.081 ? value / 4.5 : ElementaryFunctions.power((value + 0.099) / 1.099, 1 / 0.45))
    }
    samples = (0...steps + 1).map { step in
      let value = min(1, Double(step) / Double(steps))
      return Float(255 * (value < 0.018 ? value * 4.5 : 1.099 * ElementaryFunctions.power(value, 0.45) - 0.099))
    }
  }

  @inline(__always)
  private func value(_ table: [Float], _ position: Float) -> Float {
    let index = Int(position)
    let part = position - Float(index)
    return table[index] * (1 - part) + table[index + 1] * part
  }

  /// Returns the linear value of a sample of 0…255.
  @inline(__always)
  private func linear(_ sample: Float) -> Float { value(linear, sample * (Float(Self.stepCount) / 255)) }

  /// Returns the sample of a linear value.
  @inline(__always)
  private func sample(_ linear: Float) -> Float {
    value(samples, min(max(linear, 0), 1) * Float(Self.stepCount))
  }

  /// Returns the luminance of a colour, as the sample of a gray that is as bright.
  @inline(__always)
  func luminance(_ color: SIMD4<Float>) -> Float {
    sample(0.2126 * linear(color.x) + 0.7152 * linear(color.y) + 0.0722 * linear(color.z))
  }

  /// Returns the average of four colours in linear light, less its gray.
  @inline(__always)
  func difference(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> SIMD4<Float> {
    let average = SIMD4(
      sample((linear(a.x) + linear(b.x) + linear(c.x) + linear(d.x)) / 4),
      sample((linear(a.y) + linear(b.y) + linear(c.y) + linear(d.y)) / 4),
      sample((linear(a.z) + linear(b.z) + linear(c.z) + linear(d.z)) / 4), 0)
    var difference = average - SharpChromaConverter.gray(average)
    difference.w = 0
    return difference
  }
}
