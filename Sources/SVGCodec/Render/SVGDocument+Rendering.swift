// Drawing a document at a size.

internal import VectorGraphics

extension SVGDocument {
  /// Draws the document.
  ///
  /// With one of `width` and `height`, the other follows from the document's proportions; with neither, the document's
  /// own size is multiplied by `scale`. With both, the document is stretched.
  ///
  /// - Parameters:
  ///   - width: columns of the bitmap.
  ///   - height: rows of the bitmap.
  ///   - scale: pixels for a CSS pixel, where neither is given.
  ///   - background: what lies under the drawing; `nil` is transparent.
  ///   - antialiasing: how edges become smooth.
  ///   - parallelism: the most threads that may draw, each its own rows; pixels are the same for any. Worth it from
  ///     about a megapixel on. The bounds of ``Limits`` hold for each of them.
  /// - Returns: pixels of the format `rgba8.premultiplied`.
  /// - Throws: ``DecodeError`` of kind `limitExceeded` when the drawing costs more than ``Limits`` allow.
  public func render(
    width: Int? = nil, height: Int? = nil, scale: Double = 1, background: RGBA8? = nil,
    antialiasing: Antialiasing = .area, parallelism: Int = 1
  ) throws(DecodeError) -> Bitmap {
    try render(
      width: width, height: height, scale: scale, background: background, antialiasing: antialiasing,
      parallelism: parallelism, shouldCancel: nil)
  }

  /// How edges become smooth.
  public enum Antialiasing: Hashable, Sendable {
    /// The exact area of each pixel that is covered.
    case area
    /// Four samples by four in each pixel, as resvg takes them. Coarser; for comparing drawings with its own.
    case samples
  }

  /// Draws the document on a canvas as if its natural size were another one, which the canvas then is stretched to: for
  /// comparing drawings with those of programs that round the natural size.
  package func render(
    _ size: PixelSize, naturalSize: ImageSize, antialiasing: Antialiasing
  ) throws(DecodeError) -> Bitmap {
    let scale = AffineTransform.scale(
      x: Double(size.width) / naturalSize.width, y: Double(size.height) / naturalSize.height)
    return try render(size, scale, background: nil, antialiasing: antialiasing, shouldCancel: nil)
  }

  func render(
    width: Int?, height: Int?, scale: Double, background: RGBA8?, antialiasing: Antialiasing = .area,
    parallelism: Int = 1, shouldCancel: (@Sendable () -> Bool)?
  ) throws(DecodeError) -> Bitmap {
    let size = pixelSize(width: width, height: height, scale: scale)
    return try render(
      size, transform(to: size, width: width, height: height, scale: scale), background: background,
      antialiasing: antialiasing, parallelism: parallelism, shouldCancel: shouldCancel)
  }

  /// From CSS pixels to a bitmap. Only with both sides given is the document stretched; a pixel that the document fills
  /// in part is in part transparent.
  private func transform(to size: PixelSize, width: Int?, height: Int?, scale: Double) -> AffineTransform {
    let x = Double(size.width) / tree.width
    let y = Double(size.height) / tree.height
    return switch (width, height) {
    case (_?, _?): .scale(x: x, y: y)
    case (_?, nil): .scale(x: x, y: x)
    case (nil, _?): .scale(x: y, y: y)
    case (nil, nil): .scale(x: scale, y: scale)
    }
  }

  private func render(
    _ size: PixelSize, _ transform: AffineTransform, background: RGBA8?, antialiasing: Antialiasing,
    parallelism: Int = 1, shouldCancel: (@Sendable () -> Bool)?
  ) throws(DecodeError) -> Bitmap {
    guard size.width > 0, size.height > 0 else {
      throw DecodeError(.invalidArgument, "the drawing has no pixels", format: SVGDecoder.type)
    }
    _ = try limits.decoding.checkedByteCount(
      width: size.width, height: size.height, bytesPerPixel: 4, format: SVGDecoder.type)
    let drawing = Drawing(
      document: self, size: size, transform: transform, background: background, antialiasing: antialiasing,
      shouldCancel: shouldCancel)
    do throws(DecodeError) {
      return try drawing.draw(parallelism: parallelism)
    } catch {
      throw DecodeError(error.kind, error.reason, format: SVGDecoder.type, byteOffset: error.byteOffset)
    }
  }
}
