// Pictures that the input describes, through the encoders and back.

import GIFCodec
import ImageCore
import PNGCodec

/// Encodes pictures of a size, a layout and pixels that the input decides.
struct EncoderFuzzing {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  private mutating func next() -> UInt8 { bytes.popFirst() ?? 0 }

  /// Encodes one picture; traps where it comes back as another one.
  mutating func run() {
    let formats: [PixelFormat] = [.gray8, .rgb8, .rgba8, .gray16, .rgb16, .rgba16]
    let format = formats[Int(next()) % formats.count]
    let (width, height) = (1 + Int(next()) % 40, 1 + Int(next()) % 40)
    let switches = next()
    var options = PNGEncoder.Options(
      compressionLevel: Int(switches & 7), isInterlaced: switches & 8 != 0, reducesColors: switches & 16 != 0)
    if switches & 32 != 0 { options.filtering = .fixed(next() % 5) }
    let pixels = (0..<width * height * format.bytesPerPixel).map { _ in next() }
    guard let bitmap = try? Bitmap(width: width, height: height, format: format, pixels: pixels) else {
      preconditionFailure("no bitmap of \(width) × \(height)")
    }
    checkPNG(of: bitmap, options)
    checkGIF(of: bitmap)
  }

  private func checkPNG(of bitmap: Bitmap, _ options: PNGEncoder.Options) {
    guard let file = try? PNGEncoder(options: options).encode(bitmap),
      let again = try? PNGDecoder().decode(
        file.span, options: DecodingOptions(pixelFormat: bitmap.format, orientation: .report, tolerance: .strict))
    else { preconditionFailure("a picture does not survive PNG") }
    precondition(again.bitmap.packedPixels == bitmap.packedPixels, "a picture comes back from PNG as another one")
  }

  private func checkGIF(of bitmap: Bitmap) {
    guard let file = try? GIFEncoder().encode(bitmap.converted(to: .rgba8)),
      let again = try? GIFDecoder().decode(file.span, options: DecodingOptions(tolerance: .strict))
    else { preconditionFailure("a picture does not survive GIF") }
    precondition(again.bitmap.width == bitmap.width && again.bitmap.height == bitmap.height, "GIF changes the size")
  }
}
