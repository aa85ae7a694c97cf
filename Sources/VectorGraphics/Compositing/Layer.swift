// Pixels of a part of the canvas.

package import ImageCore

/// A rectangle of premultiplied RGBA pixels of 8 bits at a place on the canvas. Outside there is transparency.
package struct Layer: Hashable, Sendable {
  /// The pixels that the layer holds.
  package let bounds: PixelRect
  /// Four bytes a pixel, rows packed.
  package var pixels: [UInt8]

  /// A transparent layer. The caller keeps the size within its budget.
  package init(bounds: PixelRect) {
    self.bounds = bounds
    pixels = [UInt8](repeating: 0, count: bounds.pixelCount * 4)
  }

  /// A layer of existing pixels.
  ///
  /// - Throws: ``DecodeError/Kind/invalidArgument`` unless there are four bytes for each pixel.
  package init(bounds: PixelRect, pixels: [UInt8]) throws(DecodeError) {
    guard pixels.count == bounds.pixelCount * 4 else {
      throw DecodeError(.invalidArgument, "the pixels do not fill the layer")
    }
    self.bounds = bounds
    self.pixels = pixels
  }

  /// A bitmap's pixels with their top left corner at the origin.
  package init(_ bitmap: Bitmap) {
    let format = PixelFormat.rgba8.premultiplied
    bounds = PixelRect(minX: 0, minY: 0, maxX: bitmap.width, maxY: bitmap.height)
    pixels = bitmap.converted(to: format).packedPixels
  }

  /// The pixels as a bitmap in the format `rgba8.premultiplied`.
  package consuming func makeBitmap() throws(DecodeError) -> Bitmap {
    try Bitmap(
      width: bounds.width, height: bounds.height, format: PixelFormat.rgba8.premultiplied, pixels: pixels)
  }

  /// One pixel, red in the lowest byte; 0 outside of the bounds. Slow.
  package subscript(x: Int, y: Int) -> UInt32 {
    guard x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else { return 0 }
    let index = ((y - bounds.minY) * bounds.width + x - bounds.minX) * 4
    return UInt32(pixels[index]) | UInt32(pixels[index + 1]) << 8 | UInt32(pixels[index + 2]) << 16
      | UInt32(pixels[index + 3]) << 24
  }

  /// The pixels within a rectangle as a layer of their own, larger than this one if the rectangle is.
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

  /// The same pixels elsewhere.
  package consuming func moved(toX x: Int, y: Int) -> Layer {
    let target = PixelRect(x: x, y: y, width: bounds.width, height: bounds.height)
    // At the edge of the coordinates the rectangle may have shrunk.
    guard target.pixelCount == bounds.pixelCount, target.width == bounds.width else { return Layer(bounds: .empty) }
    return Layer(unchecked: target, pixels: pixels)
  }

  private init(unchecked bounds: PixelRect, pixels: [UInt8]) {
    self.bounds = bounds
    self.pixels = pixels
  }
}
