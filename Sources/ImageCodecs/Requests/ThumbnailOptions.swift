// A small version of an image, decoded at no more than the size that is asked for.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageRequest {
  /// Asks for a thumbnail. It keeps the image's shape and is never larger than the image.
  public struct ThumbnailOptions: Hashable, Sendable {
    enum Target: Hashable, Sendable {
      case longestSide(Double)
      case size(ImageSize, ImageProcessingOptions.ContentMode)
    }

    let target: Target
    /// Whether a thumbnail is made from the image when none is embedded. Default `true`.
    public var createThumbnailFromImageIfAbsent = true
    /// Whether a thumbnail is made from the image even when one is embedded. Default `true`.
    public var createThumbnailFromImageAlways = true
    /// Whether the thumbnail is turned upright. Default `true`.
    public var createThumbnailWithTransform = true
    /// Accepted, without effect: decoding gives pixels at once. Default `true`.
    public var shouldCacheImmediately = true

    /// A thumbnail whose longer side has at most so many pixels.
    public init(maxPixelSize: Double) {
      target = .longestSide(maxPixelSize)
    }

    /// A thumbnail that fills a size or fits into it.
    ///
    /// - Parameter unit: without a screen a point is a pixel.
    public init(
      size: ImageSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill
    ) {
      target = .size(size, contentMode)
    }

    /// Makes the thumbnail; `nil` when there is none or the data cannot be decoded.
    public func makeThumbnail(with data: Data) -> PlatformImage? {
      try? makeThumbnail(
        of: data.span, options: DecodingOptions(), formats: .shared,
        decode: { bytes, options throws(DecodeError) in try DecodedImage(decoding: bytes, options: options) }
      ).bitmap
    }
  }
}

extension ImageRequest.ThumbnailOptions {
  /// Makes the thumbnail from the picture that the flags ask for.
  ///
  /// - Parameter decode: decodes the whole image with the given options.
  func makeThumbnail(
    of bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry,
    decode: (Span<UInt8>, DecodingOptions) throws(DecodeError) -> DecodedImage
  ) throws(DecodeError) -> DecodedImage {
    let options = decodingOptions(from: options)
    if !createThumbnailFromImageAlways, let embedded = EmbeddedThumbnail(in: bytes, options: options, formats: formats)
    {
      return scaledDown(embedded.image)
    }
    guard createThumbnailFromImageAlways || createThumbnailFromImageIfAbsent else {
      throw DecodeError(.unsupported, "no thumbnail is embedded", format: AssetType(bytes))
    }
    return scaledDown(try decode(bytes, options))
  }

  /// The options with the orientation that the thumbnail is to have.
  func decodingOptions(from options: DecodingOptions) -> DecodingOptions {
    var options = options
    options.orientation = createThumbnailWithTransform ? .apply : .report
    return options
  }

  private func scaledDown(_ image: DecodedImage) -> DecodedImage {
    var image = image
    image.bitmap = image.bitmap.downscaled(to: pixelSize(for: image.bitmap))
    return image
  }

  /// The size of the thumbnail in the bitmap's own orientation.
  func pixelSize(for bitmap: Bitmap) -> PixelSize {
    guard !bitmap.isEmpty else { return bitmap.pixelSize }
    let width = Double(bitmap.width)
    let height = Double(bitmap.height)
    let factor: Double
    switch target {
    case .longestSide(let longest): factor = longest / max(width, height)
    case .size(let size, let contentMode):
      let isTurned = bitmap.orientation.swapsAxes
      let across = (isTurned ? size.height : size.width) / width
      let down = (isTurned ? size.width : size.height) / height
      factor = contentMode == .aspectFill ? max(across, down) : min(across, down)
    }
    // Also where the factor is not a number.
    guard factor < 1 else { return bitmap.pixelSize }
    return PixelSize(
      width: max(1, Int((width * factor).rounded())), height: max(1, Int((height * factor).rounded())))
  }
}
