// The prefilter of images that are drawn smaller than they are: every pixel contributes, so that nothing aliases.

package import ImageCore
internal import Resampling

/// The size to which an image is filtered before it is drawn.
package struct ImageReduction: Hashable, Sendable {
  /// The size of the filtered image, which is that of its drawing on the canvas, rounded up.
  package let size: PixelSize
  private let original: PixelSize

  /// Returns `nil` if the image is not reduced in either direction.
  ///
  /// - Parameter transform: the transform from the image's pixels to those of the canvas.
  package init?(of image: PixelRect, transform: AffineTransform) {
    func length(_ count: Int, _ x: Double, _ y: Double) -> Int {
      let reduced = Double(count) * (x * x + y * y).squareRoot()
      // A reduction of less than a pixel in a thousand columns is a rounding error.
      return reduced < Double(count) ? max(1, Int((reduced * (1 - 1e-6)).rounded(.up))) : count
    }
    guard !image.isEmpty, transform.isFinite else { return nil }
    original = PixelSize(width: image.width, height: image.height)
    size = PixelSize(
      width: length(image.width, transform.a, transform.b), height: length(image.height, transform.c, transform.d))
    if size == original { return nil }
  }

  /// The transform from the pixels of the filtered image to those of an original at the origin.
  package var transform: AffineTransform {
    .scale(
      x: Double(original.width) / Double(size.width), y: Double(original.height) / Double(size.height))
  }

  /// The number of bytes of the filtered image.
  package var byteCount: Int { size.width * size.height * 4 }

  /// Returns the filtered image, its top left corner at the origin. Its bytes are charged and credited again.
  package func apply(to image: Layer, budget: inout ResourceBudget) throws(CodecError) -> Layer {
    let held = budget.heldByteCount
    let bitmap = try Bitmap(
      width: original.width, height: original.height, format: PixelFormat.rgba8.premultiplied, pixels: image.pixels)
    let reduced = try bitmap.resized(
      toWidth: size.width, height: size.height, filter: .bicubic, budget: &budget)
    budget.settle(heldByteCount: held)
    var layer = try Layer(
      bounds: PixelRect(minX: 0, minY: 0, maxX: size.width, maxY: size.height), pixels: reduced.packedPixels)
    try layer.limitToAlpha(&budget)
    return layer
  }
}

extension Layer {
  /// Limits samples to the pixel's alpha, which the negative weights of a cubic filter may exceed.
  fileprivate mutating func limitToAlpha(_ budget: inout ResourceBudget) throws(CodecError) {
    for y in 0..<bounds.height {
      try budget.chargeWork(count: bounds.width, unitsEach: 2)
      for index in stride(from: y * bounds.width * 4, to: (y + 1) * bounds.width * 4, by: 4) {
        let alpha = pixels[index + 3]
        if alpha == 255 { continue }
        for sample in index..<index + 3 where pixels[sample] > alpha { pixels[sample] = alpha }
      }
    }
  }
}
