// Thumbnails of bitmaps.

internal import ImageCoding

extension Bitmap {
  /// Makes a thumbnail of the bitmap. Its orientation is applied unless the options say otherwise.
  ///
  /// - Parameters:
  ///   - request: the thumbnail.
  ///   - options: the limits, the handling of the orientation and the pixel format of the result.
  /// - Throws: `CodecError.Kind.invalidArgument` if the request is invalid, `CodecError.Kind.limitExceeded`,
  ///   `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func thumbnail(
    _ request: Thumbnail, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> Bitmap {
    var budget = ResourceBudget(options)
    return try thumbnail(request, options: options, budget: &budget)
  }

  /// Makes a thumbnail of the bitmap as a part of a call. Its budget then holds the result too.
  package func thumbnail(
    _ request: Thumbnail, options: DecodingOptions, colorConversion: ColorConversion = .keep,
    budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    try request.validate()
    var result = try request.resized(self, isDrawing: false, &budget).bitmap
    try ThumbnailFinishing(request, options, colorConversion).apply(to: &result, &budget)
    return result
  }
}

extension Thumbnail {
  /// Converts, resizes and crops a bitmap, and charges the result.
  func resized(
    _ bitmap: Bitmap, isDrawing: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (bitmap: Bitmap, diagnostics: [ImageDiagnostic]) {
    let sink = ThumbnailSink(self, of: bitmap.pixelSize, orientation: bitmap.orientation, isDrawing: isDrawing)
    let heldByteCount = budget.heldByteCount
    try sink.begin(
      StreamedImage(
        width: bitmap.width, height: bitmap.height, format: bitmap.format, colorSpace: bitmap.colorSpace),
      budget: &budget)
    for y in 0..<bitmap.height { try sink.append(bitmap.row(y), budget: &budget) }
    var result = try sink.finish(budget: &budget).bitmap
    budget.settle(heldByteCount: heldByteCount + result.byteCount)
    result.orientation = bitmap.orientation
    result.significantBits = bitmap.significantBits
    return (result, sink.diagnostics)
  }
}
