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
    /// - Parameters:
    ///   - size: the target size.
    ///   - unit: has no effect, because there is no screen: a point is a pixel.
    ///   - contentMode: whether the image fills the size or fits into it.
    public init(
      size: ImageSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill
    ) {
      target = .size(size, contentMode)
    }

    /// The size and the flags as text, for the keys of caches.
    package var identifier: String {
      let flags = [
        createThumbnailFromImageIfAbsent, createThumbnailFromImageAlways, createThumbnailWithTransform,
        shouldCacheImmediately,
      ]
      let size =
        switch target {
        case .longestSide(let side): "maxPixelSize=\(side)"
        case .size(let size, let mode): "width=\(size.width),height=\(size.height),contentMode=\(mode)"
        }
      return "com.github/kean/nuke/thumbnail?\(size),options=" + flags.map(\.description).joined()
    }

    /// Makes the thumbnail, or returns `nil` if there is none or the data cannot be decoded.
    public func makeThumbnail(with data: Data) -> PlatformImage? {
      try? makeThumbnail(of: ImageFile(data)).bitmap
    }
  }
}

extension ImageRequest.ThumbnailOptions {
  /// Makes the thumbnail from the image that the flags select.
  ///
  /// - Parameter decode: decodes the whole image, if a part of it has been decoded already; otherwise its rows are
  ///   resized as they are decoded.
  func makeThumbnail(
    of file: ImageFile, decode: (() throws(CodecError) -> DecodedImage)? = nil
  ) throws(CodecError) -> DecodedImage {
    var file = file
    file.options = decodingOptions(from: file.options)
    if !createThumbnailFromImageAlways, let embedded = file.embeddedThumbnail() {
      return try scaledDown(embedded, file.options)
    }
    guard createThumbnailFromImageAlways || createThumbnailFromImageIfAbsent else {
      throw CodecError(.unsupported, "no thumbnail is embedded", format: file.type)
    }
    if let decode { return try scaledDown(try decode(), file.options) }
    let info = try file.info()
    let size = pixelSize(for: info.orientedSize, isDrawing: info.colorModel == .vector)
    return try file.thumbnail(request(for: size))
  }

  private func request(for size: PixelSize) -> Thumbnail {
    Thumbnail(width: max(size.width, 1), height: max(size.height, 1), fit: .exact, color: .source)
  }

  /// Returns the options with the orientation handling of the thumbnail.
  func decodingOptions(from options: DecodingOptions) -> DecodingOptions {
    var options = options
    options.orientation = createThumbnailWithTransform ? .apply : .report
    return options
  }

  private func scaledDown(_ image: DecodedImage, _ options: DecodingOptions) throws(CodecError) -> DecodedImage {
    var image = image
    let size = image.bitmap.pixelSize
    let upright = image.bitmap.orientation.swapsAxes ? size.transposed : size
    let request = request(for: pixelSize(for: upright, isDrawing: false))
    image.bitmap = try image.bitmap.thumbnail(request, options: options)
    return image
  }

  /// Returns the size of the thumbnail of an upright image.
  ///
  /// - Parameter isDrawing: whether the image can be enlarged without loss.
  func pixelSize(for image: PixelSize, isDrawing: Bool) -> PixelSize {
    guard image.width > 0, image.height > 0 else { return image }
    let factor = factor(width: Double(image.width), height: Double(image.height))
    // Also covers a factor that is NaN.
    guard factor < 1 || isDrawing && factor.isFinite else { return image }
    return image.scaled(across: factor, down: factor)
  }

  private func factor(width: Double, height: Double) -> Double {
    switch target {
    case .longestSide(let longest): longest / max(width, height)
    case .size(let size, .aspectFill): max(size.width / width, size.height / height)
    case .size(let size, .aspectFit): min(size.width / width, size.height / height)
    }
  }
}
