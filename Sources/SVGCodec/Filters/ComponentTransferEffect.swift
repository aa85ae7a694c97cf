// feComponentTransfer with feFuncR, feFuncG, feFuncB and feFuncA (Filter Effects 1, section 9.7).

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// The transfer function of one channel.
enum TransferFunction: Hashable, Sendable {
  case identity
  case table([Double])
  case discrete([Double])
  case linear(slope: Double, intercept: Double)
  case gamma(amplitude: Double, exponent: Double, offset: Double)

  init?(_ element: FilterElement) {
    func number(_ name: AttributeName, _ initial: Double) -> Double { element.number(name) ?? initial }
    switch element.string(.type) {
    case "identity": self = .identity
    case "table": self = .table(element.numbers(.tableValues) ?? [])
    case "discrete": self = .discrete(element.numbers(.tableValues) ?? [])
    case "linear": self = .linear(slope: number(.slope, 1), intercept: number(.intercept, 0))
    case "gamma":
      self = .gamma(amplitude: number(.amplitude, 1), exponent: number(.exponent, 1), offset: number(.offset, 0))
    default: return nil
    }
  }

  func callAsFunction(_ value: Double) -> Double {
    switch self {
    case .identity: return value
    case .table(let values):
      guard let last = values.last else { return value }
      let place = value * Double(values.count - 1)
      let index = Int(place)
      guard index + 1 < values.count else { return last }
      return values[index] + (place - Double(index)) * (values[index + 1] - values[index])
    case .discrete(let values):
      guard !values.isEmpty else { return value }
      return values[min(Int(value * Double(values.count)), values.count - 1)]
    case .linear(let slope, let intercept): return slope * value + intercept
    case .gamma(let amplitude, let exponent, let offset):
      return amplitude * ElementaryFunctions.power(value, exponent) + offset
    }
  }
}

struct ComponentTransferEffect: FilterEffect {
  var inputs: [FilterInput]
  private let tables: TransferTables

  /// Creates an effect with one function for the colours and one for alpha.
  init(colors: TransferFunction = .identity, alpha: TransferFunction = .identity) {
    inputs = [.sourceGraphic]
    tables = TransferTables(
      red: { colors($0) }, green: { colors($0) }, blue: { colors($0) }, alpha: { alpha($0) })
  }

  init(_ element: FilterElement) {
    inputs = [element.input(.in)]
    var functions: [ElementName: TransferFunction] = [:]
    for child in element.children {
      let child = element.child(child)
      // If there are several functions for a channel, the last one applies.
      if let name = child.name, let function = TransferFunction(child) { functions[name] = function }
    }
    func function(_ name: ElementName) -> TransferFunction { functions[name] ?? .identity }
    let (red, green, blue, alpha) = (function(.feFuncR), function(.feFuncG), function(.feFuncB), function(.feFuncA))
    tables = TransferTables(red: { red($0) }, green: { green($0) }, blue: { blue($0) }, alpha: { alpha($0) })
  }

  func cost(in space: FilterSpace) -> Int { 10 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    step.image(try tables.apply(to: step.inputs[0].layer, area: step.area, interruption: renderer.interruption))
  }
}
