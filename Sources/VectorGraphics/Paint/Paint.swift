// What a path is filled with.

/// The source of a fill's or stroke's colours. Geometry is in the space of the path, before its transform.
package enum Paint: Sendable {
  /// One colour everywhere.
  case color(Color)
  /// A gradient along a line.
  case linearGradient(LinearGradient)
  /// A gradient between two circles.
  case radialGradient(RadialGradient)
  /// A picture, once or as a pattern.
  case image(ImagePaint)
}

/// A layer as a paint: images and pattern tiles.
package struct ImagePaint: Sendable {
  /// How pixels between the layer's are found.
  package enum Sampling: Hashable, Sendable {
    /// The pixel that the place falls in.
    case nearest
    /// Linear between four pixels.
    case bilinear
    /// Cubic (Mitchell–Netravali, B = C = 1/3) between sixteen pixels.
    case bicubic
    /// Linear between four pixels of the layer averaged down to about the size at which it is drawn.
    case smooth
  }

  /// What lies outside of the layer.
  package enum Extend: Hashable, Sendable {
    /// Nothing.
    case transparent
    /// The outermost pixels go on.
    case pad
    /// The layer starts anew.
    case `repeat`
  }

  /// The pixels.
  package var layer: Layer
  /// From the layer's pixels (in the coordinates of its ``Layer/bounds``) to the path's space.
  package var transform: AffineTransform
  package var sampling: Sampling
  package var extend: Extend
  /// The step of repetition in the layer's pixels, from its top left corner; `nil` means its width and height. A real
  /// number, so that a tile rounded up to whole pixels still repeats where it should.
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
