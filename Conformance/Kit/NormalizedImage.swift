// The normalised form of pixels for hashing and comparison.

package import ImageCore

/// Straight-alpha RGBA, rows from top to bottom, without padding. Samples have 8 bits, or 16 bits in big-endian order.
///
/// Where alpha is 0, red, green and blue are set to 0, because decoders may leave any values there.
package struct NormalizedImage: Hashable, Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The bits per sample: 8 or 16.
  package let depth: Int
  /// The samples.
  package private(set) var bytes: [UInt8]

  /// Creates an image from RGBA samples and clears the colours of transparent pixels. `nil` if their number does not
  /// match the size.
  package init?(width: Int, height: Int, depth: Int, rgba bytes: [UInt8]) {
    guard width >= 0, height >= 0, depth == 8 || depth == 16, bytes.count == width * height * 4 * (depth / 8) else {
      return nil
    }
    self.width = width
    self.height = height
    self.depth = depth
    self.bytes = bytes
    clearTransparentPixels()
  }

  /// Creates an image from decoded pixels, with 8 bits per sample for 8-bit bitmaps and 16 bits for others.
  package init(_ bitmap: Bitmap) {
    width = bitmap.width
    height = bitmap.height
    depth = bitmap.format.sampleType == .uint8 ? 8 : 16
    if depth == 8 {
      bytes = (try? bitmap.converted(to: .rgba8).packedPixels) ?? []
    } else {
      bytes = []
      guard let converted = try? bitmap.converted(to: .rgba16) else { return }
      bytes.reserveCapacity(width * height * 8)
      for y in 0..<height {
        let row = converted.row16(y)
        for index in 0..<row.count {
          bytes.append(UInt8(truncatingIfNeeded: row[index] >> 8))
          bytes.append(UInt8(truncatingIfNeeded: row[index]))
        }
      }
    }
    clearTransparentPixels()
  }

  /// The SHA-256 of the samples.
  package var hash: String { SHA256.hexDigest(of: bytes.span) }

  /// Returns the image with samples of another depth: `v · 257` upwards, `v / 257` rounded to nearest downwards.
  package func converted(toDepth target: Int) -> NormalizedImage {
    if target == depth { return self }
    var samples: [UInt8] = []
    if target == 16 {
      samples.reserveCapacity(bytes.count * 2)
      for sample in bytes { samples += [sample, sample] }
    } else {
      samples.reserveCapacity(bytes.count / 2)
      for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        let sample = Int(bytes[index]) << 8 | Int(bytes[index + 1])
        samples.append(UInt8((sample + 128) / 257))
      }
    }
    return NormalizedImage(width: width, height: height, depth: target, rgba: samples) ?? self
  }

  /// Returns the four samples of the pixel at an index.
  package func pixel(at index: Int) -> [Int] { (0..<4).map { sample(at: index * 4 + $0) } }

  /// Returns the sample at an index: four times that of its pixel, and that of its channel.
  func sample(at index: Int) -> Int {
    depth == 8 ? Int(bytes[index]) : Int(bytes[index * 2]) << 8 | Int(bytes[index * 2 + 1])
  }

  private mutating func clearTransparentPixels() {
    let sampleSize = depth / 8
    let pixelSize = 4 * sampleSize
    for start in stride(from: 0, to: bytes.count, by: pixelSize) {
      var alpha = bytes[start + 3 * sampleSize]
      if sampleSize == 2 { alpha |= bytes[start + 7] }
      if alpha == 0 {
        for index in start..<start + pixelSize { bytes[index] = 0 }
      }
    }
  }
}
