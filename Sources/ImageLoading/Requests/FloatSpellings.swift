// Overloads for floating-point types other than `Double`, for code written for Nuke that passes `Float`.

extension ImageRequest.ThumbnailOptions {
  /// Creates options for a thumbnail whose longer side is at most `maxPixelSize` pixels.
  public init(maxPixelSize: some BinaryFloatingPoint) {
    self.init(maxPixelSize: Double(maxPixelSize))
  }
}

extension ImageEncoders.Default {
  /// Creates an encoder with a quality of 0…1.
  public init(compressionQuality: some BinaryFloatingPoint, isHEIFPreferred: Bool = false) {
    self.init(compressionQuality: Double(compressionQuality), isHEIFPreferred: isHEIFPreferred)
  }
}

extension ImageEncoders.ImageIO {
  /// Creates an encoder of one type with a quality of 0…1.
  public init(type: AssetType, compressionRatio: some BinaryFloatingPoint) {
    self.init(type: type, compressionRatio: Double(compressionRatio))
  }
}

extension ImageEncoding where Self == ImageEncoders.Default {
  /// The default encoder with a quality of 0…1.
  public static func `default`(compressionQuality: some BinaryFloatingPoint) -> ImageEncoders.Default {
    ImageEncoders.Default(compressionQuality: Double(compressionQuality))
  }
}

extension ImageEncoding where Self == ImageEncoders.ImageIO {
  /// The encoder of one type with a quality of 0…1.
  public static func imageIO(
    type: AssetType, compressionRatio: some BinaryFloatingPoint
  ) -> ImageEncoders.ImageIO {
    ImageEncoders.ImageIO(type: type, compressionRatio: Double(compressionRatio))
  }
}
