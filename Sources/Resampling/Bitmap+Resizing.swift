// Resizing of whole bitmaps.

public import ImageCore

extension Bitmap {
  /// Returns the image at another size, smaller or larger in either dimension.
  ///
  /// 8-bit samples are computed in fixed point, horizontally first, and rounded after each pass; straight alpha is
  /// premultiplied before and divided out afterwards. For the filters that Pillow has, the result equals that of its
  /// `Image.resize`, except where recent versions (13, and 12.3 for images over 100 times as tall as wide) filter
  /// vertically first because that costs less. Other samples, and ``ResamplingLight/linear``, are computed in single
  /// precision and rounded once. A dimension that does not change is not filtered. Tags are kept.
  ///
  /// - Parameters:
  ///   - width: the new width in pixels.
  ///   - height: the new height in pixels.
  ///   - filter: how new pixels are computed; ``ResamplingFilter/lanczos3`` by default.
  ///   - light: whether colour is averaged as stored or as linear light. ``ResamplingFilter/nearest`` ignores it.
  ///   - budget: charged with the result, the buffers and the work. The buffers are credited at the end.
  /// - Throws: `CodecError.Kind.invalidArgument` if the new size is not positive or the bitmap has no pixels,
  ///   `CodecError.Kind.limitExceeded` if a limit of the budget is exceeded, `CodecError.Kind.cancelled` and
  ///   `CodecError.Kind.deadlineExceeded` as for `ResourceBudget.chargeWork(_:byteOffset:)`.
  public func resized(
    toWidth width: Int, height: Int, filter: ResamplingFilter = .lanczos3, light: ResamplingLight = .encoded,
    budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let heldBefore = budget.heldByteCount
    do {
      let result = try resize(
        to: PixelSize(width: width, height: height), filter: filter, light: light, budget: &budget)
      budget.release(budget.heldByteCount - heldBefore - result.byteCount)
      return result
    } catch {
      budget.release(budget.heldByteCount - heldBefore)
      throw error
    }
  }

  /// Returns the image at another size, within the default limits. See
  /// ``resized(toWidth:height:filter:light:budget:)``.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` or `CodecError.Kind.limitExceeded`.
  public func resized(
    toWidth width: Int, height: Int, filter: ResamplingFilter = .lanczos3, light: ResamplingLight = .encoded
  ) throws(CodecError) -> Bitmap {
    var budget = ResourceBudget(.default)
    return try resized(toWidth: width, height: height, filter: filter, light: light, budget: &budget)
  }

  private func resize(
    to target: PixelSize, filter: ResamplingFilter, light: ResamplingLight, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let source = StreamedImage(width: width, height: height, format: format, colorSpace: colorSpace)
    var resampler = try RowResampler(from: source, to: target, filter: filter, light: light, budget: &budget)
    defer { resampler.recycleBuffers(budget.bufferPool) }
    var result = Bitmap()
    try result.reset(width: target.width, height: target.height, format: format, budget: &budget)
    result.copyTags(from: self)
    var targetY = 0
    for y in 0..<height {
      try resampler.append(row(y), budget: &budget) { (finished: Span<UInt8>, _) throws(CodecError) in
        result.fillRow(targetY, with: finished)
        targetY += 1
      }
    }
    return result
  }

  /// Copies the bytes of a row.
  mutating func fillRow(_ y: Int, with bytes: Span<UInt8>) {
    var row = mutableRow(y)
    copyBytes(bytes, into: &row)
  }
}
