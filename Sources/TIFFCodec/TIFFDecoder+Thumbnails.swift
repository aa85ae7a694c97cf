// Thumbnails in TIFF files: images of reduced resolution, and JPEG streams of EXIF.

public import ImageCoding
internal import MetadataFormats

extension TIFFDecoder {
  /// Decodes the thumbnail of the first page, with its orientation applied on request: the largest image of reduced
  /// resolution with at most a quarter of its pixels, or a JPEG stream as in EXIF. `nil` if there is none.
  ///
  /// - Throws: errors of the decoder of the thumbnail; `CodecError.Kind.truncated` if it is not in the input.
  public func thumbnail(_ bytes: Span<UInt8>, options: DecodingOptions) throws(CodecError) -> Bitmap? {
    var budget = ResourceBudget(options, format: Self.type)
    return try thumbnail(bytes, options: options, budget: &budget)
  }

  /// Decodes the thumbnail within the budget of the enclosing decode.
  package func thumbnail(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap? {
    let main = try TIFFContainer(parsing: bytes, budget: &budget)
    let candidates = try main.reducedVersions(bytes, budget: &budget).filter {
      $0.size.width <= main.size.width / 2 && $0.size.height <= main.size.height / 2
    }
    var options = options
    options.targetSize = nil
    options.region = nil
    options.imageIndex = nil
    if let largest = candidates.max(by: { $0.size.width < $1.size.width }) {
      return try decode(largest, orientation: main.orientation, bytes, options, &budget)
    }
    guard let stream = try main.jpegThumbnail(bytes, budget: &budget), let jpegDecoder else { return nil }
    try budget.descend()
    defer { budget.ascend() }
    options.orientation = .report
    var bitmap = Bitmap()
    _ = try jpegDecoder.decode(bytes.extracting(stream), into: &bitmap, options: options, budget: &budget)
    bitmap.orientation = main.orientation
    return bitmap
  }

  private func decode(
    _ container: TIFFContainer, orientation: ImageOrientation, _ bytes: Span<UInt8>, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    var bitmap = Bitmap()
    let heldByteCount = budget.heldByteCount
    _ = try DecodingContext.spending(&budget, options, format: Self.type) { (context) throws(CodecError) in
      try decode(container, bytes, into: &bitmap, &context)
    }
    budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
    if bitmap.orientation == .up { bitmap.orientation = orientation }
    return bitmap
  }
}
