// feBlend (Filter Effects 1, section 9.5): one input over the other with a blend mode.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct BlendEffect: FilterEffect {
  var inputs: [FilterInput]
  var mode: BlendMode

  init(_ element: FilterElement) {
    inputs = [element.input(.in), element.input(.in2)]
    let name = element.string(.mode)
    mode = BlendMode.allCases.first { $0.rawValue == name } ?? .normal
  }

  func cost(in space: FilterSpace) -> Int { mode == .normal ? 4 : 35 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let layers = [(step.inputs[1].layer, Compositing()), (step.inputs[0].layer, Compositing(blendMode: mode))]
    return step.image(try renderer.compose(layers, area: step.area))
  }
}
