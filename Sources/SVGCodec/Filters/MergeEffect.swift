// feMerge (Filter Effects 1, section 9.16): the inputs of its nodes, composited in order.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct MergeEffect: FilterEffect {
  var inputs: [FilterInput]

  init(_ element: FilterElement) {
    inputs = element.children.map { element.child($0) }.filter { $0.name == .feMergeNode }.map { $0.input(.in) }
  }

  func cost(in space: FilterSpace) -> Int { 4 * inputs.count }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let layers = step.inputs.map { ($0.layer, Compositing()) }
    return step.image(try renderer.compose(layers, area: step.area))
  }
}
