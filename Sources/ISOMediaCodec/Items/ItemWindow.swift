// The part of a coded picture that a region of the image needs.

internal import ImageCoding

/// A region of an image in the coordinates of its coded picture, before crop and orientation.
struct ItemWindow {
  /// The samples around a region that interpolation of chroma reads.
  private static let margin = 2

  /// The part of the coded picture to decode. Its left and top edges are even, so that it consists of whole chroma
  /// samples.
  let window: PixelRegion
  /// The region in the window.
  let region: PixelRegion

  /// Converts a region of the upright image.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` unless the region is inside the image.
  init(_ region: PixelRegion, of item: HEIFItem, format: AssetType) throws(CodecError) {
    guard region.fits(in: item.size) else {
      throw CodecError(
        .invalidArgument, "the region exceeds the image of \(item.size.width) × \(item.size.height) pixels",
        format: format)
    }
    let shown =
      item.cleanAperture
      ?? PixelRegion(x: 0, y: 0, width: item.codedSize.width, height: item.codedSize.height)
    self.init(region, ofShown: shown, orientation: item.orientation, codedSize: item.codedSize)
  }

  /// Converts a region of the upright image that is inside it.
  ///
  /// - Parameter shown: the part of the coded picture that the image consists of.
  init(_ region: PixelRegion, ofShown shown: PixelRegion, orientation: ImageOrientation, codedSize: PixelSize) {
    var part = region
    if orientation.swapsAxes {
      part = PixelRegion(x: region.y, y: region.x, width: region.height, height: region.width)
    }
    switch orientation {
    case .upMirrored, .down, .rightMirrored, .left: part.x = shown.width - part.x - part.width
    default: break
    }
    switch orientation {
    case .down, .downMirrored, .right, .rightMirrored: part.y = shown.height - part.y - part.height
    default: break
    }
    part.x += shown.x
    part.y += shown.y
    let left = max(0, part.x - Self.margin) & ~1
    let top = max(0, part.y - Self.margin) & ~1
    let right = min(codedSize.width, part.x + part.width + Self.margin)
    let bottom = min(codedSize.height, part.y + part.height + Self.margin)
    window = PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
    self.region = PixelRegion(x: part.x - left, y: part.y - top, width: part.width, height: part.height)
  }
}
