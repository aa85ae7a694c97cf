// Rows of interleaved RGB to rows of Y, Cb and Cr, sixteen pixels at a time. ITU-T T.871, section 7, in the 16-bit fixed
// point of libjpeg: the same sums as JFIFConversion.yCbCr, to the last bit.

/// The samples of a pixel in memory, as ``separateYCbCr`` reads them.
package struct PixelByteOrder: Hashable, Sendable {
  /// Bytes of a pixel: 3 or 4. A fourth byte is ignored.
  package var bytesPerPixel: Int
  /// Whether blue comes first and red last.
  package var isBGR: Bool

  package init(bytesPerPixel: Int, isBGR: Bool) {
    self.bytesPerPixel = bytesPerPixel
    self.isBGR = isBGR
  }
}

/// Converts a row.
///
/// - Parameters:
///   - pixels: `pixelCount` pixels.
///   - luma: takes `pixelCount` samples, as do `cb` and `cr`.
package func separateYCbCr(
  _ pixels: Span<UInt8>, pixelCount: Int, order: PixelByteOrder, luma: inout MutableSpan<UInt8>,
  cb: inout MutableSpan<UInt8>, cr: inout MutableSpan<UInt8>
) {
  let step = order.bytesPerPixel
  precondition(
    (step == 3 || step == 4) && pixelCount >= 0 && pixelCount <= 1 << 20 && pixels.count >= pixelCount &* step
      && luma.count >= pixelCount && cb.count >= pixelCount && cr.count >= pixelCount, "the rows hold the pixels")
  // The order stays a value of run time: as a constant, the compiler takes the vectors apart into scalars.
  var pixel = 0
  unsafe pixels.withUnsafeBytes { input in
    unsafe luma.withUnsafeMutableBytes { lumaRow in
      unsafe cb.withUnsafeMutableBytes { cbRow in
        unsafe cr.withUnsafeMutableBytes { crRow in
          @inline(__always)
          func four(_ index: Int) -> SIMD4<UInt32> {
            if step == 4 {
              return unsafe input.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<UInt32>.self)
            }
            // Two pixels in the lower six bytes of each word.
            let pairs = unsafe SIMD2(
              input.loadUnaligned(fromByteOffset: index &* 3, as: UInt64.self),
              input.loadUnaligned(fromByteOffset: index &* 3 &+ 6, as: UInt64.self))
            return unsafe unsafeBitCast(
              (pairs & 0xFF_FFFF) | ((pairs &<< 8) & 0xFF_FFFF_0000_0000), to: SIMD4<UInt32>.self)
          }
          // SAFETY: sixteen pixels from `pixel` on exist, and of three bytes another one, which the last load reads two
          // bytes of; the rows take sixteen samples from there on.
          while pixel &+ (step == 3 ? 17 : 16) <= pixelCount {
            let a = convertFour(four(pixel), isBGR: order.isBGR)
            let b = convertFour(four(pixel &+ 4), isBGR: order.isBGR)
            let c = convertFour(four(pixel &+ 8), isBGR: order.isBGR)
            let d = convertFour(four(pixel &+ 12), isBGR: order.isBGR)
            unsafe lumaRow.storeBytes(of: pack(a.y, b.y, c.y, d.y), toByteOffset: pixel, as: SIMD16<UInt8>.self)
            unsafe cbRow.storeBytes(of: pack(a.cb, b.cb, c.cb, d.cb), toByteOffset: pixel, as: SIMD16<UInt8>.self)
            unsafe crRow.storeBytes(of: pack(a.cr, b.cr, c.cr, d.cr), toByteOffset: pixel, as: SIMD16<UInt8>.self)
            pixel &+= 16
          }
        }
      }
    }
  }
  while pixel < pixelCount {
    let index = pixel &* step
    let color = JFIFConversion.yCbCr(
      red: pixels[index &+ (order.isBGR ? 2 : 0)], green: pixels[index &+ 1],
      blue: pixels[index &+ (order.isBGR ? 0 : 2)])
    luma[pixel] = color.y
    cb[pixel] = color.cb
    cr[pixel] = color.cr
    pixel &+= 1
  }
}

@inline(__always)
private func pack(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
) -> SIMD16<UInt8> {
  packUnsignedSaturating(packSaturating(a, b), packSaturating(c, d))
}

/// Four pixels whose bytes are, from the lowest on, first, green, third and any.
@inline(__always)
private func convertFour(
  _ pixels: SIMD4<UInt32>, isBGR: Bool
) -> (y: SIMD4<Int32>, cb: SIMD4<Int32>, cr: SIMD4<Int32>) {
  // SAFETY (all casts): both types are 16 bytes of which every bit pattern is valid.
  @inline(__always) func pairs(_ vector: SIMD4<UInt32>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(vector, to: SIMD8<Int16>.self)
  }
  @inline(__always) func signed(_ vector: SIMD4<UInt32>) -> SIMD4<Int32> {
    unsafe unsafeBitCast(vector, to: SIMD4<Int32>.self)
  }
  @inline(__always) func factors(_ a: Int16, _ b: Int16) -> SIMD8<Int16> { SIMD8(a, b, a, b, a, b, a, b) }
  let green = (pixels & 0xFF00) &<< 8
  let first = pixels & 0xFF
  let third = (pixels &>> 16) & 0xFF
  let red = isBGR ? third : first
  let blue = isBGR ? first : third
  let redGreen = pairs(red | green)
  let blueGreen = pairs(blue | green)
  let center = SIMD4<Int32>(repeating: 128 &<< 16 &+ 32767)
  // 38470, the factor of green, does not fit in 16 bits: 22086 + 16384.
  let y =
    (multiplyAddPairs(redGreen, factors(19595, 22086)) &+ multiplyAddPairs(blueGreen, factors(7471, 16384))
      &+ SIMD4(repeating: 32768)) &>> 16
  let cb = (multiplyAddPairs(redGreen, factors(-11059, -21709)) &+ signed(blue &<< 15) &+ center) &>> 16
  let cr = (multiplyAddPairs(blueGreen, factors(-5329, -27439)) &+ signed(red &<< 15) &+ center) &>> 16
  return (y, cb, cr)
}
