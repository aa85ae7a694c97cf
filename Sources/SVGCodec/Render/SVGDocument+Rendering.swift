// Drawing of a document at a given size.

internal import VectorGraphics

extension SVGDocument {
  /// Draws the document.
  ///
  /// If only one of `width` and `height` is given, the other follows from the aspect ratio. If neither is given, the
  /// document's own size is multiplied by `scale`. If both are given, the document is stretched.
  ///
  /// - Parameters:
  ///   - width: the width of the bitmap in pixels.
  ///   - height: the height of the bitmap in pixels.
  ///   - scale: the number of pixels per CSS pixel, used if neither width nor height is given.
  ///   - background: the background colour; transparent if `nil`.
  ///   - parallelism: the maximum number of threads, each of which draws separate rows. The pixels do not depend on it.
  ///     Worthwhile from about one megapixel on.
  /// - Returns: a bitmap in the format `rgba8.premultiplied`.
  /// - Throws: `CodecError` of kind `limitExceeded` or `deadlineExceeded` if the drawing exceeds ``Limits``,
  ///   `malformed` if the document has no size, `invalidArgument` if `width`, `height` or `scale` is not positive.
  public func render(
    width: Int? = nil, height: Int? = nil, scale: Double = 1, background: RGBA8? = nil, parallelism: Int = 1
  ) throws(CodecError) -> Bitmap {
    var budget = ResourceBudget(limits.decoding, format: SVGDecoder.type)
    return try render(
      width: width, height: height, scale: scale, background: background, parallelism: parallelism, budget: &budget)
  }

  /// Draws the document within the remainder of a budget.
  package func render(
    width: Int?, height: Int?, scale: Double = 1, background: RGBA8? = nil, parallelism: Int = 1,
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
      throw error.located(at: error.byteOffset, in: SVGDecoder.type)
    }
  }

  /// Returns the transform from CSS pixels to a bitmap. The document is stretched only if both sides are given. Pixels
  /// that the document covers in part are partly transparent.
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
