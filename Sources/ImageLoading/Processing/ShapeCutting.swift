// Cutting of images to shapes, with antialiased edges.

internal import Foundation
internal import ImageCoding
internal import VectorGraphics

/// An image cut to a shape. The result has the format `rgba8.premultiplied`.
enum ShapeCutting {
  /// Returns the pixels of an image inside a rounded rectangle that fills it.
  ///
  /// - Parameters:
  ///   - radius: the radius of the corners in pixels, limited to half of the shorter side.
  ///   - border: drawn along the inside of the shape.
  static func cut(
    _ image: Bitmap, radius: Double, border: ImageProcessingOptions.Border?
  ) throws(CodecError) -> Bitmap {
    let bounds = PixelRect(minX: 0, minY: 0, maxX: image.width, maxY: image.height)
    var canvas = try Canvas(bounds: bounds)
    let picture = ImagePaint(try Layer(image), transform: .identity, sampling: .nearest)
    try canvas.fill(shape(image.pixelSize, radius: radius, inset: 0), paint: .image(picture))
    if let border, border.width > 0 {
      var ring = shape(image.pixelSize, radius: radius, inset: 0)
      ring.append(shape(image.pixelSize, radius: radius, inset: Double(border.width)))
      try canvas.fill(ring, fill: Fill(rule: .evenOdd), paint: .color(Color(border.color)))
    }
    var result = try canvas.popLayer().makeBitmap()
    result.copyTags(from: image)
    result.significantBits = nil
    return result
  }

  /// Returns the shape without a border of the given width; empty if nothing is left.
  private static func shape(_ size: PixelSize, radius: Double, inset: Double) -> Path {
    let (width, height) = (Double(size.width), Double(size.height))
    guard inset * 2 < min(width, height) else { return Path() }
    let limited = min(max(radius, 0), min(width, height) / 2)
    var path = Path()
    path.addRoundedRect(
      Rect(x: inset, y: inset, width: width - inset * 2, height: height - inset * 2),
      radiusX: max(limited - inset, 0), radiusY: max(limited - inset, 0))
    return path
  }
}

extension Color {
  fileprivate init(_ color: RGBA8) {
    self.init(red8: color.red, green8: color.green, blue8: color.blue, alpha: Double(color.alpha) / 255)
  }
}
