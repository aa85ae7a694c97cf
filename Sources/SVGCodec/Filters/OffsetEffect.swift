// feOffset (Filter Effects 1, section 9.19): the input moved by whole pixels, as in resvg.

internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// An offset in units of the primitive.
struct FilterOffset: Hashable, Sendable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  init(_ element: FilterElement, default initial: Double) {
    self.init(x: element.number(.dx) ?? initial, y: element.number(.dy) ?? initial)
  }

  /// Returns the offset in whole pixels, rounded towards zero.
  func pixels(in space: FilterSpace) -> (x: Int, y: Int) {
    // A shortfall of up to a thousandth of a pixel is a rounding error.
    func whole(_ value: Double) -> Int { Int(min(max(-0x1p24, value + (value < 0 ? -1e-3 : 1e-3)), 0x1p24)) }
    return (whole(space.pixelsX(x)), whole(space.pixelsY(y)))
  }
}

struct OffsetEffect: FilterEffect {
  var inputs: [FilterInput]
  var offset: FilterOffset

  var takesAnyColors: Bool { true }
  var keepsTile: Bool { true }

  init(_ element: FilterElement) {
    inputs = [element.input(.in)]
    offset = FilterOffset(element, default: 0)
  }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect {
    let (x, y) = offset.pixels(in: space)
    return area.moved(x: -x, y: -y)
  }

  func cost(in space: FilterSpace) -> Int { 2 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    let (x, y) = offset.pixels(in: step.space)
    let input = step.inputs[0]
    return FilterImage(input.layer.movedBy(x: x, y: y), isLinear: input.isLinear)
  }
}
