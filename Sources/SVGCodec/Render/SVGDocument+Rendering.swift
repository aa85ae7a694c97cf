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

  func render(
    width: Int?, height: Int?, scale: Double, background: RGBA8?, antialiasing: Antialiasing = .area,
    parallelism: Int = 1, shouldCancel: (@Sendable () -> Bool)?
  ) throws(DecodeError) -> Bitmap {
    let size = pixelSize(width: width, height: height, scale: scale)
    guard size.width > 0, size.height > 0 else {
      throw DecodeError(.invalidArgument, "the drawing has no pixels", format: SVGDecoder.type)
    }
    _ = try limits.decoding.checkedByteCount(
      width: size.width, height: size.height, bytesPerPixel: 4, format: SVGDecoder.type)
    let drawing = Drawing(
      document: self, size: size, background: background, antialiasing: antialiasing, shouldCancel: shouldCancel)
    do throws(DecodeError) {
      return try drawing.draw(parallelism: parallelism)
    } catch {
      throw DecodeError(error.kind, error.reason, format: SVGDecoder.type, byteOffset: error.byteOffset)
    }
  }
}
