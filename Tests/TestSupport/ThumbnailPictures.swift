// Pictures whose thumbnails can be told by hand.

package import ImageCoding

package enum ThumbnailPictures {
  /// Slow waves and some noise.
  package static func photo(width: Int, height: Int, _ format: PixelFormat = .rgb8, seed: UInt64 = 7) throws -> Bitmap {
    var random = TestRandom(seed)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * format.bytesPerPixel)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<format.bytesPerPixel {
          let wave = (x * (channel + 2) + y * 3) % 400
          pixels.append(UInt8(clamping: (wave < 200 ? wave : 400 - wave) + Int(random.next() & 31)))
        }
      }
    }
    return try Bitmap(width: width, height: height, format: format, pixels: pixels)
  }

  /// Four quarters: red, green / blue, white.
  package static func quarters(width: Int, height: Int, alpha: UInt8 = 255) throws -> Bitmap {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { pixels += quarter(x < width / 2, y < height / 2, alpha: alpha) }
    }
    return try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels)
  }

  private static func quarter(_ isLeft: Bool, _ isTop: Bool, alpha: UInt8) -> [UInt8] {
    switch (isLeft, isTop) {
    case (true, true): [255, 0, 0, alpha]
    case (false, true): [0, 255, 0, alpha]
    case (true, false): [0, 0, 255, alpha]
    case (false, false): [255, 255, 255, alpha]
    }
  }

  /// The picture as a file with the given orientation stores it, so that it is displayed as it is here.
  package static func stored(_ bitmap: Bitmap, as orientation: ImageOrientation) -> Bitmap {
    let inverse: ImageOrientation =
      switch orientation {
      case .right: .left
      case .left: .right
      default: orientation
      }
    var turned = bitmap
    turned.orientation = inverse
    var result = turned.orientedUp()
    result.orientation = orientation
    return result
  }

  /// Returns a PNG whose eXIf chunk follows the image data.
  package static func movingOrientationToEnd(_ png: [UInt8]) -> [UInt8] {
    var chunks: [[UInt8]] = []
    var start = 8
    while start + 8 <= png.count {
      let length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      chunks.append(Array(png[start..<start + 12 + length]))
      start += 12 + length
    }
    let orientation = chunks.filter { $0[4..<8].elementsEqual("eXIf".utf8) }
    let others = chunks.filter { !$0[4..<8].elementsEqual("eXIf".utf8) }
    return Array(png[0..<8]) + others.dropLast().joined() + orientation.joined() + (others.last ?? [])
  }
}
