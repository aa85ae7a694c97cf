// Which transforms make an image smaller, estimated from entropies of samples.

internal import ImageCoding

/// The transforms that are applied to an image.
struct TransformChoice: Hashable {
  var usesPalette = false
  var subtractsGreen = false
  var usesPredictor = false
  /// Whether red and blue are predicted from green; of use only after a predictor.
  var usesColorTransform = false

  /// Estimates the entropies with each combination.
  ///
  /// - Parameters:
  ///   - paletteCount: the number of the image's colours; `nil` if there are too many for a palette.
  ///   - blockCount: the number of blocks of the predictor.
  init(
    for pixels: Span<UInt32>, width: Int, height: Int, paletteCount: Int?, blockCount: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if let paletteCount, paletteCount <= 16 {
      usesPalette = true
      return
    }
    try budget.requireWork(count: pixels.count, unitsEach: SampleHistograms.workPerPixel)
    let histograms = try SampleHistograms(pixels, width: width, height: height, &budget)
    typealias Sample = SampleHistograms.Sample
    func bits(_ samples: [Sample]) -> Float { samples.reduce(0) { $0 + histograms.bits($1) } }
    let plain = bits([.alpha, .red, .green, .blue])
    let greenless = bits([.alpha, .redLessGreen, .green, .blueLessGreen])
    var costs: [(cost: Float, choice: (green: Bool, predictor: Bool, palette: Bool))] = [
      (plain, (false, false, false)), (greenless, (true, false, false)),
      (
        bits([.alphaStep, .redStep, .greenStep, .blueStep]) + Float(blockCount) * 3.807,
        (false, true, false)
      ),
      (
        bits([.alphaStep, .redLessGreenStep, .greenStep, .blueLessGreenStep]) + Float(blockCount) * 4.585,
        (true, true, false)
      ),
    ]
    if let paletteCount { costs.append((bits([.palette]) + Float(paletteCount * 8), (false, false, true))) }
    var best = costs[0]
    for candidate in costs.dropFirst() where candidate.cost < best.cost { best = candidate }
    subtractsGreen = best.choice.green
    usesPredictor = best.choice.predictor
    usesPalette = best.choice.palette
    let isColorless =
      subtractsGreen
      ? histograms.isZero(usesPredictor ? .redLessGreenStep : .redLessGreen)
        && histograms.isZero(usesPredictor ? .blueLessGreenStep : .blueLessGreen)
      : histograms.isZero(usesPredictor ? .redStep : .red) && histograms.isZero(usesPredictor ? .blueStep : .blue)
    usesColorTransform = usesPredictor && !isColorless
  }
}

/// The histograms of samples before and after simple transforms. Pixels equal to a neighbour are not counted, because they
/// will be copied.
private struct SampleHistograms {
  enum Sample: Int, CaseIterable {
    case alpha, red, green, blue, redLessGreen, blueLessGreen
    case alphaStep, redStep, greenStep, blueStep, redLessGreenStep, blueLessGreenStep
    /// A hash of the pixel, in place of its index.
    case palette
  }

  private var counts = [UInt32](repeating: 0, count: 256 * Sample.allCases.count)

  static let workPerPixel = 15

  /// Counts the samples. The work is charged row by row.
  init(_ pixels: Span<UInt32>, width: Int, height: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    var span = counts.mutableSpan
    var previous = pixels[0]
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: Self.workPerPixel)
      Self.count(y * width..<(y + 1) * width, of: pixels, width: width, previous: &previous, &span)
    }
  }

  @inline(__always)
  private static func count(
    _ row: Range<Int>, of pixels: Span<UInt32>, width: Int, previous: inout UInt32, _ span: inout MutableSpan<UInt32>
  ) {
    for index in row {
      let pixel = pixels[index]
      let step = subtractPixels(pixel, previous)
      previous = pixel
      if step == 0 || (index >= width && pixel == pixels[index &- width]) { continue }
      count(&span, .alpha, pixel &>> 24)
      count(&span, .red, pixel &>> 16)
      count(&span, .green, pixel &>> 8)
      count(&span, .blue, pixel)
      count(&span, .redLessGreen, pixel &>> 16 &- pixel &>> 8)
      count(&span, .blueLessGreen, pixel &- pixel &>> 8)
      count(&span, .alphaStep, step &>> 24)
      count(&span, .redStep, step &>> 16)
      count(&span, .greenStep, step &>> 8)
      count(&span, .blueStep, step)
      count(&span, .redLessGreenStep, step &>> 16 &- step &>> 8)
      count(&span, .blueLessGreenStep, step &- step &>> 8)
      count(&span, .palette, (pixel &* 0x39C5_FBA7) &>> 24)
    }
  }

  @inline(__always)
  private static func count(_ counts: inout MutableSpan<UInt32>, _ sample: Sample, _ value: UInt32) {
    counts[sample.rawValue &* 256 &+ Int(truncatingIfNeeded: value & 0xFF)] &+= 1
  }

  func bits(_ sample: Sample) -> Float {
    let table = BinaryLogarithms.shared.products
    let products = table.span
    let span = counts.span
    let base = sample.rawValue * 256
    return SymbolEntropy(size: 256, products) { span[base &+ $0] }.symbolBits(products)
  }

  /// Whether all samples are zero.
  func isZero(_ sample: Sample) -> Bool {
    (1..<256).allSatisfy { counts[sample.rawValue * 256 + $0] == 0 }
  }
}
