// The conversion of the colours of a frame to those of the image.

internal import ImageCoding

/// The step that changes the three colours of a row, sample by sample.
enum ColorConversion: Sendable {
  case none
  case xyb(XYBStage)
  case yCbCr(YCbCrStage)

  init(_ image: ImageHeader, isYCbCr: Bool) {
    self = image.isXYB ? .xyb(XYBStage(image)) : isYCbCr ? .yCbCr(YCbCrStage()) : .none
  }

  /// The work for a sample of a colour, in the units of the budget.
  var unitsPerSample: Int {
    switch self {
    case .none: 0
    case .xyb(let stage): stage.unitsPerSample
    case .yCbCr(let stage): stage.unitsPerSample
    }
  }

  /// Converts the first `count` samples of a row.
  func convert(
    _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>, count: Int
  ) {
    switch self {
    case .none: break
    case .xyb(let stage): stage.convert(&first, &second, &third, count: count)
    case .yCbCr(let stage): stage.convert(&first, &second, &third, count: count)
    }
  }

  /// Converts all rows of a frame.
  func run(on frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    if case .none = self { return }
    for y in 0..<frame.height {
      try budget.chargeWork(count: frame.width * 3, unitsEach: unitsPerSample)
      frame.withColorRows(y) { first, second, third in convert(&first, &second, &third, count: first.count) }
    }
  }
}
