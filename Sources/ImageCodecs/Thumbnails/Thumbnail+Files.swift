// Thumbnails of files, which are read as they are decoded.

internal import JPEGCodec

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Thumbnail {
  /// Makes the thumbnail of an image file of any known format. JPEG, PNG, WebP, PNM, QOI and TGA files are read as they
  /// are decoded; other files are mapped into memory.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the file cannot be read, and the errors of
  ///   ``image(of:options:formats:)``.
  public func image(
    contentsOf url: URL, options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> DecodedImage {
    try validate()
    var budget = ResourceBudget(options)
    if let made = try streamedFile(url, options, formats, encoder: nil, &budget) {
      return try finished(made, options, &budget)
    }
    let data = try FileAccess.read(url, limits: options.limits)
    return try image(of: data.span, options: options, formats: formats, budget: &budget)
  }

  /// Makes and encodes the thumbnail of an image file of any known format. JPEG, PNG, WebP, PNM, QOI and TGA files are
  /// read as they are decoded, unless all frames or the gain map are requested; other files are mapped into memory.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the file cannot be read, and the errors of
  ///   ``encoded(_:as:options:formats:)``.
  public func encoded(
    contentsOf url: URL, as format: EncodingFormat, options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> EncodedThumbnail {
    try validate()
    var budget = ResourceBudget(options)
    if frames == .first || !format.hasAnimations, !keepsGainMap || !(format.encoder is JPEGEncoder),
      let made = try streamedFile(
        url, options, formats, encoder: rowEncoder(of: format, options), &budget)
    {
      return try encoded(made, as: format, options, &budget)
    }
    let data = try FileAccess.read(url, limits: options.limits)
    return try encoded(data.span, as: format, options: options, formats: formats, budget: &budget)
  }

  /// Returns `nil` if the file must be in memory as a whole.
  private func streamedFile(
    _ url: URL, _ options: DecodingOptions, _ formats: ImageFormatRegistry, encoder: JPEGEncoder?,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Made? {
    guard options.region == nil else { return nil }
    guard var file = FileParts(path: url.path) else {
      throw CodecError(.fileAccessFailed, "\(url.path) cannot be read, or is not a regular file")
    }
    guard case .found(let decoder, _) = formats.match(file.part.span),
      (decoder as? any CoreDecoder)?.readsFilesInParts == true
    else { return nil }
    // The headers are in the first part of nearly all files.
    let info: ImageInfo
    do throws(CodecError) {
      info = try decoder.info(file.part.span, options: headerOptions(options))
    } catch {
      if error.kind == .truncated { return nil }
      throw error
    }
    return try streamed(info, decoder, options, encoder: encoder, &budget) {
      (decoder, sink, options, budget: inout ResourceBudget) throws(CodecError) in
      guard let decoder = decoder as? any CoreDecoder else {
        throw CodecError(.unsupported, "the decoder does not read files in parts")
      }
      try file.rewind()
      var decode = ImageDecode(decoder.makeCore(.pixels, options))
      return try decode.decode(&file, to: sink, options: options, budget: &budget)
    }
  }
}
