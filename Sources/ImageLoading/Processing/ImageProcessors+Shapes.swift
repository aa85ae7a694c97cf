// The processors that cut images to circles and rounded rectangles.

extension ImageProcessors {
  /// Cuts images to a square and then to a circle. The result has 8 bits per sample and alpha.
  public struct Circle: ImageProcessing, Hashable, CustomStringConvertible {
    private let border: ImageProcessingOptions.Border?

    /// Creates a processor; by default without a border.
    public init(border: ImageProcessingOptions.Border? = nil) {
      self.border = border
    }

    /// Returns the circle from the middle of the image, or `nil` if the image has no pixels, or its samples cannot be
    /// converted to RGB.
    public func process(_ image: PlatformImage) -> PlatformImage? {
      let image = image.orientedUp()
      let side = min(image.width, image.height)
      guard side > 0 else { return nil }
      let square = PixelRegion(x: (image.width - side) / 2, y: (image.height - side) / 2, width: side, height: side)
      guard let cropped = try? image.cropped(to: square) else { return nil }
      return try? ShapeCutting.cut(cropped, radius: Double(side) / 2, border: border)
    }

    /// The border.
    public var identifier: String {
      "com.github.kean/nuke/circle" + (border.map { "?border=\($0)" } ?? "")
    }

    /// The processor's parameters in one line.
    public var description: String { "Circle(border: \(border?.description ?? "nil"))" }
  }

  /// Rounds the corners of images. The result has 8 bits per sample and alpha.
  public struct RoundedCorners: ImageProcessing, Hashable, CustomStringConvertible {
    private let radius: Double
    private let border: ImageProcessingOptions.Border?

    /// Creates a processor.
    ///
    /// - Parameters:
    ///   - radius: the radius of the corners in pixels.
    ///   - unit: has no effect, because there is no screen: a point is a pixel.
    ///   - border: drawn along the inside of the edge; by default none.
    public init(
      radius: Double, unit: ImageProcessingOptions.Unit = .points, border: ImageProcessingOptions.Border? = nil
    ) {
      self.radius = radius
      self.border = border
    }

    /// Returns the image with rounded corners, or `nil` if the image has no pixels, or its samples cannot be converted to
    /// RGB.
    public func process(_ image: PlatformImage) -> PlatformImage? {
      guard !image.isEmpty else { return nil }
      return try? ShapeCutting.cut(image.orientedUp(), radius: radius, border: border)
    }

    /// The radius and the border.
    public var identifier: String {
      "com.github.kean/nuke/rounded_corners?radius=\(radius)" + (border.map { ",border=\($0)" } ?? "")
    }

    /// The processor's parameters in one line.
    public var description: String {
      "RoundedCorners(radius: \(radius) pixels, border: \(border?.description ?? "nil"))"
    }
  }
}

extension ImageProcessing where Self == ImageProcessors.Circle {
  /// The processor that cuts images to circles.
  public static func circle(border: ImageProcessingOptions.Border? = nil) -> ImageProcessors.Circle {
    ImageProcessors.Circle(border: border)
  }
}

extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
  /// The processor that rounds the corners of images.
  public static func roundedCorners(
    radius: Double, unit: ImageProcessingOptions.Unit = .points, border: ImageProcessingOptions.Border? = nil
  ) -> ImageProcessors.RoundedCorners {
    ImageProcessors.RoundedCorners(radius: radius, unit: unit, border: border)
  }
}
