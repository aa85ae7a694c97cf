// feDisplacementMap (Filter Effects 1, section 9.11).

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct DisplacementMapEffect: FilterEffect {
  var inputs: [FilterInput]
  var scale: Double
  var channelX: ColorChannel
  var channelY: ColorChannel

  init(_ element: FilterElement) {
    inputs = [element.input(.in), element.input(.in2)]
    scale = element.number(.scale) ?? 0
    channelX = ColorChannel(element, .xChannelSelector)
    channelY = ColorChannel(element, .yChannelSelector)
  }

  private func displacement(in space: FilterSpace) -> Displacement {
    Displacement(
      scaleX: space.pixelsX(scale), scaleY: space.pixelsY(scale), channelX: channelX, channelY: channelY)
  }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect {
    input.index == 0 ? displacement(in: space).source(of: area) : area
  }

  func cost(in space: FilterSpace) -> Int { 15 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    step.image(
      try displacement(in: step.space).apply(
        to: step.inputs[0].layer, map: step.inputs[1].layer, area: step.area, interruption: renderer.interruption))
  }
}

extension ColorChannel {
  /// Reads a channel selector; alpha if there is none.
  init(_ element: FilterElement, _ name: AttributeName) {
    switch element.string(name) {
    case "R": self = .red
    case "G": self = .green
    case "B": self = .blue
    default: self = .alpha
    }
  }
}
