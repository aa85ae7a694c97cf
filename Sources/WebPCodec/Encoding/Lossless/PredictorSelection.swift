// The forward predictor transform: a mode for each block, and differences from predictions (RFC 9649, section 3.5.1).

internal import ImageCoding

/// The modes of an image's blocks.
struct PredictorModes {
  let blockBits: Int
  let columns: Int
  /// One mode per block.
  private(set) var modes: [UInt8]

  /// The modes as an image whose green samples they are.
  var pixels: [UInt32] { modes.map { 0xFF00_0000 | UInt32($0) << 8 } }

  static let modeCount = 14
  /// The work of predicting a pixel with one mode and counting its differences.
  private static let workPerPrediction = 9

  /// Selects the modes whose differences have the smallest entropy together with those of the blocks before.
  ///
  /// - Parameter triesAllModes: whether all modes are tried; otherwise all blocks have the mode 11.
  init(
    selectingFor pixels: Span<UInt32>, width: Int, height: Int, blockBits: Int, triesAllModes: Bool,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.blockBits = blockBits
    columns = InverseTransforms.blockCount(width, bits: blockBits)
    let rows = InverseTransforms.blockCount(height, bits: blockBits)
    modes = [UInt8](repeating: 11, count: columns * rows)
    guard triesAllModes else { return }
    var selection = ModeSelection(pixels.count)
    for blockRow in 0..<rows {
      let lines = blockRow << blockBits..<min(height, (blockRow + 1) << blockBits)
      for column in 0..<columns {
        let places = column << blockBits..<min(width, (column + 1) << blockBits)
        try budget.chargeWork(count: lines.count * places.count, unitsEach: Self.workPerPrediction * Self.modeCount)
        let left = column > 0 ? modes[blockRow * columns + column - 1] : 0xFF
        let above = blockRow > 0 ? modes[(blockRow - 1) * columns + column] : 0xFF
        modes[blockRow * columns + column] = selection.select(
          pixels, width: width, lines: lines, columns: places, left: left, above: above)
      }
    }
  }

  /// Returns the differences of all pixels from their predictions.
  ///
  /// - Parameter freesInvisibleColors: whether fully transparent pixels take the colours that are predicted for them.
  func differences(
    _ pixels: [UInt32], width: Int, height: Int, freesInvisibleColors: Bool
  ) -> [UInt32] {
    var pixels = pixels
    var result = [UInt32](repeating: 0, count: width * height)
    var output = result.mutableSpan
    for y in 0..<height {
      var line = output._mutatingExtracting(y * width..<(y + 1) * width)
      for column in 0..<columns {
        let range = column << blockBits..<min(width, (column + 1) << blockBits)
        let mode = modes[(y >> blockBits) * columns + column]
        if freesInvisibleColors {
          subtractFreely(&pixels, width: width, y: y, columns: range, mode: mode, into: &line)
        } else {
          subtractPredictions(pixels.span, width: width, y: y, columns: range, mode: mode, into: &line)
        }
      }
    }
    return result
  }

  private func subtractFreely(
    _ pixels: inout [UInt32], width: Int, y: Int, columns: Range<Int>, mode: UInt8, into line: inout MutableSpan<UInt32>
  ) {
    var x = columns.lowerBound
    while x < columns.upperBound {
      let isInvisible = pixels[y * width + x] < 0x0100_0000
      var end = x + 1
      if !isInvisible {
        while end < columns.upperBound, pixels[y * width + end] >= 0x0100_0000 { end += 1 }
      }
      subtractPredictions(pixels.span, width: width, y: y, columns: x..<end, mode: mode, into: &line)
      if isInvisible {
        // The prediction is what was subtracted.
        let predicted = subtractPixels(pixels[y * width + x], line[x])
        pixels[y * width + x] = predicted & 0x00FF_FFFF
        line[x] &= 0xFF00_0000
      }
      x = end
    }
  }
}

/// Stores the differences of a range of columns of a row, border pixels included, in the same columns.
private func subtractPredictions(
  _ pixels: Span<UInt32>, width: Int, y: Int, columns: Range<Int>, mode: UInt8, into line: inout MutableSpan<UInt32>
) {
  let start = y &* width
  var x = columns.lowerBound
  if y == 0 {
    while x < columns.upperBound {
      line[x] = subtractPixels(pixels[x], x == 0 ? 0xFF00_0000 : pixels[x &- 1])
      x &+= 1
    }
    return
  }
  if x == 0 {
    line[0] = subtractPixels(pixels[start], pixels[start &- width])
    x = 1
  }
  guard x < columns.upperBound else { return }
  var part = line._mutatingExtracting(x..<columns.upperBound)
  // From one pixel before the first one above to the pixel after the last one, which may begin the current row.
  predictionDifferences(
    pixels.extracting(start &- width &+ x &- 1..<start &- width &+ columns.upperBound &+ 1),
    pixels.extracting(start &+ x &- 1..<start &+ columns.upperBound), mode: mode, into: &part)
}

