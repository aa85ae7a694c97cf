// The drawing surface: a stack of layers, each drawn into until it is taken off.

package import ImageCore

/// How a path becomes coverage.
package struct Fill: Hashable, Sendable {
  /// Which windings are inside.
  package enum Rule: Hashable, Sendable {
    case nonZero, evenOdd
  }

  package var rule: Rule
  /// Whether edges are smooth. Without, a pixel is in or out by its centre (`shape-rendering: crispEdges`).
  package var isAntialiased: Bool

  package init(rule: Rule = .nonZero, isAntialiased: Bool = true) {
    self.rule = rule
    self.isAntialiased = isAntialiased
  }
}

/// How coverage and colours meet what is on the canvas.
package struct Compositing: Sendable {
  /// 0…1; multiplies coverage.
  package var opacity: Double
  package var blendMode: BlendMode
  package var compositeOperator: CompositeOperator
  /// `nil` draws everywhere in the layer.
  package var clip: Clip?

  package init(
    opacity: Double = 1, blendMode: BlendMode = .normal, compositeOperator: CompositeOperator = .over,
    clip: Clip? = nil
  ) {
    self.opacity = opacity
    self.blendMode = blendMode
    self.compositeOperator = compositeOperator
    self.clip = clip
  }
}

/// A stack of layers and the means to draw into the top one.
///
/// All work is taken from the budget; every method throws ``DecodeError/Kind/limitExceeded`` when it is spent.
package struct Canvas: Sendable {
  /// The layer that is drawn into.
  package private(set) var layer: Layer
  private var below: [Layer] = []
  /// What is left of the work.
  package var budget: RasterBudget

  /// A transparent canvas.
  package init(bounds: PixelRect, budget: RasterBudget = RasterBudget()) throws(DecodeError) {
    self.budget = budget
    try self.budget.reserveLayer(bounds)
    layer = Layer(bounds: bounds)
  }

  /// Puts a transparent layer on top. Its bounds may reach beyond those below.
  package mutating func pushLayer(bounds: PixelRect) throws(DecodeError) {
  }

  /// Takes the top layer off. The last one stays and is returned as a copy.
  package mutating func popLayer() -> Layer {
    layer
  }

  /// Fills a path.
  ///
  /// - Parameter transform: from the path's and the paint's space to pixels.
  package mutating func fill(
    _ path: Path, transform: AffineTransform = .identity, fill: Fill = Fill(), paint: Paint,
    compositing: Compositing = Compositing()
  ) throws(DecodeError) {
  }

  /// Strokes a path; the stroke is shaped in the path's space and then transformed.
  package mutating func stroke(
    _ path: Path, style: StrokeStyle, transform: AffineTransform = .identity, isAntialiased: Bool = true,
    paint: Paint, compositing: Compositing = Compositing()
  ) throws(DecodeError) {
  }

  /// Draws a layer pixel on pixel.
  package mutating func draw(_ source: Layer, compositing: Compositing = Compositing()) throws(DecodeError) {
  }

  /// Paints all pixels of the layer that the clip leaves.
  package mutating func paint(
    _ paint: Paint, transform: AffineTransform = .identity, compositing: Compositing = Compositing()
  ) throws(DecodeError) {
  }

  /// The coverage of a path within some bounds: no larger than what the path covers of them.
  package mutating func makeMask(
    _ path: Path, transform: AffineTransform = .identity, fill: Fill = Fill(), bounds: PixelRect
  ) throws(DecodeError) -> Mask {
    Mask(bounds: .empty)
  }
}
