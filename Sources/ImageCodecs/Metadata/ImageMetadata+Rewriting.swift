// Replacing and removing the metadata of a file without decoding pixels.

extension ImageMetadata {
  /// Returns a file without EXIF, XMP, IPTC, texts, comments, thumbnails, private application data and anything after
  /// the image, such as further images. The pages of a TIFF are kept. The colour profile and the orientation are kept,
  /// because the image would look different without them. The result shows the same picture; a file of which that is not
  /// certain, such as a damaged one, is refused with an error.
  ///
  /// Bytes that decoders do not use are dropped, such as those after the last code of compressed image data. To find them,
  /// the data of JPEG, PNG, GIF and TIFF files is decompressed, but not decoded to pixels. The rewriter of each format
  /// states what it does not remove.
  ///
  /// In HEIC and AVIF files, further images, thumbnails among them, are kept without their metadata.
  ///
  /// SVG documents keep their titles and descriptions, which viewers show; the pictures that they embed are stripped as
  /// well, or written as PNG if their format is not rewritten; compressed documents are written uncompressed. They may
  /// still contain scripts and links; see ``stripped(from:removing:limits:formats:)``.
  ///
  /// - Parameters:
  ///   - file: a JPEG, PNG, WebP, HEIC, AVIF, TIFF, GIF or SVG file.
  ///   - limits: what reading and writing may cost together: memory of what is copied, work and time.
  ///   - shouldCancel: called repeatedly; once it returns `true`, the call ends.
  /// - Throws: ``CodecError/Kind/unsupported`` for other formats, naming the format; ``CodecError/Kind/limitExceeded``,
  ///   ``CodecError/Kind/deadlineExceeded`` or ``CodecError/Kind/cancelled``.
  public static func stripped(
    from file: [UInt8], limits: DecodingLimits = .default, formats: ImageFormatRegistry = .shared,
    shouldCancel: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, shouldCancel: shouldCancel)
    return try ImageMetadata().rewrite(file, isStrip: true, formats: formats, &budget)
  }

  /// Returns a file whose EXIF, XMP, IPTC, texts and comments are replaced by this metadata. The coded image data, the
  /// colour profile and the orientation are unchanged: the orientation in the EXIF block is set to that of the file.
  /// Anything after the image, such as further images with their own metadata, is dropped.
  ///
  /// - Parameters:
  ///   - file: a JPEG, PNG, WebP, HEIC, AVIF, TIFF or GIF file. The metadata of SVG can only be removed.
  ///   - limits: what reading and writing may cost together: memory of what is copied, work and time.
  ///   - shouldCancel: called repeatedly; once it returns `true`, the call ends.
  /// - Throws: ``CodecError/Kind/unsupported`` for other formats, naming the format;
  ///   ``CodecError/Kind/encodingFailed`` if the format cannot hold the metadata; ``CodecError/Kind/limitExceeded``,
  ///   ``CodecError/Kind/deadlineExceeded`` or ``CodecError/Kind/cancelled``.
  public func replacing(
    in file: [UInt8], limits: DecodingLimits = .default, formats: ImageFormatRegistry = .shared,
    shouldCancel: (@Sendable () -> Bool)? = nil
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, shouldCancel: shouldCancel)
    return try rewrite(file, isStrip: false, formats: formats, &budget)
  }

  /// Returns a file with this metadata, within a budget.
  func rewrite(
    _ file: [UInt8], isStrip: Bool, formats: ImageFormatRegistry, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    _ = try formats.decoder(for: file.span)
    let type = formats.type(of: file.span)
    budget.format = type
    if isStrip, type == .svg { return try Self.strippedDocument(file, formats: formats, budget: &budget) }
    guard var rewriter = type.flatMap({ formats.metadataRewriter(of: $0) }) else {
      let operation = isStrip ? "removed from" : "replaced in"
      throw CodecError(
        .unsupported, "metadata cannot be \(operation) \(type?.formatName ?? "unknown") files", format: type)
    }
    rewriter.keepsUnknownParts = !isStrip
    return try rewriter.rewrite(file.span, metadata: self, orientation: nil, budget: &budget)
  }
}
