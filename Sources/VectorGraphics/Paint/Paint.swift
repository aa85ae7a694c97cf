// The paints that paths are filled and stroked with.

package import ImageCore

/// The source of a fill's or stroke's colours. Its geometry is in the space of the path, before the path's transform.
package enum Paint: Sendable {
  /// A single colour.
  case color(Color)
  /// A linear gradient.
  case linearGradient(LinearGradient)
  /// A radial gradient between two circles.
  case radialGradient(RadialGradient)
  /// A gradient around a point.
  case sweepGradient(SweepGradient)
  /// An image, drawn once or as a pattern.
  case image(ImagePaint)
}

/// A layer used as paint, for images and pattern tiles.
package struct ImagePaint: Sendable {
  /// The resampling of the layer.
  package enum Sampling: Hashable, Sendable {
    /// The nearest pixel.
    case nearest
    /// Linear interpolation between four pixels.
    case bilinear
    /// Cubic interpolation (Mitchell–Netravali, B = C = 1/3) between sixteen pixels.
    case bicubic
  }

  /// The extension of the layer beyond its bounds.
  package enum Extend: Hashable, Sendable {
    /// The outside is transparent.
    case transparent
    /// The outermost pixels are extended.
    case pad
    /// The layer repeats.
    case `repeat`
  }

  /// The pixels.
  package var layer: Layer
  /// The transform from the layer's pixels (in the coordinates of its ``Layer/bounds``) to the path's space.
  package var transform: AffineTransform
  package var sampling: Sampling
  package var extend: Extend
  /// The period of repetition in the layer's pixels, starting at its top left corner; `nil` for its width and height.
  /// It is a real number, so that a tile rounded up to whole pixels still repeats at the right distance.
  package var period: Point?

  package init(
    _ layer: Layer, transform: AffineTransform, sampling: Sampling = .bilinear, extend: Extend = .transparent,
    period: Point? = nil
  ) {
    self.layer = layer
    self.transform = transform
    self.sampling = sampling
    self.extend = extend
    self.period = period
  }
}

extension ImagePaint {
  /// Reduces the layer to the size at which it is drawn, if that is smaller. Otherwise it keeps its sampling.
  ///
  /// - Parameter transform: the transform of the path that is painted.
  package mutating func reduce(for transform: AffineTransform, budget: inout ResourceBudget) throws(CodecError) {
    guard let reduction = ImageReduction(of: layer.bounds, transform: transform * self.transform) else { return }
    let corner = AffineTransform.translation(x: Double(layer.bounds.minX), y: Double(layer.bounds.minY))
    layer = try reduction.apply(to: layer, budget: &budget)
    self.transform = self.transform * corner * reduction.transform
    sampling = .bilinear
  }
}
