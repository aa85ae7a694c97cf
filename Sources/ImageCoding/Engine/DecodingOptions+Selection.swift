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
    let byteCount = bitmap.byteCount
    try budget.allocatePixels(
      width: region.width, height: region.height, bytesPerPixel: bitmap.format.bytesPerPixel)
    bitmap = try bitmap.cropped(to: region)
    budget.release(byteCount)
  }
}
