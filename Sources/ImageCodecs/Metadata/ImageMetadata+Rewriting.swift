// Metadata of a file exchanged or removed without decoding a pixel.

internal import MetadataFormats

extension ImageMetadata {
  /// A file without EXIF, XMP, IPTC, texts, comments and thumbnails. Its pixels' bytes stay as they are, as do the colour
  /// profile and the orientation, without which the picture would look different.
  ///
  /// - Parameter file: a JPEG or PNG file.
  /// - Throws: ``DecodeError/Kind/unsupported`` for other formats.
  public static func stripped(from file: [UInt8]) throws(DecodeError) -> [UInt8] {
    let orientation = try ImageInfo(reading: file).orientation
    return try ImageMetadata().rewrite(file, orientation: orientation, dropsUnknown: true)
  }

  /// A file with its EXIF, XMP, IPTC, texts and comments exchanged for these. Its pixels' bytes stay as they are, and so
  /// do profile and orientation: the EXIF block says what holds for the file's pixels.
  ///
  /// - Parameter file: a JPEG or PNG file.
  /// - Throws: ``DecodeError/Kind/unsupported`` for other formats, ``DecodeError/Kind/encodingFailed`` for what the format
  ///   cannot hold.
  public func replacing(in file: [UInt8]) throws(DecodeError) -> [UInt8] {
    let orientation = try ImageInfo(reading: file).orientation
    return try rewrite(file, orientation: orientation, dropsUnknown: false)
  }

  private func rewrite(
    _ file: [UInt8], orientation: ImageOrientation, dropsUnknown: Bool
  ) throws(DecodeError) -> [UInt8] {
    let type = AssetType(file)
    switch type {
    case .jpeg?:
      return try JPEGMetadataRewriter(dropsUnknown: dropsUnknown)
        .rewrite(file.span, metadata: self, orientation: orientation)
    case .png?:
      return try PNGMetadataRewriter().rewrite(file.span, metadata: self, orientation: orientation)
    case let type:
      throw DecodeError(
        .unsupported, "metadata of \(type?.formatName ?? "unknown") files is read but not rewritten", format: type)
    }
  }
}
