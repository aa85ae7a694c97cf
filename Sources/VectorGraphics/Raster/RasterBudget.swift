// What one rendering may cost. Spent before the work, so that hostile input ends in an error instead of in waiting.

package import ImageCore

/// The work that a rendering has left.
package struct RasterBudget: Hashable, Sendable {
  /// Lines after flattening, stroking and dashing.
  package var segmentCount: Int
  /// Pixels cleared, masked, shaded or blended, each by what it costs: 1 for one colour, more for gradients, pictures
  /// and blend modes.
  package var pixelWork: Int
  /// Pixels of all layers and masks that exist at the same time.
  package var layerPixels: Int
  /// Layers on top of each other.
  package var layerDepth: Int

  /// The most columns and the most rows of a layer: with more, coordinates on the rasteriser's grid would not fit.
  package static let maximumSide = 1 << 20

  /// Creates a budget; every bound left out has its default: 16 million lines, 4 billion pixels of work, 2^27
  /// pixels in layers (512 MiB), 1,000 layers deep.
  package init(
    segmentCount: Int = 16_000_000, pixelWork: Int = 4_000_000_000, layerPixels: Int = 134_217_728,
    layerDepth: Int = 1000
  ) {
    self.segmentCount = segmentCount
    self.pixelWork = pixelWork
    self.layerPixels = layerPixels
    self.layerDepth = layerDepth
  }

  /// Takes lines from the budget.
  package mutating func spendSegments(_ count: Int) throws(DecodeError) {
    guard count <= segmentCount else { throw DecodeError(.limitExceeded, "too many path segments") }
    segmentCount -= count
  }

  /// Takes pixels of work from the budget.
  package mutating func spendPixels(_ count: Int) throws(DecodeError) {
    guard count <= pixelWork else { throw DecodeError(.limitExceeded, "too many pixels of work") }
    pixelWork -= count
  }

  /// Takes a layer or a mask from the budget, and the work of clearing it.
  package mutating func reserveLayer(_ bounds: PixelRect) throws(DecodeError) {
    guard max(bounds.width, bounds.height) <= RasterBudget.maximumSide, bounds.pixelCount <= layerPixels else {
      throw DecodeError(.limitExceeded, "too many pixels in layers")
    }
    try spendPixels(bounds.pixelCount)
    layerPixels -= bounds.pixelCount
  }

  /// Checks that a mask could be made, and takes the work of clearing it.
  package mutating func spendMask(_ bounds: PixelRect) throws(DecodeError) {
    guard bounds.pixelCount <= layerPixels else { throw DecodeError(.limitExceeded, "too many pixels in a mask") }
    try spendPixels(bounds.pixelCount)
  }

  /// Gives a layer or a mask back.
  package mutating func releaseLayer(_ bounds: PixelRect) {
    layerPixels += bounds.pixelCount
  }
}
