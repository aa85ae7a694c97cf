// The parsed contents of the chunks before the image data.

internal import ImageCoding
internal import MetadataFormats

/// The parsed chunks of a PNG, except for its image data.
struct ImageDescription: Sendable {
  let header: ImageHeader
  /// The file offset of the data of IHDR.
  let headerOffset: Int
  /// Whether the file was optimised by Apple's tools: raw DEFLATE data, blue first, premultiplied alpha.
  let isAppleOptimized: Bool
  var palette: Palette?
  var transparency: Transparency?
  var metadata = ImageMetadata()
  var animation: AnimationControl?

  /// Returns the conversion of the image's rows to pixels of `format`, or of the natural format.
  func expansion(to format: PixelFormat?) -> SampleExpansion {
    SampleExpansion(
      header: header, palette: palette, transparency: transparency, isAppleOptimized: isAppleOptimized,
      target: format)
  }

  var naturalFormat: PixelFormat {
    SampleExpansion.naturalFormat(header: header, transparency: transparency)
  }

  /// The meaning of the image's samples in pixels of the given format.
  func colorSpace(in format: PixelFormat) -> ColorSpace {
    metadata.colorSpace.applying(from: naturalFormat, to: format)
  }

  var info: ImageInfo {
    let colorModel: ImageInfo.StoredColorModel =
      switch header.colorType {
      case .gray, .grayAlpha: .gray
      case .rgb, .rgba: .rgb
      case .palette: .palette
      }
    return ImageInfo(
      type: PNGDecoder.type, width: header.width, height: header.height, bitDepth: header.bitDepth,
      colorModel: colorModel, hasAlpha: naturalFormat.hasAlpha, orientation: metadata.orientation,
      colorSpace: metadata.colorSpace, isProgressive: header.isInterlaced,
      frameCount: animation?.frameCount ?? 1, loopCount: animation?.loopCount)
  }

  /// Checks the size of the bitmap before anything is allocated for it.
  func checkLimits(_ limits: DecodingLimits, format: PixelFormat) throws(CodecError) {
    _ = try limits.checkedByteCount(
      width: header.width, height: header.height, bytesPerPixel: format.bytesPerPixel, format: PNGDecoder.type,
      byteOffset: headerOffset)
  }
}
