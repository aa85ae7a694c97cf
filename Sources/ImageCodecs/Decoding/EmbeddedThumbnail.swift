// The small picture that cameras put beside the large one.

internal import MetadataFormats

/// A thumbnail that is embedded in a JPEG file's EXIF block.
struct EmbeddedThumbnail {
  let image: DecodedImage

  /// `nil` where there is none, or it cannot be decoded.
  ///
  /// - Parameter options: the orientation of the large picture, which the thumbnail shares, is handled as they say.
  init?(in bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry) {
    guard AssetType(bytes) == .jpeg else { return nil }
    var segments = JPEGSegments(bytes)
    while let segment = segments.next() {
      if segment.isFrameHeader { return nil }
      guard segment.marker == 0xE1, let exif = exifBlock(bytes.extracting(segment.payload)),
        let range = exifThumbnailRange(exif)
      else { continue }
      guard var image = try? DecodedImage(decoding: exif.extracting(range), options: options, formats: formats)
      else { return nil }
      if image.info.orientation == .up, let orientation = ImageOrientation(exif: exif) {
        image.bitmap.orientation = orientation
        image.bitmap = image.bitmap.handlingOrientation(options.orientation)
      }
      self.image = image
      return
    }
    return nil
  }
}
