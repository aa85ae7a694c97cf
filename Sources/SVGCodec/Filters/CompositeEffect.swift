// feComposite (Filter Effects 1, section 9.8): the Porter–Duff operators and the arithmetic operator.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct CompositeEffect: FilterEffect {
  enum Operator: Sendable {
    case porterDuff(CompositeOperator)
    case arithmetic(ArithmeticCompositing)
  }

  var inputs: [FilterInput]
  var `operator`: Operator

  private static let operators: [String: CompositeOperator] = [
    "over": .over, "in": .sourceIn, "out": .out, "atop": .atop, "xor": .xor, "lighter": .lighter,
  ]

  init(_ element: FilterElement) {
    inputs = [element.input(.in), element.input(.in2)]
    func coefficient(_ name: AttributeName) -> Double { element.number(name) ?? 0 }
    if element.has(.operator, "arithmetic") {
      self.operator = .arithmetic(
        ArithmeticCompositing(
          k1: coefficient(.k1), k2: coefficient(.k2), k3: coefficient(.k3), k4: coefficient(.k4)))
    } else {
      self.operator = .porterDuff(Self.operators[element.string(.operator) ?? ""] ?? .over)
    }
  }

  func cost(in space: FilterSpace) -> Int { 17 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let (first, second) = (step.inputs[0].layer, step.inputs[1].layer)
    switch self.operator {
    case .arithmetic(let mixture):
      return step.image(try mixture.apply(first, second, area: step.area, interruption: renderer.interruption))
    case .porterDuff(let name):
      let layers = [(second, Compositing()), (first, Compositing(compositeOperator: name))]
      return step.image(try renderer.compose(layers, area: step.area))
    }
  }
}
