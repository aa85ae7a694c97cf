// A row of Y, Cb and Cr samples to a row of interleaved RGB with alpha, sixteen pixels at a time. Chroma has the width
// of luma, or half of it and is upsampled with a triangle filter. ITU-T T.871, section 7, in the 16-bit fixed point of
// libjpeg. Bit-identical to JFIFConversion.rgb.

internal import VectorLanes

/// The order of the four bytes of a pixel that the colour kernels write. The fourth byte is 255.
package enum FourByteOrder: Sendable {
  /// Red first.
  case rgba
  /// Blue first.
  case bgra
}

/// Red, green and blue of eight pixels.
private struct Colors {
  var red, green, blue: SIMD8<Int16>
}

/// Converts eight pixels from luma and from chroma centred on zero.
@inline(__always)
private func colors(_ luma: SIMD8<Int16>, _ cb: SIMD8<Int16>, _ cr: SIMD8<Int16>) -> Colors {
  // 1.402 = 1 + 26345/65536, 1.772 = 2 − 14942/65536; −0.344136 and −0.714136 + 1, times 65536.
  let red = luma &+ cr &+ multiplyHighRounding(cr, vector(of: 26345))
  let green = luma &- cr &+ multiplyHighRounding(cb, -22554, plus: cr, 18734)
  let blue = luma &+ cb &+ cb &+ multiplyHighRounding(cb, vector(of: -14942))
  return Colors(red: red, green: green, blue: blue)
}

@inline(__always)
private func words(_ vector: SIMD16<UInt8>) -> SIMD8<Int16> {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe unsafeBitCast(vector, to: SIMD8<Int16>.self)
}

/// Stores sixteen pixels, whose even and odd ones were computed separately.
@inline(__always)
private func store(_ even: Colors, _ odd: Colors, _ order: FourByteOrder, to pixels: UnsafeMutableRawPointer) {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  let opaque = unsafe unsafeBitCast(vector(of: -1), to: SIMD16<UInt8>.self)
  let red = packUnsignedSaturating(even.red, odd.red)
  let green = packUnsignedSaturating(even.green, odd.green)
  let blue = packUnsignedSaturating(even.blue, odd.blue)
  let first = order == .rgba ? red : blue
  let third = order == .rgba ? blue : red
  let evenFirst = words(interleaveLow8(first, green))
  let oddFirst = words(interleaveHigh8(first, green))
  let evenThird = words(interleaveLow8(third, opaque))
  let oddThird = words(interleaveHigh8(third, opaque))
  let even0 = interleaveLow16(evenFirst, evenThird)
  let even4 = interleaveHigh16(evenFirst, evenThird)
  let odd0 = interleaveLow16(oddFirst, oddThird)
  let odd4 = interleaveHigh16(oddFirst, oddThird)
  // SAFETY: the caller provides room for 64 bytes.
  unsafe pixels.storeBytes(of: interleaveLow32(even0, odd0), as: SIMD8<Int16>.self)
  unsafe pixels.storeBytes(of: interleaveHigh32(even0, odd0), toByteOffset: 16, as: SIMD8<Int16>.self)
  unsafe pixels.storeBytes(of: interleaveLow32(even4, odd4), toByteOffset: 32, as: SIMD8<Int16>.self)
  unsafe pixels.storeBytes(of: interleaveHigh32(even4, odd4), toByteOffset: 48, as: SIMD8<Int16>.self)
}

/// Returns the even and the odd lanes of sixteen bytes.
@inline(__always)
private func split(_ bytes: SIMD8<UInt16>) -> (even: SIMD8<Int16>, odd: SIMD8<Int16>) {
  // SAFETY: both types have 16 bytes, and every bit pattern is valid.
  unsafe (
    unsafeBitCast(bytes, to: SIMD8<Int16>.self) & vector(of: 0xFF),
    unsafeBitCast(shiftRight(bytes, by: 8), to: SIMD8<Int16>.self)
  )
}

/// Calls `body` for every sixteen pixels of a row. A partial last group is written to a separate buffer and copied.
///
/// - Parameter body: receives the index of the first pixel and the destination of its 64 bytes.
@inline(__always)
private func forEachSixteenPixels(
  _ pixelCount: Int, into output: UnsafeMutableRawPointer, _ body: (Int, UnsafeMutableRawPointer) -> Void
) {
  var pixel = 0
  while pixel &+ 16 <= pixelCount {
    // SAFETY: the 64 bytes from here on are within the row's `pixelCount * 4`.
    unsafe body(pixel, output + pixel &* 4)
    pixel &+= 16
  }
  if pixel < pixelCount {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { partial in
      // SAFETY: the buffer has 64 bytes, of which those of the row's remaining pixels are copied.
      guard let start = partial.baseAddress else { return }
      unsafe body(pixel, start)
      unsafe (output + pixel &* 4).copyMemory(from: start, byteCount: (pixelCount &- pixel) &* 4)
    }
  }
}

