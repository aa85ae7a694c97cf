// The image and the part of it that the options select, for formats that decode one whole image.

package import ImageCore

extension DecodingOptions {
  /// Checks that the options do not select an image that a file with a single one does not have.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument`.
  package func checkImageIndex(format: AssetType) throws(CodecError) {
    guard let imageIndex, imageIndex != 0 else { return }
    throw CodecError(.invalidArgument, "there is no image \(imageIndex); the file has one image", format: format)
  }

  /// Checks that the options do not select a key frame of a file that is not a video.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument`.
  package func checkKeyFrame(format: AssetType) throws(CodecError) {
    guard keyFrame != nil else { return }
    throw CodecError(.invalidArgument, "the file is not a video and has no key frames", format: format)
  }

  /// Returns the stored pixels that the options select: those of the region, which refers to the upright image if the
  /// orientation is applied, or all.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` unless the region is inside the image.
  package func storedRegion(
    of size: PixelSize, orientation stored: ImageOrientation, format: AssetType
  ) throws(CodecError) -> PixelRegion {
    guard let region else { return PixelRegion(x: 0, y: 0, width: size.width, height: size.height) }
    let orientation = orientation == .apply ? stored : .up
    let shown = orientation.swapsAxes ? size.transposed : size
    guard region.fits(in: shown) else {
      throw CodecError(
        .invalidArgument, "the region exceeds the image of \(shown.width) × \(shown.height) pixels", format: format)
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

  /// Reduces a finished bitmap to the selected region.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` unless the region is inside the bitmap.
  package func crop(_ bitmap: inout Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    guard let region else { return }
    guard region.fits(in: bitmap.pixelSize) else {
      throw CodecError(
        .invalidArgument, "the region exceeds the image of \(bitmap.width) × \(bitmap.height) pixels",
        format: budget.format)
    }
    try bitmap.reduce(to: region, budget: &budget)
  }
}

extension Bitmap {
  /// Replaces the bitmap with a region inside it.
  package mutating func reduce(to region: PixelRegion, budget: inout ResourceBudget) throws(CodecError) {
    let byteCount = byteCount
    try budget.allocatePixels(
      width: region.width, height: region.height, bytesPerPixel: format.bytesPerPixel)
    self = try cropped(to: region)
    budget.release(byteCount)
  }
}
