// The forward colour transform: red and blue less what green and red predict of them, with factors for each block
// (RFC 9649, section 3.5.2).

internal import ImageCoding

/// The factors of an image's blocks.
struct ColorFactors {
  let blockBits: Int
  let columns: Int
  /// Green to red in the lowest byte, green to blue in the second, red to blue in the third; in units of 1/32.
  private(set) var factors: [UInt32]

  /// The factors as an image.
  var pixels: [UInt32] { factors.map { 0xFF00_0000 | $0 } }

  /// The work of searching the factors of a pixel's block.
  private static let workPerPixel = 120

  /// Selects the factors with the smallest entropy of red and blue.
  ///
  /// - Parameter iterationCount: how often the step of the search is halved, 1…7.
  init(
    selectingFor pixels: Span<UInt32>, width: Int, height: Int, blockBits: Int, iterationCount: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.blockBits = blockBits
    columns = InverseTransforms.blockCount(width, bits: blockBits)
    let rows = InverseTransforms.blockCount(height, bits: blockBits)
    factors = [UInt32](repeating: 0, count: columns * rows)
    var search = FactorSearch(iterationCount: iterationCount, capacity: 1 << (2 * blockBits))
    for row in 0..<rows {
      let lines = row << blockBits..<min(height, (row + 1) << blockBits)
      for column in 0..<columns {
        let places = column << blockBits..<min(width, (column + 1) << blockBits)
        try budget.chargeWork(count: lines.count * places.count, unitsEach: Self.workPerPixel)
        let place = row * columns + column
        factors[place] = search.select(
          pixels, width: width, lines: lines, columns: places,
          left: column > 0 ? factors[place - 1] : 0, above: row > 0 ? factors[place - columns] : 0)
      }
    }
  }

  /// Replaces pixels by what the factors leave of them.
  func apply(to pixels: inout MutableSpan<UInt32>, width: Int, height: Int) {
    for y in 0..<height {
      for column in 0..<columns {
        let factor = factors[(y >> blockBits) * columns + column]
        let end = y * width + min(width, (column + 1) << blockBits)
        var index = y * width + column << blockBits
        while index < end {
          pixels[index] = subtractColorPredictions(pixels[index], factor)
          index &+= 1
        }
      }
    }
  }
}

/// Returns the product of a factor and a sample, both signed, in units of 1/32.
@inline(__always)
private func prediction(_ factor: Int32, _ sample: Int32) -> Int32 { (factor &* sample) &>> 5 }

@inline(__always)
private func signed(_ value: UInt32) -> Int32 { Int32(Int8(truncatingIfNeeded: value)) }

@inline(__always)
private func subtractColorPredictions(_ pixel: UInt32, _ factors: UInt32) -> UInt32 {
  let (green, red) = (signed(pixel &>> 8), signed(pixel &>> 16))
  let newRed = red &- prediction(signed(factors), green)
  let newBlue =
    Int32(truncatingIfNeeded: pixel & 0xFF) &- prediction(signed(factors &>> 8), green)
    &- prediction(signed(factors &>> 16), red)
  return (pixel & 0xFF00_FF00) | UInt32(truncatingIfNeeded: newRed & 0xFF) &<< 16
    | UInt32(truncatingIfNeeded: newBlue & 0xFF)
}

/// Searches the factors of one block after another.
private struct FactorSearch {
  private let iterationCount: Int
  /// Green, red and blue of the block's pixels, as signed samples.
  private var samples: [SIMD4<Int32>]
  private var pixelCount = 0
  private var counts = [UInt32](repeating: 0, count: 256)
  private var totalRed = [UInt32](repeating: 0, count: 256)
  private var totalBlue = [UInt32](repeating: 0, count: 256)

  init(iterationCount: Int, capacity: Int) {
    self.iterationCount = iterationCount
    samples = [SIMD4<Int32>](repeating: SIMD4(), count: capacity)
  }

  mutating func select(
    _ pixels: Span<UInt32>, width: Int, lines: Range<Int>, columns: Range<Int>, left: UInt32, above: UInt32
  ) -> UInt32 {
    collect(pixels, width: width, lines: lines, columns: columns)
    let greenToRed = selectRed(left, above)
    let (greenToBlue, redToBlue) = selectBlue(left, above)
    countRed(greenToRed)
    for index in 0..<256 { totalRed[index] &+= counts[index] }
    countBlue(greenToBlue, redToBlue)
    for index in 0..<256 { totalBlue[index] &+= counts[index] }
    return UInt32(truncatingIfNeeded: greenToRed & 0xFF) | UInt32(truncatingIfNeeded: greenToBlue & 0xFF) << 8
      | UInt32(truncatingIfNeeded: redToBlue & 0xFF) << 16
  }

