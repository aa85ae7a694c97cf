// feFlood (Filter Effects 1, section 9.13): a uniform colour.

internal import ImageCoding
internal import VectorGraphics

struct FloodEffect: FilterEffect {
  /// The replacement for a primitive with invalid attributes.
  static let transparent = FloodEffect(color: .transparent)

  let inputs: [FilterInput] = []
  var color: Color

  init(color: Color) {
    self.color = color
  }

  init(_ element: FilterElement) {
    self.init(color: element.flood)
  }

  func cost(in space: FilterSpace) -> Int { 3 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    guard color.alpha > 0 else { return FilterImage(Layer(bounds: .empty), isLinear: false) }
    return FilterImage(
      Layer(bounds: step.area, filledWith: color.premultiplied), isLinear: false)
  }
}
