// A whole picture in GIF's terms, for animations, whose frames are compared with each other.

internal import ImageCoding

/// A picture in which each pixel is either opaque or transparent.
struct OpaquePicture: Hashable, Sendable {
  let size: PixelSize
  /// Red in the low byte, then green, blue and 255; 0 for a transparent pixel. Stored row by row.
  let pixels: [UInt32]

  /// Converts a bitmap, and charges the work and the pixels, which take ``byteCount`` bytes.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if GIF cannot represent this size.
  init(_ bitmap: Bitmap, alphaThreshold: UInt8, _ budget: inout ResourceBudget) throws(CodecError) {
    try GIFEncoder.checkSize(bitmap)
    try budget.requireWork(count: bitmap.width * bitmap.height, unitsEach: BitmapRows.workPerPixel)
    let (upright, turnedByteCount) = try bitmap.orientedUp(budget: &budget)
    size = upright.pixelSize
    try budget.allocate(count: size.width * size.height, bytesEach: 4)
    var rows = BitmapRows(upright, alphaThreshold: alphaThreshold)
    var row = [UInt32](repeating: 0, count: size.width)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
      try budget.chargeWork(count: size.width, unitsEach: BitmapRows.workPerPixel)
      rows.read(y, into: &row)
      pixels += row
    }
    self.pixels = pixels
    budget.release(turnedByteCount)
  }

  /// The bytes of the pixels.
  var byteCount: Int { pixels.count * 4 }
}
