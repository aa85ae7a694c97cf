// The part of the stored image that a caller requests.

internal import ImageCoding

extension ImageLayout {
  /// Returns the stored pixels that the options select: those of the region, which refers to the upright image if the
  /// orientation is applied, or all.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument`` unless the region is inside the image.
  func window(of options: DecodingOptions) throws(CodecError) -> PixelRegion {
    guard let region = options.region else {
      return PixelRegion(x: 0, y: 0, width: size.width, height: size.height)
    }
    let orientation = options.orientation == .apply ? self.orientation : .up
    let shown = orientation.swapsAxes ? size.transposed : size
    guard region.fits(in: shown) else {
      throw CodecError(
        .invalidArgument, "the region exceeds the image of \(shown.width) × \(shown.height) pixels",
        format: TIFFDecoder.type)
    }
    let right = size.width - (orientation.swapsAxes ? region.y + region.height : region.x + region.width)
    let below = size.height - (orientation.swapsAxes ? region.x + region.width : region.y + region.height)
    let (x, y) =
      switch orientation {
      case .up: (region.x, region.y)
      case .upMirrored: (right, region.y)
      case .down: (right, below)
      case .downMirrored: (region.x, below)
      case .leftMirrored: (region.y, region.x)
      case .right: (region.y, below)
      case .rightMirrored: (right, below)
      case .left: (right, region.x)
      }
    return orientation.swapsAxes
      ? PixelRegion(x: x, y: y, width: region.height, height: region.width)
      : PixelRegion(x: x, y: y, width: region.width, height: region.height)
  }
}
