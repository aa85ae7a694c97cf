// feTile (Filter Effects 1, section 9.20): the input's subregion, repeated.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct TileEffect: FilterEffect {
  var inputs: [FilterInput]

  var takesAnyColors: Bool { true }

  init(_ element: FilterElement) {
    inputs = [element.input(.in)]
  }

  /// Requires the whole tile if the area crosses any of its edges.
  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect {
    input.tile.contains(area) ? area : input.tile
  }

  func cost(in space: FilterSpace) -> Int { 4 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let input = step.inputs[0]
    let layer = try input.layer.tiled(input.tile, area: step.area, interruption: renderer.interruption)
    return FilterImage(layer, isLinear: input.isLinear)
  }
}
