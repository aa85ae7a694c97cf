// feConvolveMatrix (Filter Effects 1, section 9.9). kernelUnitLength is ignored: the kernel's unit is a pixel.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct ConvolveMatrixEffect: FilterEffect {
  private static let maximumOrder = 1024.0

  var inputs: [FilterInput]
  var convolution: Convolution
  private let weightCount: Int

  /// Returns `nil` if the attributes are invalid.
  init?(_ element: FilterElement) {
    inputs = [element.input(.in)]
    let (columns, rows) = Self.order(element)
    guard let weights = element.numbers(.kernelMatrix), weights.count == columns * rows else { return nil }
    var sum = weights.reduce(0, +)
    if abs(sum) < 1e-6 { sum = 1 }
    func target(_ name: AttributeName, _ order: Int) -> Int? {
      guard let value = element.number(name) else { return order / 2 }
      return value > -1 && value < Double(order) ? Int(value) : nil
    }
    guard let targetX = target(.targetX, columns), let targetY = target(.targetY, rows),
      let convolution = Convolution(
        columns: columns, rows: rows, weights: weights, targetX: targetX, targetY: targetY,
        divisor: element.number(.divisor) ?? sum, bias: element.number(.bias) ?? 0,
        edgeMode: EdgeMode(element, default: .duplicate), preservesAlpha: element.has(.preserveAlpha, "true"))
    else { return nil }
    self.convolution = convolution
    weightCount = weights.count { $0 != 0 }
  }

  /// Returns the columns and rows of the matrix; 3 × 3 if they are missing or not positive.
  private static func order(_ element: FilterElement) -> (Int, Int) {
    guard let pair = element.pair(.order), pair.x >= 1, pair.y >= 1, max(pair.x, pair.y) <= maximumOrder else {
      return (3, 3)
    }
    return (Int(pair.x), Int(pair.y))
  }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect {
    let wanted = convolution.source(of: area)
    if space.region.contains(wanted) { return wanted }
    switch convolution.edgeMode {
    case .none: return wanted
    // Pixels outside are replaced by the outermost ones.
    case .duplicate: return wanted.union(area).intersection(space.region).expanded(x: 1, y: 1)
    case .wrap: return space.region
    }
  }

  func cost(in space: FilterSpace) -> Int { 20 + 2 * weightCount }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    try renderer.spendFilterWork(10, on: convolution.source(of: step.area))
    return step.image(
      try convolution.apply(
        to: step.inputs[0].layer, area: step.area, region: step.space.region, interruption: renderer.interruption))
  }
}

extension EdgeMode {
  /// Reads `edgeMode`.
  init(_ element: FilterElement, default initial: EdgeMode) {
    switch element.string(.edgeMode) {
    case "none": self = .none
    case "duplicate": self = .duplicate
    case "wrap": self = .wrap
    default: self = initial
    }
  }
}
