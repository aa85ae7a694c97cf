// feGaussianBlur (Filter Effects 1, section 9.14) and the parsing of deviations.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// Standard deviations in units of the primitive; negative ones are treated as 0.
struct BlurDeviation: Hashable, Sendable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = max(0, x)
    self.y = max(0, y)
  }

  /// Parses `stdDeviation`: one or two numbers; for any other value there is no blur.
  init(_ element: FilterElement, default initial: Double) {
    guard element.string(.stdDeviation) != nil else {
      self.init(x: initial, y: initial)
      return
    }
    let pair = element.pair(.stdDeviation) ?? (0, 0)
    self.init(x: pair.x, y: pair.y)
  }

  func blur(in space: FilterSpace) -> GaussianBlur { GaussianBlur(x: space.pixelsX(x), y: space.pixelsY(y)) }
}

struct GaussianBlurEffect: FilterEffect {
  var inputs: [FilterInput]
  var deviation: BlurDeviation
  var edgeMode = EdgeMode.none

  init(deviation: Double) {
    inputs = [.sourceGraphic]
    self.deviation = BlurDeviation(x: deviation, y: deviation)
  }

  init(_ element: FilterElement) {
    inputs = [element.input(.in)]
    deviation = BlurDeviation(element, default: 0)
    edgeMode = EdgeMode(element, default: .none)
  }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect {
    let wanted = deviation.blur(in: space).source(of: area)
    return edgeMode == .wrap && !space.region.contains(wanted) ? space.region : wanted
  }

  func cost(in space: FilterSpace) -> Int { 1 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let blur = deviation.blur(in: step.space)
    let layer = step.inputs[0].layer
    if blur.isIdentity { return step.image(layer) }
    let region = step.space.region
    guard edgeMode != .none else {
      return step.image(try renderer.blur(layer, blur, area: step.area, region: region))
    }
    let wide = blur.source(of: step.area)
    return try renderer.reserving(wide) { renderer throws(CodecError) in
      let extended = layer.extended(to: wide, region: region, edgeMode: edgeMode)
      return step.image(try renderer.blur(extended, blur, area: step.area, region: wide))
    }
  }
}

extension TreeRenderer {
  /// Blurs a layer within the budgets. The work is charged for all pixels read.
  mutating func blur(
    _ layer: Layer, _ blur: GaussianBlur, area: PixelRect, region: PixelRect
  ) throws(CodecError) -> Layer {
    let work = blur.work(on: layer.bounds, area: area, region: region)
    try spendFilterWork(15, on: work)
    return try reserving(work) { renderer throws(CodecError) in
      try blur.apply(to: layer, area: area, region: region, interruption: renderer.interruption)
    }
  }
}
