// Sizes: to what an image is resized, and which part of it remains.

internal import ImageCore

/// The size to which a whole image is resized, and the region of the result that is kept.
struct ThumbnailGeometry: Hashable {
  var scaled: PixelSize
  var region: PixelRegion

  /// Returns the geometry of the stored image, whose upright version this is the geometry of.
  func stored(as orientation: ImageOrientation) -> ThumbnailGeometry {
    var (scaled, region) = (scaled, region)
    if orientation.swapsAxes {
      scaled = scaled.transposed
      region = PixelRegion(x: region.y, y: region.x, width: region.height, height: region.width)
    }
    switch orientation {
    case .up, .leftMirrored: break
    case .upMirrored, .left: region.x = scaled.width - region.x - region.width
    case .downMirrored, .right: region.y = scaled.height - region.y - region.height
    case .down, .rightMirrored:
      region.x = scaled.width - region.x - region.width
      region.y = scaled.height - region.y - region.height
    }
    return ThumbnailGeometry(scaled: scaled, region: region)
  }
}

extension Thumbnail {
  /// The largest side. Larger ones exceed every limit of pixels.
  private static let maximumSide = 0x1p31

  /// Returns the geometry of an upright image.
  ///
  /// - Parameter isDrawing: whether the image has no resolution, and can be enlarged without loss.
  func geometry(of image: PixelSize, isDrawing: Bool) -> ThumbnailGeometry {
    guard image.width > 0, image.height > 0 else {
      return ThumbnailGeometry(scaled: image, region: PixelRegion(x: 0, y: 0, width: 0, height: 0))
    }
    let scaled = scaledSize(of: image, canGrow: enlarges || isDrawing)
    guard case .cover(let gravity) = fit else {
      return ThumbnailGeometry(
        scaled: scaled, region: PixelRegion(x: 0, y: 0, width: scaled.width, height: scaled.height))
    }
    let kept = PixelSize(
      width: min(scaled.width, width ?? .max), height: min(scaled.height, height ?? .max))
    let (across, down) = gravity.position
    return ThumbnailGeometry(
      scaled: scaled,
      region: PixelRegion(
        x: (scaled.width - kept.width) * across / 2, y: (scaled.height - kept.height) * down / 2,
        width: kept.width,
        height: kept.height))
  }

  private func scaledSize(of image: PixelSize, canGrow: Bool) -> PixelSize {
    let ratios = [
      width.map { Double($0) / Double(image.width) },
      height.map { Double($0) / Double(image.height) },
    ].compactMap(\.self)
    let (least, greatest) = (ratios.min() ?? 1, ratios.max() ?? 1)
    var across: Double
    var down: Double
    switch fit {
    case .inside: (across, down) = (least, least)
    case .outside, .cover: (across, down) = (greatest, greatest)
    case .exact: (across, down) = (ratios.first ?? 1, ratios.last ?? 1)
    }
    if !canGrow { (across, down) = (min(across, 1), min(down, 1)) }
    func scaled(_ side: Int, _ factor: Double) -> Int {
      Int(min(max(1, (Double(side) * factor).rounded()), Self.maximumSide))
    }
    return PixelSize(width: scaled(image.width, across), height: scaled(image.height, down))
  }
}

extension Thumbnail.Gravity {
  /// The column and row of the kept part: 0 for the start, 1 for the middle, 2 for the end.
  fileprivate var position: (across: Int, down: Int) {
    switch self {
    case .topLeft: (0, 0)
    case .top: (1, 0)
    case .topRight: (2, 0)
    case .left: (0, 1)
    case .center: (1, 1)
    case .right: (2, 1)
    case .bottomLeft: (0, 2)
    case .bottom: (1, 2)
    case .bottomRight: (2, 2)
    }
  }
}
