// feMorphology (Filter Effects 1, section 9.17). The window is that of resvg: it extends by the radius in whole pixels
// before a pixel, and by one pixel less after it.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct MorphologyEffect: FilterEffect {
  var inputs: [FilterInput]
  var `operator`: Morphology.Operator
  var radiusX: Double
  var radiusY: Double

  init(_ element: FilterElement) {
    inputs = [element.input(.in)]
    self.operator = element.has(.operator, "dilate") ? .dilate : .erode
    (radiusX, radiusY) = Self.radii(element)
  }

  /// A radius that is zero, negative or missing is treated as 1, as in Chrome and Safari.
  private static func radii(_ element: FilterElement) -> (Double, Double) {
    guard let pair = element.pair(.radius), pair.x >= 0, pair.y >= 0 else { return (1, 1) }
    return (pair.x > 0 ? pair.x : 1, pair.y > 0 ? pair.y : 1)
  }

  private func morphology(in space: FilterSpace) -> Morphology {
    func pixels(_ radius: Double) -> Int { Int(min(max(0, radius), 0x1p24).rounded(.up)) }
    let x = pixels(space.pixelsX(radiusX))
    let y = pixels(space.pixelsY(radiusY))
    return Morphology(self.operator, before: (x, y), after: (max(0, x - 1), max(0, y - 1)))
  }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect {
    morphology(in: space).source(of: area)
  }

  func cost(in space: FilterSpace) -> Int { 1 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let morphology = morphology(in: step.space)
    let source = step.inputs[0].layer
    let region = step.space.region
    let work = morphology.work(on: source.bounds, area: step.area, region: region)
    try renderer.spendFilterWork(15, on: work)
    return try renderer.reserving(work) { renderer throws(CodecError) in
      step.image(
        try morphology.apply(to: source, area: step.area, region: region, interruption: renderer.interruption))
    }
  }
}
