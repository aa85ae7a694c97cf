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

  /// Replaces all pixels by one, and charges four units of work for each.
  ///
  /// - Parameter pixel: the samples in the bitmap's format.
  package mutating func fill(with pixel: [UInt8], budget: inout ResourceBudget) throws(CodecError) {
    precondition(pixel.count == format.bytesPerPixel, "the pixel has another format")
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: 4)
      var row = mutableRow(y)
      for start in stride(from: 0, to: row.count, by: pixel.count) {
        for index in pixel.indices { row[start &+ index] = pixel[index] }
      }
    }
  }

  /// Copies the pixels of a region to a new bitmap.
  package func copy(of region: PixelRegion) throws(CodecError) -> Bitmap {
    var result = Bitmap()
    try result.reset(width: region.width, height: region.height, format: format, limits: .unlimited)
    result.replacePixels(atX: 0, y: 0, with: region, of: self)
    return result
  }

  /// Replaces the pixels at the given position with those of another bitmap of the same format.
  package mutating func replacePixels(atX x: Int, y: Int, with source: Bitmap) {
    let whole = PixelRegion(x: 0, y: 0, width: source.width, height: source.height)
    replacePixels(atX: x, y: y, with: whole, of: source)
  }

  /// Replaces the pixels at the given position with those of a region of another bitmap of the same format.
  package mutating func replacePixels(atX x: Int, y: Int, with region: PixelRegion, of source: Bitmap) {
    precondition(source.format == format, "the pixel formats differ")
    let byteCount = region.width * format.bytesPerPixel
    let (from, to) = (region.x * format.bytesPerPixel, x * format.bytesPerPixel)
    for line in 0..<region.height {
      var row = mutableRow(y + line)
      var part = row._mutatingExtracting(to..<to + byteCount)
      copyBytes(source.row(region.y + line).extracting(from..<from + byteCount), into: &part)
    }
  }
}
