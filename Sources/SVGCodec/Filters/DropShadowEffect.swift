// feDropShadow and drop-shadow() (Filter Effects 1, section 9.12): a blurred and coloured copy below the input.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct DropShadowEffect: FilterEffect {
  var inputs: [FilterInput]
  var offset: FilterOffset
  var deviation: BlurDeviation
  var color: Color

  init(x: Double, y: Double, deviation: Double, color: Color) {
    inputs = [.sourceGraphic]
    offset = FilterOffset(x: x, y: y)
    self.deviation = BlurDeviation(x: deviation, y: deviation)
    self.color = color
  }

  init(_ element: FilterElement) {
    inputs = [element.input(.in)]
    offset = FilterOffset(element, default: 2)
    deviation = BlurDeviation(element, default: 2)
    color = element.flood
  }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect {
    let (x, y) = offset.pixels(in: space)
    return deviation.blur(in: space).source(of: area.moved(x: -x, y: -y)).union(area)
  }

  func cost(in space: FilterSpace) -> Int { 10 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let (x, y) = offset.pixels(in: step.space)
    let layer = step.inputs[0].layer
    let blurred = try renderer.blur(
      layer, deviation.blur(in: step.space), area: step.area.moved(x: -x, y: -y), region: step.space.region)
    var shadow = blurred.filled(with: color).movedBy(x: x, y: y)
    if step.isLinear { shadow = try shadow.inLinearLight(renderer.interruption) }
    return step.image(
      try renderer.compose([(shadow, Compositing()), (layer, Compositing())], area: step.area))
  }
}
