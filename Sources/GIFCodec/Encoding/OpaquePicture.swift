// Pixels as GIF can show them: opaque, or not there at all.

internal import ImageCore

/// A picture whose pixels are opaque or transparent.
struct OpaquePicture: Hashable, Sendable {
  let size: PixelSize
  /// Red in the low byte, then green, blue, 255; 0 where transparent. Row after row.
  let pixels: [UInt32]

  /// - Throws: ``DecodeError/Kind/encodingFailed`` when a GIF cannot have this size.
  init(_ bitmap: Bitmap, alphaThreshold: UInt8) throws(DecodeError) {
    let upright = bitmap.orientedUp().converted(to: .rgba8)
    guard !upright.isEmpty, upright.width <= 0xFFFF, upright.height <= 0xFFFF else {
      throw DecodeError(
        .encodingFailed, "a GIF cannot be \(bitmap.width) × \(bitmap.height)", format: GIFDecoder.type)
    }
    size = upright.pixelSize
    var pixels = [UInt32](repeating: 0, count: size.width * size.height)
    for y in 0..<size.height {
      let row = upright.row(y)
      for x in 0..<size.width where row[x * 4 + 3] >= alphaThreshold {
        let color = UInt32(row[x * 4]) | UInt32(row[x * 4 + 1]) << 8 | UInt32(row[x * 4 + 2]) << 16
        pixels[y * size.width + x] = color | 0xFF00_0000
      }
    }
    self.pixels = pixels
  }
}
