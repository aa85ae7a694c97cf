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
  ///   - parallelism: the most threads that may draw, each its own rows; pixels are the same for any. Worth it from
  ///     about a megapixel on.
  /// - Returns: pixels of the format `rgba8.premultiplied`.
  /// - Throws: ``CodecError`` of kind `limitExceeded` or `deadlineExceeded` when the drawing costs more than ``Limits``
  ///   allow, `malformed` when the document has no size, `invalidArgument` when `width`, `height` or `scale` is not
  ///   positive.
  public func render(
    width: Int? = nil, height: Int? = nil, scale: Double = 1, background: RGBA8? = nil, parallelism: Int = 1
  ) throws(CodecError) -> Bitmap {
    var budget = ResourceBudget(limits.decoding, format: SVGDecoder.type)
    return try render(
      width: width, height: height, scale: scale, background: background, parallelism: parallelism, budget: &budget)
  }

  /// Draws the document with what a budget has left.
  func render(
    width: Int?, height: Int?, scale: Double = 1, background: RGBA8? = nil, parallelism: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    guard width ?? 1 > 0, height ?? 1 > 0, scale > 0, scale.isFinite else {
      throw CodecError(.invalidArgument, "a drawing must have at least one pixel", format: SVGDecoder.type)
    }
    let size = pixelSize(width: width, height: height, scale: scale)
    guard size.width > 0, size.height > 0 else {
      throw CodecError(.malformed, "the document has no size", format: SVGDecoder.type)
    }
    _ = try limits.decoding.checkedByteCount(
      width: size.width, height: size.height, bytesPerPixel: 4, format: SVGDecoder.type)
    let drawing = Drawing(
      document: self, size: size, transform: transform(to: size, width: width, height: height, scale: scale),
      background: background)
    do throws(CodecError) {
      return try drawing.draw(parallelism: parallelism, budget: &budget)
    } catch {
      throw CodecError(error.kind, error.reason, format: SVGDecoder.type, byteOffset: error.byteOffset)
    }
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
}
