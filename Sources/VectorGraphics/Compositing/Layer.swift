// The pixels of a part of the canvas.

package import ImageCore

/// A rectangle of 8-bit premultiplied RGBA pixels at a position on the canvas. The outside is transparent.
package struct Layer: Hashable, Sendable {
  /// The area covered by the layer.
  package let bounds: PixelRect
  /// Four bytes per pixel, without row padding.
  package var pixels: [UInt8]

  /// Creates a transparent layer. The caller ensures that the size is within its budget.
  package init(bounds: PixelRect) {
    self.bounds = bounds
    pixels = makeZeroedBytes(bounds.pixelCount * 4)
  }

  /// Creates a layer from existing pixels.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` unless there are four bytes for each pixel.
  package init(bounds: PixelRect, pixels: [UInt8]) throws(CodecError) {
    guard pixels.count == bounds.pixelCount * 4 else {
      throw CodecError(.invalidArgument, "the pixels do not fill the layer")
    }
    self.bounds = bounds
    self.pixels = pixels
  }

  /// Creates a layer from a bitmap, with its top left corner at the origin.
  package init(_ bitmap: Bitmap) throws(CodecError) {
    let format = PixelFormat.rgba8.premultiplied
    bounds = PixelRect(minX: 0, minY: 0, maxX: bitmap.width, maxY: bitmap.height)
    pixels = try bitmap.converted(to: format).packedPixels
  }

  /// Converts the pixels to a bitmap in the format `rgba8.premultiplied`.
  package consuming func makeBitmap() throws(CodecError) -> Bitmap {
    try Bitmap(
      width: bounds.width, height: bounds.height, format: PixelFormat.rgba8.premultiplied, pixels: pixels)
  }

  /// One pixel, red in the lowest byte; 0 outside the bounds. Slow.
  package subscript(x: Int, y: Int) -> UInt32 {
    guard x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else { return 0 }
    let index = ((y - bounds.minY) * bounds.width + x - bounds.minX) * 4
    return UInt32(pixels[index]) | UInt32(pixels[index + 1]) << 8 | UInt32(pixels[index + 2]) << 16
      | UInt32(pixels[index + 3]) << 24
  }

  /// Returns the pixels of a rectangle as a new layer, which is larger than this one if the rectangle is.
  package func extracting(_ rect: PixelRect) -> Layer {
    var result = Layer(bounds: rect)
    let common = bounds.intersection(rect)
    let source = pixelWords(of: pixels.span)
    withPixelWords(&result.pixels) { target in
      for y in common.minY..<common.maxY {
        let start = (y - bounds.minY) * bounds.width + common.minX - bounds.minX
        let from = source.extracting(start..<start + common.width)
        let to = (y - rect.minY) * rect.width + common.minX - rect.minX
        var row = target._mutatingExtracting(to..<to + common.width)
        for index in row.indices { row[index] = from[index] }
      }
    }
    return result
  }

  /// Returns the same pixels at another position.
  package consuming func moved(toX x: Int, y: Int) -> Layer {
    let target = PixelRect(x: x, y: y, width: bounds.width, height: bounds.height)
    // At the limits of the coordinates the rectangle may have been clipped.
    guard target.pixelCount == bounds.pixelCount, target.width == bounds.width else { return Layer(bounds: .empty) }
    return Layer(unchecked: target, pixels: pixels)
  }

  /// Creates a layer from `pixels`, which has four bytes for each pixel of `bounds`.
  init(unchecked bounds: PixelRect, pixels: [UInt8]) {
    self.bounds = bounds
    self.pixels = pixels
  }
}
