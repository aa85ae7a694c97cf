// The small picture that cameras and editors put beside the large one: in the EXIF block of any format, in JPEG's JFXX
// segment (ITU-T T.871, 10.2), as a thumbnail item of HEIF.

internal import ISOMediaCodec
internal import ImageCore
internal import MetadataFormats

/// A thumbnail that is embedded in a file.
struct EmbeddedThumbnail {
  let image: DecodedImage

  /// `nil` where there is none, or it cannot be decoded.
  ///
  /// - Parameter options: the orientation of the large picture, which the thumbnail shares, is handled as they say.
  init?(in bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry) {
    let found: DecodedImage?
    switch AssetType(bytes) {
    case .jpeg?: found = Self.jpegThumbnail(bytes, options: options, formats: formats)
    case .heic?, .heif?, .avif?:
      found =
        Self.heifThumbnail(bytes, options: options, formats: formats)
        // Turns are properties of the picture here; what EXIF says of them does not count.
        ?? Self.exifThumbnail(bytes, orientation: .up, options: options, formats: formats)
    case .png?, .webp?, .tiff?:
      found = Self.exifThumbnail(bytes, orientation: nil, options: options, formats: formats)
    default: found = nil
    }
    guard let found else { return nil }
    image = found
  }

  /// The thumbnail of the EXIF block goes before that of JFXX: it is the one that cameras write.
  private static func jpegThumbnail(
    _ bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry
  ) -> DecodedImage? {
    var segments = JPEGSegments(bytes)
    var orientation = ImageOrientation.up
    var extensionImage: DecodedImage?
    while let segment = segments.next() {
      if segment.isFrameHeader { break }
      let payload = bytes.extracting(segment.payload)
      switch JPEGSegmentContent(segment, of: bytes) {
      case .exif where payload.count > 6:
        let exif = payload.extracting(6..<payload.count)
        orientation = ImageOrientation(exif: exif) ?? orientation
        if let image = decoded(exif: exif, orientation: orientation, options: options, formats: formats) {
          return image
        }
      case .jfxx:
        extensionImage = extensionImage ?? (try? JFXXThumbnail(payload).decoded(options: options, formats: formats))
      default: break
      }
    }
    return extensionImage.map { turned($0, by: orientation, options: options) }
  }

  private static func exifThumbnail(
    _ bytes: Span<UInt8>, orientation: ImageOrientation?, options: DecodingOptions, formats: ImageFormatRegistry
  ) -> DecodedImage? {
    let reading = InfoOptions(limits: options.limits)
    guard let exif = (try? ImageMetadata(reading: bytes, options: reading, formats: formats))?.exif else { return nil }
    let stated = orientation ?? ImageOrientation(exif: exif.span) ?? .up
    return decoded(exif: exif.span, orientation: stated, options: options, formats: formats)
  }

  private static func decoded(
    exif: Span<UInt8>, orientation: ImageOrientation, options: DecodingOptions, formats: ImageFormatRegistry
  ) -> DecodedImage? {
    guard let range = exifThumbnailRange(exif),
      let image = try? DecodedImage(decoding: exif.extracting(range), options: options, formats: formats)
    else { return nil }
    return turned(image, by: orientation, options: options)
  }

  /// A thumbnail without an orientation of its own has that of the large picture.
  private static func turned(
    _ image: DecodedImage, by orientation: ImageOrientation, options: DecodingOptions
  ) -> DecodedImage {
    guard image.info.orientation == .up, orientation != .up else { return image }
    var image = image
    image.bitmap.orientation = orientation
    image.bitmap = image.bitmap.handlingOrientation(options.orientation)
    return image
  }

  private static func heifThumbnail(
    _ bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry
  ) -> DecodedImage? {
    let decoder = ISOMediaDecoder(jpegDecoder: formats.decoder(of: .jpeg))
    guard let bitmap = (try? decoder.thumbnail(bytes, options: options)) ?? nil else { return nil }
    return DecodedImage(
      bitmap: bitmap,
      details: DecodingDetails(info: ImageInfo(type: .jpeg, width: bitmap.width, height: bitmap.height)))
  }
}
