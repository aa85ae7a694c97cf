// The comparison of decoded regions with parts of the whole picture.

public import ImageCore

/// Compares regions of a picture with the same parts of the whole.
public struct RegionComparison {
  private let whole: Bitmap

  /// Creates a comparison with a whole picture.
  public init(with whole: Bitmap) {
    self.whole = whole
  }

  /// The regions that are compared: from the first pixel, from the middle, and the last pixel.
  public var regions: [PixelRegion] {
    let (width, height) = (whole.width, whole.height)
    return [
      PixelRegion(x: 0, y: 0, width: (width + 2) / 3, height: (height + 1) / 2),
      PixelRegion(x: width / 2, y: height / 3, width: (width + 3) / 4, height: (height + 3) / 4),
      PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1),
    ]
  }

  /// Returns the first difference; `nil` if there is none.
  ///
  /// - Parameter decode: decodes a region.
  public func difference(_ decode: (PixelRegion) throws(CodecError) -> Bitmap) throws(CodecError) -> String? {
    for region in regions {
      if try decode(region) != whole.cropped(to: region) {
        return "the region \(region.width) × \(region.height) at (\(region.x), \(region.y)) differs from the whole"
      }
    }
    return nil
  }
}
