// Clearing and copying parts of bitmaps.

extension Bitmap {
  /// Sets the pixels of a region to zero.
  package mutating func clear(_ region: PixelRegion) {
    let from = region.x * format.bytesPerPixel
    let to = (region.x + region.width) * format.bytesPerPixel
    for y in region.y..<region.y + region.height {
      var row = mutableRow(y)
      var index = from
      while index < to {
        row[index] = 0
        index += 1
      }
    }
  }

  /// Copies the pixels of a region to a new bitmap.
  package func copy(of region: PixelRegion) throws(CodecError) -> Bitmap {
    var result = Bitmap()
    try result.reset(width: region.width, height: region.height, format: format, limits: .unlimited)
    let from = region.x * format.bytesPerPixel
    let to = (region.x + region.width) * format.bytesPerPixel
    for y in 0..<region.height {
      var row = result.mutableRow(y)
      copyBytes(self.row(region.y + y).extracting(from..<to), into: &row)
    }
    return result
  }

  /// Replaces the pixels at the given position with those of another bitmap of the same format.
  package mutating func replacePixels(atX x: Int, y: Int, with source: Bitmap) {
    precondition(source.format == format, "the pixel formats differ")
    let from = x * format.bytesPerPixel
    for line in 0..<source.height {
      let input = source.row(line)
      let end = from + input.count
      var row = mutableRow(y + line)
      var part = row._mutatingExtracting(from..<end)
      copyBytes(input, into: &part)
    }
  }
}
