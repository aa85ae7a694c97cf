// Everything the chunks before the image data say, collected.

internal import ImageCore
internal import MetadataFormats

/// The parsed chunks of a PNG besides its image data.
struct ImageDescription: Sendable {
  let header: ImageHeader
  /// Where the data of IHDR stands in the file.
  let headerOffset: Int
  /// Whether Apple's tools rewrote the file: raw DEFLATE data, blue first, premultiplied alpha.
  let isAppleOptimized: Bool
  var palette: Palette?
  var transparency: Transparency?
  var metadata = ImageMetadata()
  var animation: AnimationControl?

  /// How the image's rows become pixels of `format`, or of the natural one.
  func expansion(to format: PixelFormat?) -> SampleExpansion {
    SampleExpansion(
      header: header, palette: palette, transparency: transparency, isAppleOptimized: isAppleOptimized,
      target: format)
  }

  var naturalFormat: PixelFormat {
    SampleExpansion.naturalFormat(header: header, transparency: transparency)
  }

  var orientation: ImageOrientation {
    metadata.exif.flatMap { ImageOrientation(exif: $0.span) } ?? .up
  }

  var info: ImageInfo {
    let colorModel: ImageInfo.ColorModel =
      switch header.colorType {
      case .gray, .grayAlpha: .gray
      case .rgb, .rgba: .rgb
      case .palette: .palette
      }
    return ImageInfo(
      type: PNGDecoder.type, width: header.width, height: header.height, bitDepth: header.bitDepth,
      colorModel: colorModel, hasAlpha: naturalFormat.hasAlpha, orientation: orientation,
      colorSpace: metadata.colorSpace, isProgressive: header.isInterlaced,
      frameCount: animation?.frameCount ?? 1, loopCount: animation?.loopCount)
  }

  /// Checks what the pixels and the strip of rows will take, before any of it is allocated.
  func checkLimits(_ limits: DecodingLimits, format: PixelFormat) throws(DecodeError) {
    let pixels = try limits.checkedByteCount(
      width: header.width, height: header.height, bytesPerPixel: format.bytesPerPixel, format: PNGDecoder.type,
      byteOffset: headerOffset)
    let rowByteCount = header.rowByteCount(width: header.width)
    guard rowByteCount * 2 <= limits.maximumByteCount - pixels || rowByteCount <= ImageDataDecoder.stripByteCount
    else {
      throw DecodeError(
        .limitExceeded, "rows of \(rowByteCount) bytes need more than \(limits.maximumByteCount) bytes",
        format: PNGDecoder.type, byteOffset: headerOffset)
    }
  }
}
