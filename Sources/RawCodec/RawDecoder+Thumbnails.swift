// The picture that a file offers in place of a large one.

public import ImageCoding

extension RawDecoder {
  /// Decodes an embedded picture with the orientation of the raw file: the smallest that is at least as large as
  /// `DecodingOptions.targetSize`, or the smallest of all if no size is given. `nil` if there is none.
  ///
  /// - Throws: errors of the decoder of the picture.
  public func thumbnail(_ bytes: Span<UInt8>, options: DecodingOptions) throws(CodecError) -> Bitmap? {
    var budget = ResourceBudget(options)
    return try thumbnail(bytes, options: options, budget: &budget)
  }

  /// Decodes an embedded picture within the budget of the enclosing decode.
  package func thumbnail(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap? {
    let file = try RawFile(bytes, jpegDecoder: jpegDecoder, budget: &budget)
    let target = options.targetSize ?? PixelSize(width: 1, height: 1)
    let stored = file.orientation.swapsAxes ? target.transposed : target
    guard let picture = file.smallestPicture(for: stored) else { return nil }
    var options = options
    options.region = nil
    options.imageIndex = nil
    var bitmap = Bitmap()
    let heldByteCount = budget.heldByteCount
    try DecodingContext.spending(&budget, options, format: file.format.type) { (context) throws(CodecError) in
      try EmbeddedPictureDecoder(jpegDecoder: jpegDecoder).decode(picture, bytes, into: &bitmap, &context)
    }
    bitmap.orientation = file.orientation
    budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
    return bitmap
  }
}
