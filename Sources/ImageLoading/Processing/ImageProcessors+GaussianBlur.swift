// The processor that blurs images.

internal import ImageCoding
internal import VectorGraphics

extension ImageProcessors {
  /// Blurs images. The result has 8 bits per sample, and alpha if the image has.
  ///
  /// The pixels at the edges are taken to continue outside, so that opaque images stay opaque.
  public struct GaussianBlur: ImageProcessing, Hashable, CustomStringConvertible {
    private let radius: Int

    /// Creates a processor.
    ///
    /// - Parameter radius: the standard deviation of the blur in pixels. Default 8. With 0, which negative numbers mean
    ///   too, images are returned unchanged.
    public init(radius: Int = 8) {
      self.radius = max(0, radius)
    }

    /// Returns the blurred image, or `nil` if the image has no pixels, its samples cannot be converted to RGB, or the
    /// blur exceeds the default limits.
    public func process(_ image: PlatformImage) -> PlatformImage? {
      if image.isEmpty { return nil }
      return radius == 0 ? image : try? blurred(image)
    }

    private func blurred(_ image: Bitmap) throws(CodecError) -> Bitmap {
      let blur = VectorGraphics.GaussianBlur(x: Double(radius), y: Double(radius))
      let area = PixelRect(minX: 0, minY: 0, maxX: image.width, maxY: image.height)
      let source = blur.source(of: area)
      var canvas = try Canvas(bounds: source)
      let picture = ImagePaint(try Layer(image), transform: .identity, sampling: .nearest, extend: .pad)
      try canvas.paint(.image(picture))
      var result = try blur.apply(to: canvas.popLayer(), area: area, region: source).makeBitmap()
      if !image.format.hasAlpha { result = try result.converted(to: .rgb8) }
      result.copyTags(from: image)
      result.significantBits = nil
      return result
    }

    /// The radius.
    public var identifier: String { "com.github.kean/nuke/gaussian_blur?radius=\(radius)" }

    /// The processor's parameters in one line.
    public var description: String { "GaussianBlur(radius: \(radius))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.GaussianBlur {
  /// The processor that blurs images by a Gaussian of the given standard deviation in pixels.
  public static func gaussianBlur(radius: Int = 8) -> ImageProcessors.GaussianBlur {
    ImageProcessors.GaussianBlur(radius: radius)
  }
}