/// Compares the modes of a block.
private struct ModeSelection {
  /// The differences of one row of the block.
  private var line: [UInt32]
  /// The counts of the samples of each channel in the current block, and in all blocks so far.
  private var counts = [UInt32](repeating: 0, count: 1024)
  private var bestCounts = [UInt32](repeating: 0, count: 1024)
  private var total = [UInt32](repeating: 0, count: 1024)

  init(_ pixelCount: Int) {
    line = []
  }

  mutating func select(
    _ pixels: Span<UInt32>, width: Int, lines: Range<Int>, columns: Range<Int>, left: UInt8, above: UInt8
  ) -> UInt8 {
    if line.count < width { line = [UInt32](repeating: 0, count: width) }
    var best = (mode: 0 as UInt8, cost: Float.infinity)
    for mode in 0..<UInt8(PredictorModes.modeCount) {
      count(pixels, width: width, lines: lines, columns: columns, mode: mode)
      var cost = Self.cost(counts.span, total.span)
      // A mode that neighbours have is cheaper to code.
      if mode == left { cost -= 15 }
      if mode == above { cost -= 15 }
      if cost < best.cost {
        best = (mode, cost)
        swap(&counts, &bestCounts)
      }
    }
    for index in 0..<1024 { total[index] &+= bestCounts[index] }
    return best.mode
  }

  private mutating func count(
    _ pixels: Span<UInt32>, width: Int, lines: Range<Int>, columns: Range<Int>, mode: UInt8
  ) {
    Self.count(pixels, width: width, lines: lines, columns: columns, mode: mode, &counts, &line)
  }

  private static func count(
    _ pixels: Span<UInt32>, width: Int, lines: Range<Int>, columns: Range<Int>, mode: UInt8, _ counts: inout [UInt32],
    _ line: inout [UInt32]
  ) {
    var counts = counts.mutableSpan
    for index in counts.indices { counts[index] = 0 }
    var line = line.mutableSpan
    for y in lines {
      subtractPredictions(pixels, width: width, y: y, columns: columns, mode: mode, into: &line)
      var x = columns.lowerBound
      while x < columns.upperBound {
        let difference = line[x]
        counts[Int(truncatingIfNeeded: difference &>> 24)] &+= 1
        counts[Int(truncatingIfNeeded: 256 | difference &>> 16 & 0xFF)] &+= 1
        counts[Int(truncatingIfNeeded: 512 | difference &>> 8 & 0xFF)] &+= 1
        counts[Int(truncatingIfNeeded: 768 | difference & 0xFF)] &+= 1
        x &+= 1
      }
    }
  }

  /// Returns the entropy of a block's samples, alone and together with all others, less a bonus for small differences.
  private static func cost(_ counts: Span<UInt32>, _ total: Span<UInt32>) -> Float {
    let table = BinaryLogarithms.shared.products
    let products = table.span
    var cost: Float = 0
    for channel in 0..<4 {
      let base = channel &* 256
      cost += combinedEntropy(counts, total, base, products)
      // Small differences are good beyond their own entropy: they are easier to code for the groups to come.
      var bonus = Float(counts[base])
      var weight: Float = 0.94 * 0.6
      for magnitude in 1..<16 {
        bonus += weight * Float(counts[base &+ magnitude] &+ counts[base &+ 256 &- magnitude])
        weight *= 0.6
      }
      cost -= 0.1 * bonus
    }
    return cost
  }
}

/// Returns the entropy of a distribution plus that of its sum with another one. Both have 256 counts from `base` on.
@inline(__always)
func combinedEntropy(_ counts: Span<UInt32>, _ total: Span<UInt32>, _ base: Int, _ products: Span<Float>) -> Float {
  var sumOfProducts: Float = 0
  var (sum, sumOfBoth): (UInt32, UInt32) = (0, 0)
  var index = base
  while index < base &+ 256 {
    let count = counts[index]
    let both = count &+ total[index]
    if count != 0 {
      sum &+= count
      sumOfProducts += logarithmicProduct(count, products)
      sumOfProducts += logarithmicProduct(both, products)
    } else if both != 0 {
      sumOfProducts += logarithmicProduct(both, products)
    }
    sumOfBoth &+= both
    index &+= 1
  }
  return logarithmicProduct(sum, products) + logarithmicProduct(sumOfBoth, products) - sumOfProducts
}