/// Converts a row whose three components have the same width.
///
/// - Parameters:
///   - luma: at least `pixelCount` samples, rounded up to a multiple of sixteen. The same applies to `cb` and `cr`.
///   - output: receives `pixelCount` pixels of four bytes.
package func convertYCbCrRow(
  luma: Span<UInt8>, cb: Span<UInt8>, cr: Span<UInt8>, pixelCount: Int, order: FourByteOrder,
  into output: inout MutableSpan<UInt8>
) {
  let padded = (pixelCount &+ 15) & ~15
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && luma.count >= padded && cb.count >= padded && cr.count >= padded
      && output.count >= pixelCount &* 4, "a row is too short")
  unsafe luma.withUnsafeBytes { lumaBytes in
    unsafe cb.withUnsafeBytes { cbBytes in
      unsafe cr.withUnsafeBytes { crBytes in
        unsafe output.withUnsafeMutableBytes { outputBytes in
          // SAFETY: loads of 16 bytes at multiples of 16 below `pixelCount` are within the rows by the precondition.
          guard let lumaRow = lumaBytes.baseAddress, let cbRow = cbBytes.baseAddress,
            let crRow = crBytes.baseAddress, let row = outputBytes.baseAddress
          else { return }
          let center = vector(of: 128)
          unsafe forEachSixteenPixels(pixelCount, into: row) { pixel, pixels in
            let y = unsafe split(lumaRow.loadUnaligned(fromByteOffset: pixel, as: SIMD8<UInt16>.self))
            let b = unsafe split(cbRow.loadUnaligned(fromByteOffset: pixel, as: SIMD8<UInt16>.self))
            let r = unsafe split(crRow.loadUnaligned(fromByteOffset: pixel, as: SIMD8<UInt16>.self))
            unsafe store(
              colors(y.even, b.even &- center, r.even &- center), colors(y.odd, b.odd &- center, r.odd &- center),
              order, to: pixels)
          }
        }
      }
    }
  }
}

/// The rounding of the weighted chroma rows of ``convertHalfWidthYCbCrRow``: the values that libjpeg adds to even and
/// odd columns before the division by 16.
package struct ColumnRounding: Sendable {
  package var even: Int16
  package var odd: Int16
  /// The rounding of sums of two rows weighted 3 : 1.
  package static let blendedRows = ColumnRounding(even: 8, odd: 7)
  /// The rounding of single rows of weight 4.
  package static let singleRow = ColumnRounding(even: 4, odd: 8)
}

/// The number of samples before the first and after the last sample of a weighted chroma row.
package let weightedRowMargin = 8

/// Converts a row whose chroma has half the width of luma, upsampled with weights 3 : 1.
///
/// - Parameters:
///   - luma: at least `pixelCount` samples, rounded up to a multiple of sixteen.
///   - cb: samples times 4, with ``weightedRowMargin`` samples before the first and after the last one. The two
///     adjacent to the row repeat its ends.
///   - cr: like `cb`.
///   - output: receives `pixelCount` pixels of four bytes.
package func convertHalfWidthYCbCrRow(
  luma: Span<UInt8>, cb: Span<Int16>, cr: Span<Int16>, pixelCount: Int, rounding: ColumnRounding,
  order: FourByteOrder, into output: inout MutableSpan<UInt8>
) {
  let padded = (pixelCount &+ 15) & ~15
  let weightedCount = padded / 2 &+ 2 &* weightedRowMargin
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && luma.count >= padded && cb.count >= weightedCount
      && cr.count >= weightedCount && output.count >= pixelCount &* 4, "a row is too short")
  unsafe luma.withUnsafeBytes { lumaBytes in
    unsafe cb.withUnsafeBytes { cbBytes in
      unsafe cr.withUnsafeBytes { crBytes in
        unsafe output.withUnsafeMutableBytes { outputBytes in
          // SAFETY: luma as in convertYCbCrRow. Chroma is loaded from one sample before to nine after the index
          // `pixel / 2`, which are within the margins by the precondition.
          guard let lumaRow = lumaBytes.baseAddress, let cbMargin = cbBytes.baseAddress,
            let crMargin = crBytes.baseAddress, let row = outputBytes.baseAddress
          else { return }
          let cbRow = unsafe cbMargin + weightedRowMargin &* 2
          let crRow = unsafe crMargin + weightedRowMargin &* 2
          // Chroma is centred on zero before it is divided by 16.
          let evenRounding = vector(of: rounding.even &- 128 &* 16)
          let oddRounding = vector(of: rounding.odd &- 128 &* 16)
          unsafe forEachSixteenPixels(pixelCount, into: row) { pixel, pixels in
            let y = unsafe split(lumaRow.loadUnaligned(fromByteOffset: pixel, as: SIMD8<UInt16>.self))
            let b = unsafe filterColumns(cbRow + pixel, evenRounding, oddRounding)
            let r = unsafe filterColumns(crRow + pixel, evenRounding, oddRounding)
            unsafe store(colors(y.even, b.even, r.even), colors(y.odd, b.odd, r.odd), order, to: pixels)
          }
        }
      }
    }
  }
}

/// Upsamples eight weighted samples to sixteen chroma samples centred on zero: three parts the nearer column, one part
/// the farther. The roundings include the centre, times 16.
@inline(__always)
private func filterColumns(
  _ row: UnsafeRawPointer, _ evenRounding: SIMD8<Int16>, _ oddRounding: SIMD8<Int16>
) -> (even: SIMD8<Int16>, odd: SIMD8<Int16>) {
  // SAFETY: the caller proves that the samples from one before to nine after `row` exist.
  let this = unsafe row.loadUnaligned(as: SIMD8<Int16>.self)
  let previous = unsafe row.loadUnaligned(fromByteOffset: -2, as: SIMD8<Int16>.self)
  let next = unsafe row.loadUnaligned(fromByteOffset: 2, as: SIMD8<Int16>.self)
  let threefold = this &+ this &+ this
  return (
    shiftRight(threefold &+ previous &+ evenRounding, by: 4), shiftRight(threefold &+ next &+ oddRounding, by: 4)
  )
}
