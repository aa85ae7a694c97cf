// feColorMatrix (Filter Effects 1, section 9.6).

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct ColorMatrixEffect: FilterEffect {
  var inputs: [FilterInput]
  var matrix: ColorMatrix

  init(matrix: ColorMatrix) {
    inputs = [.sourceGraphic]
    self.matrix = matrix
  }

  init(_ element: FilterElement) {
    inputs = [element.input(.in)]
    matrix = Self.matrix(element)
  }

  /// If the values cannot be parsed or there are too few, the result is the identity.
  private static func matrix(_ element: FilterElement) -> ColorMatrix {
    let values = element.numbers(.values)
    if element.has(.type, "saturate") {
      // Limited to the range on which browsers and resvg agree: 0…1.
      return .saturation(min(max(values?.first ?? 1, 0), 1))
    }
    if element.has(.type, "hueRotate") { return .hueRotation(values?.first ?? 0) }
    if element.has(.type, "luminanceToAlpha") { return .luminanceToAlpha }
    return values.map { ColorMatrix($0) } ?? .identity
  }

  func cost(in space: FilterSpace) -> Int { matrix.dependsOnAlphaOnly ? 4 : 11 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    step.image(try matrix.apply(to: step.inputs[0].layer, area: step.area, interruption: renderer.interruption))
  }
}
