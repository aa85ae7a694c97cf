// Thumbnails in HEIF files.

internal import ImageCoding

extension ISOMediaDecoder {
  /// Decodes the largest JPEG-coded thumbnail of the primary image, with its own orientation applied; `nil` if there is
  /// none.
  ///
  /// - Throws: errors of the JPEG decoder; `CodecError.Kind.truncated` if the thumbnail is not in the input.
  package func thumbnail(_ bytes: Span<UInt8>, options: DecodingOptions) throws(CodecError) -> Bitmap? {
    var budget = ResourceBudget(options, format: Self.heif)
    return try thumbnail(bytes, options: options, budget: &budget)
  }

  /// Decodes the largest JPEG-coded thumbnail within the budget of the enclosing decode.
  package func thumbnail(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap? {
    let container = try HEIFContainer(parsing: bytes, budget: &budget)
    let candidates = container.thumbnails.filter { $0.coding == "jpeg" }
    guard jpegDecoder != nil, let largest = candidates.max(by: { $0.codedSize.width < $1.codedSize.width }) else {
      return nil
    }
    return try DecodingContext.spending(&budget, options, format: container.type) { (context) throws(CodecError) in
      try assembly(container).thumbnail(largest, bytes, &context)
    }
  }
}
