// A row of Y, U and V to interleaved RGB with alpha in libwebp's fixed point: BT.601, limited range, 14-bit factors;
// the lower 8 bits of products are dropped before they are added (src/dsp/yuv.h).

internal import VectorLanes

/// The conversion of one pixel as libwebp computes it.
package enum LibwebpConversion {
  /// Returns red, green and blue of one pixel.
  package static func rgb(y: UInt8, u: UInt8, v: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    func product(_ sample: UInt8, _ factor: Int32) -> Int32 { (Int32(sample) &* factor) &>> 8 }
    func clip(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value &>> 6, 0), 255)) }
    let luma = product(y, 19077)
    return (
      clip(luma &+ product(v, 26149) &- 14234),
      clip(luma &- product(u, 6419) &- product(v, 13320) &+ 8708),
      clip(luma &+ product(u, 33050) &- 17685)
    )
  }
}

/// Converts a row whose chroma has the width of luma.
///
/// - Parameters:
///   - luma: at least `pixelCount` samples, as are `u` and `v`.
///   - keepsAlpha: whether the fourth bytes of the output are kept.
///   - output: receives `pixelCount` pixels of four bytes, the last of which is set to 255 unless it is kept.
package func convertLibwebpRow(
  luma: Span<UInt8>, u: Span<UInt8>, v: Span<UInt8>, pixelCount: Int, order: FourByteOrder, keepsAlpha: Bool = false,
  into output: inout MutableSpan<UInt8>
) {
  if keepsAlpha {
    convertRow(luma, u, v, pixelCount, order, keepsAlpha: true, into: &output)
  } else {
    convertRow(luma, u, v, pixelCount, order, keepsAlpha: false, into: &output)
  }
}

/// The conversion, for a constant `keepsAlpha`.
@inline(__always)
private func convertRow(
  _ luma: Span<UInt8>, _ u: Span<UInt8>, _ v: Span<UInt8>, _ pixelCount: Int, _ order: FourByteOrder, keepsAlpha: Bool,
  into output: inout MutableSpan<UInt8>
) {
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && luma.count >= pixelCount && u.count >= pixelCount
      && v.count >= pixelCount && output.count >= pixelCount &* 4, "a row is too short")
  var pixel = 0
  unsafe luma.withUnsafeBytes { lumaBytes in
    unsafe u.withUnsafeBytes { uBytes in
      unsafe v.withUnsafeBytes { vBytes in
        unsafe output.withUnsafeMutableBytes { outputBytes in
          while pixel < pixelCount && pixelCount >= 16 {
            // The last sixteen pixels overlap those before them.
            pixel = min(pixel, pixelCount &- 16)
            // SAFETY: by the precondition, sixteen samples of each row and 64 bytes of output exist from `pixel` on.
            let y = unsafe lumaBytes.loadUnaligned(fromByteOffset: pixel, as: SIMD16<UInt8>.self)
            let u = unsafe uBytes.loadUnaligned(fromByteOffset: pixel, as: SIMD16<UInt8>.self)
            let v = unsafe vBytes.loadUnaligned(fromByteOffset: pixel, as: SIMD16<UInt8>.self)
            let low = channels(widenLow(y), widenLow(u), widenLow(v))
            let high = channels(widenHigh(y), widenHigh(u), widenHigh(v))
            let red = packUnsignedSaturating(low.red, high.red)
            let green = packUnsignedSaturating(low.green, high.green)
            let blue = packUnsignedSaturating(low.blue, high.blue)
            let first = order == .rgba ? red : blue
            let third = order == .rgba ? blue : red
            let fourth = SIMD16<UInt8>(repeating: keepsAlpha ? 0 : 255)
            let (low12, high12) = (words(interleaveLow8(first, green)), words(interleaveHigh8(first, green)))
            let (low34, high34) = (words(interleaveLow8(third, fourth)), words(interleaveHigh8(third, fourth)))
            let offset = pixel &* 4
            @inline(__always)
            func store(_ pixels: Int16x8, _ index: Int) {
              let place = offset &+ index
              guard keepsAlpha else {
                return unsafe outputBytes.storeBytes(of: pixels, toByteOffset: place, as: Int16x8.self)
              }
              let old = unsafe outputBytes.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt32>.self)
              let alpha = old & SIMD4(repeating: UInt32(0xFF00_0000).littleEndian)
              // SAFETY: both types have 16 bytes, and every bit pattern is valid.
              let color = unsafe unsafeBitCast(pixels, to: SIMD4<UInt32>.self)
              unsafe outputBytes.storeBytes(of: color | alpha, toByteOffset: place, as: SIMD4<UInt32>.self)
            }
            store(interleaveLow16(low12, low34), 0)
            store(interleaveHigh16(low12, low34), 16)
            store(interleaveLow16(high12, high34), 32)
            store(interleaveHigh16(high12, high34), 48)
            pixel &+= 16
          }
        }
      }
    }
  }
  while pixel < pixelCount {
    let color = LibwebpConversion.rgb(y: luma[pixel], u: u[pixel], v: v[pixel])
    output[pixel &* 4] = order == .rgba ? color.red : color.blue
    output[pixel &* 4 &+ 1] = color.green
    output[pixel &* 4 &+ 2] = order == .rgba ? color.blue : color.red
    if !keepsAlpha { output[pixel &* 4 &+ 3] = 255 }
    pixel &+= 1
  }
}

@inline(__always)
private func words(_ vector: SIMD16<UInt8>) -> Int16x8 {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(vector, to: Int16x8.self)
}

/// Returns the channels of eight pixels, not yet clamped.
@inline(__always)
private func channels(_ y: Int16x8, _ u: Int16x8, _ v: Int16x8) -> (red: Int16x8, green: Int16x8, blue: Int16x8) {
  // SAFETY (both casts): both types have 16 bytes, and every bit pattern is valid.
  func signed(_ vector: UInt16x8) -> Int16x8 { unsafe unsafeBitCast(vector, to: Int16x8.self) }
  func unsigned(_ vector: Int16x8) -> UInt16x8 { unsafe unsafeBitCast(vector, to: UInt16x8.self) }
  let luma = scaleSamples(y, by: 19077)
  // The sum of red wraps around, and back when the offset is subtracted.
  let red = luma &+ scaleSamples(v, by: 26149) &- vector(of: 14234)
  let green = luma &+ vector(of: 8708) &- scaleSamples(u, by: 6419) &- scaleSamples(v, by: 13320)
  // The factor of blue is 33,050, of which 2^15 is a shift. The sum is up to 51,922, which only unsigned lanes can hold. A
  // sum less than the offset is negative, hence 0.
  let sum = unsigned(luma &+ scaleSamples(u, by: 282) &+ u &<< 7)
  let blue = subtractSaturating(sum, unsigned(vector(of: 17685))) &>> 6
  return (red &>> 6, green &>> 6, signed(blue))
}
