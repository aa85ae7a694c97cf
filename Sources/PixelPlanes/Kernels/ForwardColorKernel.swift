// Rows of interleaved RGB to rows of Y, Cb and Cr, sixteen pixels at a time (ITU-T T.871, section 7), in the 16-bit
// fixed point of libjpeg. Bit-identical to JFIFConversion.yCbCr.
//
// A pixel becomes two pairs of 16-bit lanes, (first, third) and (green, 512). Multiplying both pairs by factors and
// adding the products yields a weighted sum plus a constant. Two kinds of factors do not fit in a signed lane. For
// green in Y, 65536 is added separately. For blue in Cb and red in Cr, which are 32768, 255 − Cb and 255 − Cr are
// computed instead: floor((X + 512 · 16320) / 65536) with X = −65536 · (Cb − 128) is 255 − floor((128 · 65536 + 32767 −
// X) / 65536).

internal import VectorLanes

/// The order of a pixel's samples in memory, as ``separateYCbCr`` reads them.
package struct PixelByteOrder: Hashable, Sendable {
  /// The number of bytes per pixel: 3 or 4. A fourth byte is ignored.
  package var bytesPerPixel: Int
  /// Whether blue is first and red last.
  package var isBGR: Bool

  package init(bytesPerPixel: Int, isBGR: Bool) {
    self.bytesPerPixel = bytesPerPixel
    self.isBGR = isBGR
  }
}

/// Converts a row to separate Y, Cb and Cr.
///
/// - Parameters:
///   - pixels: at least `pixelCount` pixels.
///   - luma: receives `pixelCount` samples, as do `cb` and `cr`.
package func separateYCbCr(
  _ pixels: Span<UInt8>, pixelCount: Int, order: PixelByteOrder, luma: inout MutableSpan<UInt8>,
  cb: inout MutableSpan<UInt8>, cr: inout MutableSpan<UInt8>
) {
  // The order stays a run-time value: if it is a constant, the compiler splits the vectors into scalars.
  let step = order.bytesPerPixel
  precondition(
    (step == 3 || step == 4) && pixelCount >= 0 && pixelCount <= 1 << 20 && pixels.count >= pixelCount &* step
      && luma.count >= pixelCount && cb.count >= pixelCount && cr.count >= pixelCount, "a row is too short")
  let count =
    order.isBGR
    ? separateVectors(pixels, pixelCount: pixelCount, .bgr, step: step, luma: &luma, &cr, &cb)
    : separateVectors(pixels, pixelCount: pixelCount, .rgb, step: step, luma: &luma, &cb, &cr)
  for pixel in count..<pixelCount {
    let index = pixel &* step
    let color = JFIFConversion.yCbCr(
      red: pixels[index &+ (order.isBGR ? 2 : 0)], green: pixels[index &+ 1],
      blue: pixels[index &+ (order.isBGR ? 0 : 2)])
    luma[pixel] = color.y
    cb[pixel] = color.cb
    cr[pixel] = color.cr
  }
}

/// The factors of the samples in memory order.
private struct ForwardFactors {
  /// The factors of the first and the third sample in Y.
  var luma: SIMD8<Int16>
  /// The negated factors in the chroma of the third sample, including that of green.
  var third: SIMD8<Int16>
  var thirdGreen: SIMD8<Int16>
  /// The negated factors in the chroma of the first sample, including that of green.
  var first: SIMD8<Int16>
  var firstGreen: SIMD8<Int16>

  @inline(__always)
  private static func pairs(_ a: Int16, _ b: Int16) -> SIMD8<Int16> { SIMD8(a, b, a, b, a, b, a, b) }

  static let rgb = ForwardFactors(
    luma: pairs(19595, 7471), third: pairs(11059, -32768), thirdGreen: pairs(21709, 16320),
    first: pairs(-32768, 5329), firstGreen: pairs(27439, 16320))
  static let bgr = ForwardFactors(
    luma: pairs(7471, 19595), third: pairs(5329, -32768), thirdGreen: pairs(27439, 16320),
    first: pairs(-32768, 11059), firstGreen: pairs(21709, 16320))
}

