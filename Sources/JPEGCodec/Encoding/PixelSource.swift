// Converts rows of any pixel format to rows that the encoder's kernels accept: 8 bits, no alpha.

internal import ImageCoding
internal import PixelPlanes

/// Prepares rows of one pixel format.
struct PixelSource {
  private let format: PixelFormat
  private let width: Int
  private let background: RGBA8
  /// The format of prepared rows: gray8, rgb8, rgba8, bgra8 or cmyk8.
  private let prepared: PixelFormat
  private var converter: PixelRowConverter
  private var staging: [UInt8] = []

  init(_ format: PixelFormat, width: Int, transform: EncodingFrame.ColorTransform, background: RGBA8) {
    (self.format, self.width, self.background) = (format, width, background)
    if format.hasAlpha {
      prepared = .rgba8
    } else {
      switch format.colorModel {
      case .gray: prepared = transform == .gray ? .gray8 : .rgb8
      case .rgb: prepared = .rgb8
      case .bgr: prepared = .bgra8
      case .cmyk: prepared = transform == .ycck || transform == .cmyk ? .cmyk8 : .rgb8
      }
    }
    converter = PixelRowConverter(from: format, to: prepared)
    if format != prepared || format.hasAlpha {
      staging = [UInt8](repeating: 0, count: width * prepared.bytesPerPixel)
    }
  }

  /// Whether prepared rows have one sample per pixel.
  var isGray: Bool { prepared == .gray8 }

  /// The size of the staging row in bytes.
  var byteCount: Int { staging.count }

  /// Writes a row of gray samples.
  mutating func copyGray(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    converter.convert(row, into: &output)
  }

  /// Writes a row of inks of 8 bits.
  mutating func copyInks(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    converter.convert(row, into: &output)
  }

  /// Writes a row of Y, Cb and Cr samples. Of inks the first three are converted, as in YCCK.
  mutating func separate(
    _ row: Span<UInt8>, luma: inout MutableSpan<UInt8>, cb: inout MutableSpan<UInt8>, cr: inout MutableSpan<UInt8>
  ) {
    let order = PixelByteOrder(bytesPerPixel: prepared.bytesPerPixel, isBGR: prepared.colorModel == .bgr)
    if staging.isEmpty {
      separateYCbCr(row, pixelCount: width, order: order, luma: &luma, cb: &cb, cr: &cr)
      return
    }
    // Moved out of the property, so that the rest of this value can be used meanwhile.
    var pixels = staging
    staging = []
    var staged = pixels.mutableSpan
    converter.convert(row, into: &staged)
    if format.hasAlpha { flatten(&staged) }
    separateYCbCr(pixels.span, pixelCount: width, order: order, luma: &luma, cb: &cb, cr: &cr)
    staging = pixels
  }

  /// Composites straight RGBA over the background.
  private func flatten(_ pixels: inout MutableSpan<UInt8>) {
    let (red, green, blue) = (UInt32(background.red), UInt32(background.green), UInt32(background.blue))
    for pixel in 0..<width {
      let index = pixel &* 4
      let alpha = UInt32(pixels[index &+ 3])
      if alpha == 255 { continue }
      let rest = 255 &- alpha
      pixels[index] = blend(UInt32(pixels[index]), alpha, red, rest)
      pixels[index &+ 1] = blend(UInt32(pixels[index &+ 1]), alpha, green, rest)
      pixels[index &+ 2] = blend(UInt32(pixels[index &+ 2]), alpha, blue, rest)
    }
  }

  /// `round((sample · alpha + background · rest) / 255)`.
  @inline(__always)
  private func blend(_ sample: UInt32, _ alpha: UInt32, _ background: UInt32, _ rest: UInt32) -> UInt8 {
    let sum = sample &* alpha &+ background &* rest &+ 128
    return UInt8(truncatingIfNeeded: (sum &+ sum &>> 8) &>> 8)
  }
}
