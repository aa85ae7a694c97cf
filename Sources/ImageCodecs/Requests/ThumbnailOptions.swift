// A small version of an image, decoded at the requested size at most.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageRequest {
  /// The properties of a thumbnail. It keeps the aspect ratio and is never larger than the image, unless that is a
  /// vector image.
  public struct ThumbnailOptions: Hashable, Sendable {
    enum Target: Hashable, Sendable {
      case longestSide(Double)
      case size(ImageSize, ImageProcessingOptions.ContentMode)
    }

    let target: Target
    /// Whether a thumbnail is made from the image if none is embedded. Default `true`.
    public var createThumbnailFromImageIfAbsent = true
    /// Whether a thumbnail is made from the image even if one is embedded. Default `true`.
    public var createThumbnailFromImageAlways = true
    /// Whether the orientation is applied to the thumbnail. Default `true`.
    public var createThumbnailWithTransform = true
    /// Accepted without effect, because decoding yields pixels at once. Default `true`.
    public var shouldCacheImmediately = true

    /// Creates options for a thumbnail whose longer side is at most `maxPixelSize` pixels.
    public init(maxPixelSize: Double) {
      target = .longestSide(maxPixelSize)
    }

    /// Creates options for a thumbnail that fills a size or fits into it. By default it fills the size.
    ///
    /// - Parameter unit: has no effect, because there is no screen: a point is a pixel.
    public init(
      size: ImageSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill
    ) {
      target = .size(size, contentMode)
    }

    /// Makes the thumbnail, or returns `nil` if there is none or the data cannot be decoded.
    public func makeThumbnail(with data: Data) -> PlatformImage? {
      try? makeThumbnail(
        of: data.span, options: DecodingOptions(), formats: .shared,
        decode: { bytes, options throws(CodecError) in try DecodedImage(decoding: bytes, options: options) }
      ).bitmap
    }
  }
}

extension ImageRequest.ThumbnailOptions {
  /// Makes the thumbnail from the image that the flags select.
  ///
  /// - Parameter decode: decodes the whole image with the given options.
  func makeThumbnail(
    of bytes: Span<UInt8>, options: DecodingOptions, formats: ImageFormatRegistry,
    decode: (Span<UInt8>, DecodingOptions) throws(CodecError) -> DecodedImage
  ) throws(CodecError) -> DecodedImage {
    let options = decodingOptions(from: options)
    if !createThumbnailFromImageAlways,
      let embedded = ThumbnailSearch.thumbnail(in: bytes, options: options, formats: formats)
    {
      return scaledDown(embedded)
    }
    guard createThumbnailFromImageAlways || createThumbnailFromImageIfAbsent else {
      throw CodecError(.unsupported, "no thumbnail is embedded", format: formats.type(of: bytes))
    }
    var sized = options
    sized.targetSize = targetSize(of: bytes, limits: options.limits, formats: formats)
    return scaledDown(try decode(bytes, sized))
  }

  /// Returns the size of the thumbnail in display orientation, for codecs that decode a reduced size at lower cost.
  /// Returns `nil` if the headers cannot be read; the decode then throws the error.
  private func targetSize(
    of bytes: Span<UInt8>, limits: DecodingLimits, formats: ImageFormatRegistry
  ) -> PixelSize? {
    guard let decoder = try? formats.decoder(for: bytes),
      let info = try? decoder.info(bytes, options: InfoOptions(limits: limits))
    else { return nil }
    return pixelSize(for: info.orientedSize, isDrawing: info.colorModel == .vector)
  }

  /// Returns the options with the orientation handling of the thumbnail.
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

  /// Returns the size of the thumbnail in the bitmap's stored orientation.
  private func pixelSize(for bitmap: Bitmap) -> PixelSize {
    let isTurned = bitmap.orientation.swapsAxes
    let upright = pixelSize(for: isTurned ? bitmap.pixelSize.transposed : bitmap.pixelSize, isDrawing: false)
    return isTurned ? upright.transposed : upright
  }

  /// Returns the size of the thumbnail of an upright image.
  ///
  /// - Parameter isDrawing: whether the image can be enlarged without loss.
  func pixelSize(for image: PixelSize, isDrawing: Bool) -> PixelSize {
    guard image.width > 0, image.height > 0 else { return image }
    let factor = factor(width: Double(image.width), height: Double(image.height))
    // Also covers a factor that is NaN.
    guard factor < 1 || isDrawing && factor.isFinite else { return image }
    func scaled(_ side: Int) -> Int { Int(min(max(1, (Double(side) * factor).rounded()), 0x1p31)) }
    return PixelSize(width: scaled(image.width), height: scaled(image.height))
  }

  private func factor(width: Double, height: Double) -> Double {
    switch target {
    case .longestSide(let longest): longest / max(width, height)
    case .size(let size, .aspectFill): max(size.width / width, size.height / height)
    case .size(let size, .aspectFit): min(size.width / width, size.height / height)
    }
  }
}
