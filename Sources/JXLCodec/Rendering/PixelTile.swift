// Rendered pixels of a part of a picture.

internal import ImageCoding

/// A rectangle of pixels in the natural format of the image.
struct PixelTile: Sendable {
  let region: PixelRegion
  /// The pixels, row by row.
  let bytes: [UInt8]

  /// Copies those of some columns of a row of the picture that are in the tile to their places.
  func copy(row y: Int, columns: Range<Int>, into pixels: inout MutableSpan<UInt8>) {
    let rowByteCount = bytes.count / region.height
    let bytesPerPixel = rowByteCount / region.width
    let part = columns.clamped(to: region.x..<region.x + region.width)
    guard !part.isEmpty else { return }
    let start = (y - region.y) * rowByteCount + (part.lowerBound - region.x) * bytesPerPixel
    let source = bytes.span.extracting(start..<start + part.count * bytesPerPixel)
    let offset = (part.lowerBound - columns.lowerBound) * bytesPerPixel
    var target = pixels._mutatingExtracting(offset..<offset + source.count)
    for index in 0..<source.count { target[index] = source[index] }
  }
}