  private mutating func collect(_ pixels: Span<UInt32>, width: Int, lines: Range<Int>, columns: Range<Int>) {
    pixelCount = 0
    var previous: UInt32?
    for y in lines {
      var index = y &* width &+ columns.lowerBound
      let end = y &* width &+ columns.upperBound
      while index < end {
        let pixel = pixels[index]
        index &+= 1
        // Repeated pixels will be copied for the most part.
        if pixel == previous, columns.count > 1 { continue }
        previous = pixel
        samples[pixelCount] = SIMD4(signed(pixel &>> 8), signed(pixel &>> 16), signed(pixel), 0)
        pixelCount &+= 1
      }
    }
  }

  private mutating func selectRed(_ left: UInt32, _ above: UInt32) -> Int32 {
    var best: Int32 = 0
    var bestCost = redCost(0, left, above)
    for iteration in 0..<min(6, iterationCount) {
      let step: Int32 = 32 >> Int32(iteration)
      for factor in [best - step, best + step] {
        let cost = redCost(factor, left, above)
        if cost < bestCost { (best, bestCost) = (factor, cost) }
      }
    }
    return best
  }

  private static let directions: [(Int32, Int32)] = [
    (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1),
  ]
  private static let steps: [Int32] = [16, 16, 8, 4, 2, 2, 2]

  private mutating func selectBlue(_ left: UInt32, _ above: UInt32) -> (Int32, Int32) {
    var best: (Int32, Int32) = (0, 0)
    var bestCost = blueCost(0, 0, left, above)
    for step in Self.steps.prefix(iterationCount) {
      let start = best
      for direction in Self.directions {
        let (green, red) = (start.0 + direction.0 * step, start.1 + direction.1 * step)
        let cost = blueCost(green, red, left, above)
        if cost < bestCost { (best, bestCost) = ((green, red), cost) }
      }
      if step == 2, best == start { break }
    }
    return best
  }

  private mutating func redCost(_ factor: Int32, _ left: UInt32, _ above: UInt32) -> Float {
    countRed(factor)
    var cost = Self.cost(counts.span, totalRed.span)
    if factor & 0xFF == Int32(left & 0xFF) { cost -= 3 }
    if factor & 0xFF == Int32(above & 0xFF) { cost -= 3 }
    return factor == 0 ? cost - 3 : cost
  }

  private mutating func blueCost(_ green: Int32, _ red: Int32, _ left: UInt32, _ above: UInt32) -> Float {
    countBlue(green, red)
    var cost = Self.cost(counts.span, totalBlue.span)
    for neighbor in [left, above] {
      if green & 0xFF == Int32(neighbor >> 8 & 0xFF) { cost -= 3 }
      if red & 0xFF == Int32(neighbor >> 16 & 0xFF) { cost -= 3 }
    }
    if green == 0 { cost -= 3 }
    return red == 0 ? cost - 3 : cost
  }

  private mutating func countRed(_ factor: Int32) {
    let (pixels, pixelCount) = (samples, pixelCount)
    let samples = pixels.span
    var counts = counts.mutableSpan
    for index in counts.indices { counts[index] = 0 }
    var index = 0
    while index < pixelCount {
      let sample = samples[index]
      counts[Int((sample.y &- prediction(factor, sample.x)) & 0xFF)] &+= 1
      index &+= 1
    }
  }

  private mutating func countBlue(_ green: Int32, _ red: Int32) {
    let (pixels, pixelCount) = (samples, pixelCount)
    let samples = pixels.span
    var counts = counts.mutableSpan
    for index in counts.indices { counts[index] = 0 }
    var index = 0
    while index < pixelCount {
      let sample = samples[index]
      counts[Int((sample.z &- prediction(green, sample.x) &- prediction(red, sample.y)) & 0xFF)] &+= 1
      index &+= 1
    }
  }

  /// Returns the entropy of the block's samples, alone and together with all others, less a bonus for small ones.
  private static func cost(_ counts: Span<UInt32>, _ total: Span<UInt32>) -> Float {
    let table = BinaryLogarithms.shared.products
    let products = table.span
    var bonus = 3 * Float(counts[0])
    var weight: Float = 2.4 * 0.6
    for magnitude in 1..<16 {
      bonus += weight * Float(counts[magnitude] &+ counts[256 &- magnitude])
      weight *= 0.6
    }
    return combinedEntropy(counts, total, 0, products) - 0.1 * bonus
  }
}
