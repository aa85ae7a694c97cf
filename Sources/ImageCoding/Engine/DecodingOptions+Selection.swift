// The image and the part of it that the options select, for formats that decode one whole image.

package import ImageCore

extension DecodingOptions {
  /// Checks that the options do not select an image that a file with a single one does not have.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument``.
  package func checkImageIndex(format: AssetType) throws(CodecError) {
    guard let imageIndex, imageIndex != 0 else { return }
    throw CodecError(.invalidArgument, "there is no image \(imageIndex); the file has one image", format: format)
  }

  /// Checks that the options do not select a key frame of a file that is not a video.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument``.
  package func checkKeyFrame(format: AssetType) throws(CodecError) {
    guard keyFrame != nil else { return }
    throw CodecError(.invalidArgument, "the file is not a video and has no key frames", format: format)
  }

  /// Reduces a finished bitmap to the selected region.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument`` unless the region is inside the bitmap.
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
