// feTurbulence (Filter Effects 1, section 9.21).

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

struct TurbulenceEffect: FilterEffect {
  let inputs: [FilterInput] = []
  var turbulence: Turbulence
  var isStitched: Bool

  init(_ element: FilterElement) {
    // A negative frequency makes the value invalid.
    var frequency = element.pair(.baseFrequency) ?? (0, 0)
    if frequency.x < 0 || frequency.y < 0 { frequency = (0, 0) }
    func integer(_ value: Double) -> Int { Int(min(max(-0x1p40, value), 0x1p40)) }
    turbulence = Turbulence(
      frequencyX: frequency.x, frequencyY: frequency.y,
      octaveCount: integer((element.number(.numOctaves) ?? 1).rounded()), seed: integer(element.number(.seed) ?? 0),
      tile: nil, isFractalNoise: element.has(.type, "fractalNoise"))
    isStitched = element.has(.stitchTiles, "stitch")
  }

  func cost(in space: FilterSpace) -> Int { 10 + 90 * turbulence.octaveCount }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    var turbulence = turbulence
    if isStitched, let inverse = step.space.toPixels.inverted { turbulence.tile = inverse.apply(step.subregion.rect) }
    return step.image(
      try turbulence.draw(area: step.area, toPixels: step.space.toPixels, interruption: renderer.interruption))
  }
}
