// Rendered pixels of a part of a picture.

internal import ImageCoding

/// A rectangle of pixels in the natural format of the image.
struct PixelTile: Sendable {
  let region: PixelRegion
  /// The pixels, row by row.
  let bytes: [UInt8]

  /// Copies a row of the picture to its place.
  func copy(row y: Int, into pixels: inout MutableSpan<UInt8>) {
    let rowByteCount = bytes.count / region.height
    let bytesPerPixel = rowByteCount / region.width
    let start = (y - region.y) * rowByteCount
    let source = bytes.span.extracting(start..<start + rowByteCount)
    let offset = region.x * bytesPerPixel
    var target = pixels._mutatingExtracting(offset..<offset + rowByteCount)
    for index in 0..<rowByteCount { target[index] = source[index] }
  }
}
