// What every filter primitive can say and do. The primitives, one a file, parse their attributes into a value of this
// protocol; plans ask it for areas, runs let it draw.

internal import ImageCore
internal import VectorGraphics

/// A filter primitive: from the pixels of its inputs to pixels.
protocol FilterEffect: Sendable {
  /// Where its pixels come from.
  var inputs: [FilterInput] { get }

  /// Whether its inputs are wanted in the colours that they happen to be in.
  var takesAnyColors: Bool { get }

  /// Whether `feTile` sees its result as a tile of the same place and size as its input's.
  var keepsTile: Bool { get }

  /// The pixels of an input on which those of an area depend.
  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect

  /// How much work a pixel is, in units of about a nanosecond; it is spent before the work begins.
  func cost(in space: FilterSpace) -> Int

  /// Makes the pixels of an area; those that it leaves out are transparent.
  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage
}

extension FilterEffect {
  var takesAnyColors: Bool { false }

  var keepsTile: Bool { false }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect { area }
}

/// An input as plans see it.
struct FilterSource: Sendable {
  /// Its place in the list of inputs.
  var index: Int
  /// The subregion of the primitive that makes it, or the filter region.
  var tile: PixelRect
}

/// Pixels with what filters need to know of them.
struct FilterImage: Sendable {
  var layer: Layer
  /// Whether colours are in linear light.
  var isLinear: Bool
  /// The subregion of the primitive that made it; `feTile` repeats it.
  var tile: PixelRect

  init(_ layer: Layer, isLinear: Bool) {
    self.layer = layer
    self.isLinear = isLinear
    tile = layer.bounds
  }
}

/// The pixels that one use of a filter works on. They are the canvas's but for a turn or a skew, which comes after the
/// filter.
struct FilterSpace: Sendable {
  /// The filter region.
  var region: PixelRect
  /// From user space to pixels; neither turns nor skews.
  var toPixels: AffineTransform
  /// The length of a unit of the primitives in user space.
  var unit: Point
  /// Where the primitives' coordinates begin in user space.
  var origin: Point

  /// A length along the x axis in pixels.
  func pixelsX(_ length: Double) -> Double { length * unit.x * toPixels.a }
  /// A length along the y axis in pixels.
  func pixelsY(_ length: Double) -> Double { length * unit.y * toPixels.d }
}

/// A primitive's turn in a run.
struct FilterStep: Sendable {
  /// The pixels that are wanted, within region and subregion.
  var area: PixelRect
  var inputs: [FilterImage]
  var subregion: PixelRect
  var space: FilterSpace
  /// Whether colours are wanted in linear light; the inputs are.
  var isLinear: Bool
  var interruption: Interruption

  /// A result in the wanted colours.
  func image(_ layer: consuming Layer) -> FilterImage { FilterImage(layer, isLinear: isLinear) }
}