/// Converts all pixels if they fill a vector, and returns the number of pixels converted.
///
/// - Parameters:
///   - third: receives the chroma of the third sample of each pixel.
///   - first: receives the chroma of the first sample of each pixel.
private func separateVectors(
  _ pixels: Span<UInt8>, pixelCount: Int, _ factors: ForwardFactors, step: Int, luma: inout MutableSpan<UInt8>,
  _ third: inout MutableSpan<UInt8>, _ first: inout MutableSpan<UInt8>
) -> Int {
  precondition(
    (step == 3 || step == 4) && pixelCount >= 0 && pixelCount <= 1 << 20 && pixels.count >= pixelCount &* step
      && luma.count >= pixelCount && third.count >= pixelCount && first.count >= pixelCount, "a row is too short")
  var pixel = 0
  unsafe pixels.withUnsafeBytes { input in
    unsafe luma.withUnsafeMutableBytes { lumaRow in
      unsafe third.withUnsafeMutableBytes { thirdRow in
        unsafe first.withUnsafeMutableBytes { firstRow in
          // Returns four pixels of 32 bits each.
          @inline(__always)
          func four(_ index: Int) -> SIMD4<UInt32> {
            if step == 4 {
              return unsafe input.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<UInt32>.self)
            }
            // Two pixels in the lower six bytes of each word. The second load begins two bytes early, so that it does
            // not reach beyond the last pixel.
            let second = unsafe input.loadUnaligned(fromByteOffset: index &* 3 &+ 4, as: UInt64.self) &>> 16
            let pairs = unsafe SIMD2(input.loadUnaligned(fromByteOffset: index &* 3, as: UInt64.self), second)
            return unsafe unsafeBitCast(
              (pairs & 0xFF_FFFF) | ((pairs &<< 8) & 0xFF_FFFF_0000_0000), to: SIMD4<UInt32>.self)
          }
          // SAFETY: sixteen pixels exist from `pixel` on, and the rows have room for sixteen samples from there on.
          while pixel < pixelCount && pixelCount >= 16 {
            // The last sixteen pixels overlap those before them.
            pixel = min(pixel, pixelCount &- 16)
            let a = convertFour(four(pixel), factors)
            let b = convertFour(four(pixel &+ 4), factors)
            let c = convertFour(four(pixel &+ 8), factors)
            let d = convertFour(four(pixel &+ 12), factors)
            unsafe lumaRow.storeBytes(of: pack(a.y, b.y, c.y, d.y), toByteOffset: pixel, as: SIMD16<UInt8>.self)
            unsafe thirdRow.storeBytes(
              of: ~pack(a.third, b.third, c.third, d.third), toByteOffset: pixel, as: SIMD16<UInt8>.self)
            unsafe firstRow.storeBytes(
              of: ~pack(a.first, b.first, c.first, d.first), toByteOffset: pixel, as: SIMD16<UInt8>.self)
            pixel &+= 16
          }
        }
      }
    }
  }
  return pixel
}

@inline(__always)
private func pack(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
) -> SIMD16<UInt8> {
  packUnsignedSaturating(packSaturating(a, b), packSaturating(c, d))
}

/// Converts four pixels to Y and the complements of both chroma samples.
@inline(__always)
private func convertFour(
  _ pixels: SIMD4<UInt32>, _ factors: ForwardFactors
) -> (y: SIMD4<Int32>, third: SIMD4<Int32>, first: SIMD4<Int32>) {
  // SAFETY (all casts): both types have 16 bytes, and every bit pattern is valid.
  @inline(__always) func pairs(_ vector: SIMD4<UInt32>) -> SIMD8<Int16> {
    unsafe unsafeBitCast(vector, to: SIMD8<Int16>.self)
  }
  let outer = pairs(pixels & 0x00FF_00FF)
  let green = ((pixels &>> 8) & 0xFF) | 0x0200_0000
  let lumaGreen = SIMD8<Int16>(-27066, 64, -27066, 64, -27066, 64, -27066, 64)
  let whole = unsafe unsafeBitCast(green &<< 16, to: SIMD4<Int32>.self)
  let y = (multiplyAddPairs(outer, factors.luma) &+ multiplyAddPairs(pairs(green), lumaGreen) &+ whole) &>> 16
  let third =
    (multiplyAddPairs(outer, factors.third) &+ multiplyAddPairs(pairs(green), factors.thirdGreen)) &>> 16
  let first =
    (multiplyAddPairs(outer, factors.first) &+ multiplyAddPairs(pairs(green), factors.firstGreen)) &>> 16
  return (y, third, first)
}
