// Pixels in GIF's terms: opaque or fully transparent.

internal import ImageCore

/// A picture in which each pixel is either opaque or transparent.
struct OpaquePicture: Hashable, Sendable {
  let size: PixelSize
  /// Red in the low byte, then green, blue and 255; 0 for a transparent pixel. Stored row by row.
  let pixels: [UInt32]

  /// - Throws: ``CodecError/Kind/encodingFailed`` if GIF cannot represent this size.
  init(_ bitmap: Bitmap, alphaThreshold: UInt8) throws(CodecError) {
    let upright = try bitmap.orientedUp().converted(to: .rgba8)
    guard !upright.isEmpty, upright.width <= 0xFFFF, upright.height <= 0xFFFF else {
      throw CodecError(
        .encodingFailed, "a GIF image cannot be \(bitmap.width) × \(bitmap.height) pixels", format: GIFDecoder.type)
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
