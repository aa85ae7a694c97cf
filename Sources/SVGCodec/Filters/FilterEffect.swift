// The interface of filter primitives. Each primitive has a file and parses its attributes into a value that conforms to
// it; plans query its areas, and runs execute it.

internal import ImageCoding
internal import VectorGraphics

/// A filter primitive, which computes pixels from those of its inputs.
protocol FilterEffect: Sendable {
  /// The inputs of the primitive.
  var inputs: [FilterInput] { get }

  /// Whether the inputs may be in either colour space.
  var takesAnyColors: Bool { get }

  /// Whether the result has the same tile as the input, from the point of view of `feTile`.
  var keepsTile: Bool { get }

  /// Returns the pixels of an input on which those of an area depend.
  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect

  /// Returns the work units per pixel, about a nanosecond each, which are charged before the work begins.
  func cost(in space: FilterSpace) -> Int

  /// Computes the pixels of an area. Pixels that are not set are transparent.
  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage
}

extension FilterEffect {
  var takesAnyColors: Bool { false }

  var keepsTile: Bool { false }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect { area }
}

/// An input during planning.
struct FilterSource: Sendable {
  /// Its index in the list of inputs.
  var index: Int
  /// The subregion of the primitive that produces it, or the filter region.
  var tile: PixelRect
}

/// Pixels with the properties that filters need.
struct FilterImage: Sendable {
  var layer: Layer
  /// Whether colours are in linear light.
  var isLinear: Bool
  /// The subregion of the primitive that produced it, which `feTile` repeats.
  var tile: PixelRect

  init(_ layer: Layer, isLinear: Bool) {
    self.layer = layer
    self.isLinear = isLinear
    tile = layer.bounds
  }
}

/// The pixel grid of one use of a filter. It is that of the canvas except for a rotation or skew, which is applied
/// after the filter.
struct FilterSpace: Sendable {
  /// The filter region.
  var region: PixelRect
  /// The transform from user space to pixels; has no rotation or skew.
  var toPixels: AffineTransform
  /// The length of a unit of the primitives in user space.
  var unit: Point
  /// The origin of the primitives' coordinates in user space.
  var origin: Point

  /// Converts a length along the x axis to pixels.
  func pixelsX(_ length: Double) -> Double { length * unit.x * toPixels.a }
  /// Converts a length along the y axis to pixels.
  func pixelsY(_ length: Double) -> Double { length * unit.y * toPixels.d }
}

/// The execution of a primitive.
struct FilterStep: Sendable {
  /// The required pixels, within region and subregion.
  var area: PixelRect
  var inputs: [FilterImage]
  var subregion: PixelRect
  var space: FilterSpace
  /// Whether the result is to be in linear light, as the inputs are.
  var isLinear: Bool

  /// Returns a result in the required colour space.
  func image(_ layer: consuming Layer) -> FilterImage { FilterImage(layer, isLinear: isLinear) }
}
