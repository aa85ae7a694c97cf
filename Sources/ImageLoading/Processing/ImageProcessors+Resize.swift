// The processor that resizes images, with Nuke's names and meaning.

/// A namespace for the processors of the library.
public enum ImageProcessors {
  /// Resizes images by Lanczos's filter, and keeps their aspect ratio.
  public struct Resize: ImageProcessing, Hashable, CustomStringConvertible {
    private let size: ImageSize
    private let contentMode: ImageProcessingOptions.ContentMode
    private let crop: Bool
    private let upscale: Bool

    /// The side that does not limit an image of which only the other side is given. The number is part of the keys of
    /// caches.
    private static let unlimitedSide = 9999.0

    /// Creates a processor that makes images fill a size or fit into it. By default they fill it and only shrink.
    ///
    /// - Parameters:
    ///   - size: the target size.
    ///   - unit: has no effect, because there is no screen: a point is a pixel.
    ///   - contentMode: whether the image fills the size or fits into it.
    ///   - crop: whether images that fill the size are cropped to it. Images that are too small to fill it, and are not
    ///     enlarged, are cropped to its aspect ratio.
    ///   - upscale: whether images that are smaller are enlarged.
    public init(
      size: ImageSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
    ) {
      self.size = size
      self.contentMode = contentMode
      self.crop = crop
      self.upscale = upscale
    }

    /// Creates a processor that limits the width of images.
    public init(width: Double, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false) {
      self.init(
        size: ImageSize(width: width, height: Self.unlimitedSide), unit: unit, contentMode: .aspectFit,
        upscale: upscale)
    }

    /// Creates a processor that limits the height of images.
    public init(height: Double, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false) {
      self.init(
        size: ImageSize(width: Self.unlimitedSide, height: height), unit: unit, contentMode: .aspectFit,
        upscale: upscale)
    }

    /// Returns the resized image, or `nil` if the size is not positive or exceeds the default limits.
    public func process(_ image: PlatformImage) -> PlatformImage? {
      guard let request = request(for: image),
        var resized = try? image.thumbnail(request, options: DecodingOptions(orientation: .report))
      else { return nil }
      resized.scale = image.scale
      return resized
    }

    private func request(for image: Bitmap) -> Thumbnail? {
      guard let width = Self.pixels(size.width), let height = Self.pixels(size.height) else { return nil }
      var request = Thumbnail(width: width, height: height, fit: .inside, enlarges: upscale, color: .source)
      switch contentMode {
      case .aspectFit:
        if size.width == Self.unlimitedSide, size.height != Self.unlimitedSide { request.width = nil }
        if size.height == Self.unlimitedSide, size.width != Self.unlimitedSide { request.height = nil }
      case .aspectFill where crop:
        let available = image.orientation.swapsAxes ? image.pixelSize.transposed : image.pixelSize
        let target = PixelSize(width: width, height: height)
        let cropped = upscale ? target : Self.reduced(target, toFillFrom: available)
        request.fit = .cover
        request.width = cropped.width
        request.height = cropped.height
      case .aspectFill: request.fit = .outside
      }
      return request
    }

    /// Returns a size of the same aspect ratio that an image fills without being enlarged.
    private static func reduced(_ target: PixelSize, toFillFrom image: PixelSize) -> PixelSize {
      let width = Double(image.width) / Double(target.width)
      let height = Double(image.height) / Double(target.height)
      let factor = min(width, height)
      guard factor < 1 else { return target }
      func side(_ side: Int) -> Int { max(1, Int((Double(side) * factor).rounded())) }
      return PixelSize(width: side(target.width), height: side(target.height))
    }

    private static func pixels(_ side: Double) -> Int? {
      side >= 0.5 && side < PixelSize.maximumSide ? Int(side.rounded()) : nil
    }

    /// The size, the content mode and the flags.
    public var identifier: String {
      "com.github.kean/nuke/resize?s=(\(size.width), \(size.height)),cm=\(contentMode),crop=\(crop),upscale=\(upscale)"
    }

    /// The processor's parameters in one line.
    public var description: String {
      "Resize(size: (\(size.width), \(size.height)) pixels, contentMode: \(contentMode), crop: \(crop), "
        + "upscale: \(upscale))"
    }
  }
}

extension ImageProcessing where Self == ImageProcessors.Resize {
  /// The processor that makes images fill a size or fit into it; see
  /// `ImageProcessors.Resize.init(size:unit:contentMode:crop:upscale:)`.
  public static func resize(
    size: ImageSize, unit: ImageProcessingOptions.Unit = .points,
    contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale)
  }

  /// The processor that limits the width of images.
  public static func resize(
    width: Double, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(width: width, unit: unit, upscale: upscale)
  }

  /// The processor that limits the height of images.
  public static func resize(
    height: Double, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(height: height, unit: unit, upscale: upscale)
  }
}
