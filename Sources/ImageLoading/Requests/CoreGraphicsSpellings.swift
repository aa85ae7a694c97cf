// Sizes in Foundation's types, for code written for Nuke.

public import Foundation

extension ImageSize {
  /// Creates a size from one of Foundation's.
  public init(_ size: CGSize) {
    self.init(width: Double(size.width), height: Double(size.height))
  }
}

extension CGSize {
  /// Creates a size from one of an image.
  public init(_ size: ImageSize) {
    self.init(width: size.width, height: size.height)
  }
}

extension ImageRequest.ThumbnailOptions {
  /// Creates options for a thumbnail that fills a size or fits into it. By default it fills the size.
  ///
  /// - Parameters:
  ///   - size: the target size.
  ///   - unit: has no effect, because there is no screen: a point is a pixel.
  ///   - contentMode: whether the image fills the size or fits into it.
  public init(
    size: CGSize, unit: ImageProcessingOptions.Unit = .points,
    contentMode: ImageProcessingOptions.ContentMode = .aspectFill
  ) {
    self.init(size: ImageSize(size), unit: unit, contentMode: contentMode)
  }
}

extension ImageProcessors.Resize {
  /// Creates a processor that makes images fill a size or fit into it; see
  /// ``init(size:unit:contentMode:crop:upscale:)``.
  public init(
    size: CGSize, unit: ImageProcessingOptions.Unit = .points,
    contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
  ) {
    self.init(size: ImageSize(size), unit: unit, contentMode: contentMode, crop: crop, upscale: upscale)
  }
}

extension ImageProcessing where Self == ImageProcessors.Resize {
  /// The processor that makes images fill a size or fit into it; see
  /// `ImageProcessors.Resize.init(size:unit:contentMode:crop:upscale:)`.
  public static func resize(
    size: CGSize, unit: ImageProcessingOptions.Unit = .points,
    contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale)
  }
}
