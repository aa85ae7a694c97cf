// The equations of ITU-T H.273, section 8.3, in single precision: samples to values of 0…1 and −0.5…0.5, and these to
// interleaved RGB with alpha, four pixels at a time. The order of operations is that of libavif's built-in conversion,
// so that results are bit-identical.

internal import VectorLanes

/// The mapping of samples to floating-point values: `(sample − bias) / range`.
package struct SampleScale: Sendable {
  package var bias: Float
  package var range: Float

  package init(bias: Float, range: Float) {
    self.bias = bias
    self.range = range
  }

  /// Returns the scale of luma.
  package static func luma(bitDepth: Int, range: SampleRange) -> SampleScale {
    range == .full
      ? SampleScale(bias: 0, range: Float(1 << bitDepth - 1))
      : SampleScale(bias: Float(16 << (bitDepth - 8)), range: Float(219 << (bitDepth - 8)))
  }

  /// Returns the scale of chroma.
  package static func chroma(bitDepth: Int, range: SampleRange) -> SampleScale {
    SampleScale(
      bias: Float(1 << (bitDepth - 1)),
      range: range == .full ? Float(1 << bitDepth - 1) : Float(224 << (bitDepth - 8)))
  }
}

/// The equations from Y, Cb and Cr to RGB.
package enum ColorEquations: Hashable, Sendable {
  /// The equations for a pair of luma weights.
  case weights(LumaWeights)
  /// The planes are G, B, R.
  case identity
  /// YCgCo.
  case yCgCo
}

/// Red, green and blue of four pixels.
private typealias Channels = (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)

@inline(__always)
private func channels(
  _ y: SIMD4<Float>, _ cb: SIMD4<Float>, _ cr: SIMD4<Float>, _ equations: ColorEquations
) -> Channels {
  switch equations {
  case .identity: return (cr, y, cb)
  case .yCgCo:
    let t = y - cb
    return (t + cr, y + cb, t - cr)
  case .weights(let weights):
    let (kr, kb, kg) = (weights.red, weights.blue, weights.green)
    let red = y + (2 * (1 - kr)) * cr
    let blue = y + (2 * (1 - kb)) * cb
    let green = y - (2 * ((kr * (1 - kr)) * cr + (kb * (1 - kb)) * cb)) / SIMD4(repeating: kg)
    return (red, green, blue)
  }
}

/// Returns `floor(0.5 + maximum · value)` of values clamped to 0…1.
@inline(__always)
private func quantize(_ value: SIMD4<Float>, _ maximum: Float) -> SIMD4<Int32> {
  let zero = SIMD4<Float>()
  let one = SIMD4<Float>(repeating: 1)
  let lower = value.replacing(with: zero, where: value .< zero)
  let clamped = lower.replacing(with: one, where: lower .> one)
  return truncate(SIMD4(repeating: 0.5) + clamped * maximum)
}

/// Divides a colour, clamped to 0…1, by alpha; black where alpha is 0.
@inline(__always)
private func divided(_ value: SIMD4<Float>, by alpha: SIMD4<Float>) -> SIMD4<Float> {
  let zero = SIMD4<Float>()
  let one = SIMD4<Float>(repeating: 1)
  let lower = value.replacing(with: zero, where: value .< zero)
  let clamped = lower.replacing(with: one, where: lower .> one)
  return (clamped / alpha).replacing(with: zero, where: alpha .== zero)
}

/// Converts a row to opaque RGBA of 8 or 16 bits.
///
/// - Parameters:
///   - luma: at least `pixelCount` values, rounded up to a multiple of four. The same applies to `cb` and `cr`.
///   - alpha: the values by which colours are divided, 0…1, of the same number; empty if they are not.
///   - output: room for `pixelCount` pixels of 4 or 8 bytes, rounded up to a multiple of four. 16-bit samples are
///     native-endian.
package func convertExactRow(
  luma: Span<Float>, cb: Span<Float>, cr: Span<Float>, premultipliedBy alpha: Span<Float>, pixelCount: Int,
  equations: ColorEquations, isWide: Bool, into output: inout MutableSpan<UInt8>
) {
  let padded = (pixelCount &+ 3) & ~3
  precondition(
    pixelCount >= 0 && pixelCount <= 1 << 20 && luma.count >= padded && cb.count >= padded && cr.count >= padded
      && (alpha.isEmpty || alpha.count >= padded) && output.count >= padded &* (isWide ? 8 : 4), "a row is too short")
  let dividesByAlpha = !alpha.isEmpty
  unsafe luma.withUnsafeBytes { lumaBytes in
    unsafe cb.withUnsafeBytes { cbBytes in
      unsafe cr.withUnsafeBytes { crBytes in
        unsafe alpha.withUnsafeBytes { alphaBytes in
          unsafe output.withUnsafeMutableBytes { outputBytes in
            var pixel = 0
            while pixel < pixelCount {
              // SAFETY: `pixel` is a multiple of four, so that by the precondition four floats of each row exist from
              // `pixel` on, as does room for four pixels. The row of alpha is read only if it is not empty.
              let offset = pixel &* 4
              var rgb = unsafe channels(
                lumaBytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self),
                cbBytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self),
                crBytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self), equations)
              if dividesByAlpha {
                let alpha = unsafe alphaBytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
                rgb = (divided(rgb.red, by: alpha), divided(rgb.green, by: alpha), divided(rgb.blue, by: alpha))
              }
              if isWide {
                unsafe storeWide(rgb, at: pixel &* 8, in: outputBytes)
              } else {
                unsafe storeNarrow(rgb, at: offset, in: outputBytes)
              }
              pixel &+= 4
            }
          }
        }
      }
    }
  }
}

@inline(__always)
private func storeWide(_ rgb: Channels, at offset: Int, in output: UnsafeMutableRawBufferPointer) {
  let red = quantize(rgb.red, 65535)
  let green = quantize(rgb.green, 65535)
  let blue = quantize(rgb.blue, 65535)
  // SAFETY: the caller proves that there is room for four pixels of 8 bytes at `offset`. The casts are between vectors
  // of the same size.
  let low = unsafe unsafeBitCast(red | green &<< 16, to: SIMD8<Int16>.self)
  let high = unsafe unsafeBitCast(blue | SIMD4(repeating: -65536), to: SIMD8<Int16>.self)
  unsafe output.storeBytes(of: interleaveLow32(low, high), toByteOffset: offset, as: SIMD8<Int16>.self)
  unsafe output.storeBytes(of: interleaveHigh32(low, high), toByteOffset: offset &+ 16, as: SIMD8<Int16>.self)
}

@inline(__always)
private func storeNarrow(_ rgb: Channels, at offset: Int, in output: UnsafeMutableRawBufferPointer) {
  let red = quantize(rgb.red, 255)
  let green = quantize(rgb.green, 255)
  let blue = quantize(rgb.blue, 255)
  let pixels = red | green &<< 8 | blue &<< 16 | SIMD4(repeating: -16_777_216)
  // SAFETY: the caller proves that there is room for four pixels of 4 bytes at `offset`.
  unsafe output.storeBytes(of: pixels, toByteOffset: offset, as: SIMD4<Int32>.self)
}
