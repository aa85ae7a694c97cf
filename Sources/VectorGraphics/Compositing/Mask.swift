// Coverage of a part of the canvas: clips and masks.

/// A rectangle of 8-bit coverage. Outside there is none.
package struct Mask: Hashable, Sendable {
  /// Which samples of a layer become coverage.
  package enum Source: Hashable, Sendable {
    /// Alpha.
    case alpha
    /// Luminance of the premultiplied sRGB samples: 0.2125 R + 0.7154 G + 0.0721 B.
    case luminance
    /// The same of samples turned to linear light first, as `color-interpolation: linearRGB` asks.
    case linearLuminance
  }

  /// The pixels that the mask holds.
  package let bounds: PixelRect
  /// One byte a pixel, rows packed.
  package var coverage: [UInt8]

  /// A mask of the same coverage everywhere in its bounds. The caller keeps the size within its budget.
  package init(bounds: PixelRect, coverage: UInt8 = 0) {
    self.bounds = bounds
    self.coverage = [UInt8](repeating: coverage, count: bounds.pixelCount)
  }

  /// Coverage from a layer's pixels.
  package init(_ layer: Layer, source: Source) {
    self.init(bounds: layer.bounds)
    // Filled in by the compositing stage.
  }

  /// The coverage of one pixel. Slow.
  package subscript(x: Int, y: Int) -> UInt8 {
    guard x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else { return 0 }
    return coverage[(y - bounds.minY) * bounds.width + x - bounds.minX]
  }

  /// The products of both coverages, where both have any.
  package func intersection(_ other: Mask) -> Mask {
    Mask(bounds: bounds.intersection(other.bounds))
  }

  /// Adds another coverage as if both were independent: a + b - a·b. What lies outside of the bounds is lost.
  package mutating func formUnion(_ other: Mask) {
  }
}

/// Where drawing has an effect.
package struct Clip: Hashable, Sendable {
  /// Nothing is drawn outside.
  package var bounds: PixelRect
  /// Coverage within the bounds; `nil` means full coverage.
  package var mask: Mask?

  /// A clip to whole pixels.
  package init(bounds: PixelRect, mask: Mask? = nil) {
    self.bounds = bounds
    self.mask = mask
  }

  /// A clip to a mask.
  package init(_ mask: Mask) {
    self.init(bounds: mask.bounds, mask: mask)
  }

  /// What both clips leave.
  package func intersection(_ other: Clip) -> Clip {
    let common = bounds.intersection(other.bounds)
    switch (mask, other.mask) {
    case (let mask?, let otherMask?): return Clip(bounds: common, mask: mask.intersection(otherMask))
    case (let mask, let otherMask): return Clip(bounds: common, mask: mask ?? otherMask)
    }
  }
}
