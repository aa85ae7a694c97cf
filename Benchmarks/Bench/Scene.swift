// Generated images with statistics similar to those of photos and screenshots, made with integer arithmetic.

import ImageCoding

/// Generates images of one size.
struct Scene {
  private let width: Int
  private let height: Int
  private var seed: UInt32 = 0x1234_5678

  /// Creates a generator of images of a size.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  private mutating func noise(_ amplitude: Int) -> Int {
    seed = seed &* 1_664_525 &+ 1_013_904_223
    return Int(seed >> 16) % (2 * amplitude + 1) - amplitude
  }

  /// Returns a wave between 0 and `amplitude` that consists of parabolas.
  private static func wave(_ position: Int, period: Int, amplitude: Int) -> Int {
    let phase = position % period
    let half = period / 2
    let inside = phase < half ? phase : phase - half
    let bow = 4 * inside * (half - inside) * (amplitude / 2) / (half * half)
    return amplitude / 2 + (phase < half ? bow : -bow)
  }

  /// Returns slow gradients, edges and low-amplitude noise, as in a photo.
  mutating func photo(format: PixelFormat) throws(CodecError) -> Bitmap {
    let deep = format.bitsPerSample == 16
    let top = deep ? 65535 : 255
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * format.bytesPerPixel)
    for y in 0..<height {
      for x in 0..<width {
        let isInside = (x - width / 3) * (x - width / 3) + (y - height / 2) * (y - height / 2) < height * height / 9
        for channel in 0..<format.samplesPerPixel {
          if format.hasAlpha, channel == format.samplesPerPixel - 1 {
            pixels.append(UInt8(min(255, x * 512 / width)))
            continue
          }
          let slow = Self.wave(x + channel * 60, period: width, amplitude: top / 3)
          let across = Self.wave(y + x / 3, period: 180 + 40 * channel, amplitude: top / 3)
          let level = slow + across + (isInside ? top / 5 : 0) + noise(3) * (top / 255)
          let value = UInt16(min(top, max(0, level)))
          if deep {
            // Samples are native-endian; the low bytes of real 16-bit data are noise.
            let sample = min(UInt16(65000), value) &+ UInt16(noise(100) + 100)
            withBytes(of: sample) { pixels += [$0, $1] }
          } else {
            pixels.append(UInt8(value))
          }
        }
      }
    }
    return try Bitmap(width: width, height: height, format: format, pixels: pixels)
  }

  private func withBytes(of sample: UInt16, _ body: (UInt8, UInt8) -> Void) {
    let (low, high) = (UInt8(sample & 255), UInt8(sample >> 8))
    if 1.littleEndian == 1 { body(low, high) } else { body(high, low) }
  }

  /// Returns flat panels in few colours with rows that resemble text.
  mutating func screenshot() throws(CodecError) -> Bitmap {
    let colors: [[UInt8]] = [
      [245, 245, 247, 255], [255, 255, 255, 255], [32, 33, 36, 255], [26, 115, 232, 255], [218, 220, 224, 255],
    ]
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for y in 0..<height {
      var isInk = false
      for x in 0..<width {
        let isText = x > 260 && x < width - 60 && y % 22 > 8 && (y / 22) % 5 != 0 && x < 400 + (y / 22 * 7919) % 700
        if x % 3 == 0 { isInk = noise(2) > 0 }
        let color =
          if isText && isInk { 2 } else if y < 48 { 3 } else if x < 220 { 0 } else if x == 220 { 4 } else { 1 }
        pixels += colors[color]
      }
    }
    return try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels)
  }

  /// Returns a small disc with a soft edge, for which start-up costs dominate.
  static func icon() throws(CodecError) -> Bitmap {
    var pixels: [UInt8] = []
    for y in -32..<32 {
      for x in -32..<32 {
        let alpha = min(255, max(0, (900 - x * x - y * y) * 3))
        pixels += [UInt8(128 + x * 3), UInt8(128 + y * 3), 200, UInt8(alpha)]
      }
    }
    return try Bitmap(width: 64, height: 64, format: .rgba8, pixels: pixels)
  }
}
